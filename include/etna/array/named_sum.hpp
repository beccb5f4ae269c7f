// SPDX-License-Identifier: BSD-3-Clause
// Names as integers, and sums of products of names: how they are taken apart, and written into one integer.
// Read next: extent.hpp.
#pragma once
#include <cstddef>
#include <cstdint>

namespace etna {

using extent = std::int64_t;

namespace ext {

// Letter 1 is a digit, which no name begins with: so no name packs to 1, and -1 stays free.
inline constexpr const char letters[] = "0123456789abcdefghijklmnopqrstuvwxyz_";
inline constexpr int radix = 38;
inline constexpr extent invalid = -1;

constexpr extent power(int n) {
  extent r = 1;
  for (int i = 0; i < n; ++i) r *= radix;
  return r;
}
inline constexpr extent names_end = power(12);  // every name packs below this

constexpr int code(char c) {
  for (int i = 0; i < radix - 1; ++i)
    if (letters[i] == c) return i + 1;
  return 0;
}

constexpr bool is_name(extent e) { return e < 0 && -e < names_end; }

/// k * n[0] * n[1] * n[2]: a number times up to three names, in order; 0 is no name.
struct term {
  extent k, n[3];
  constexpr int degree() const { return (n[0] != 0) + (n[1] != 0) + (n[2] != 0); }
  constexpr bool like(term const& o) const { return n[0] == o.n[0] && n[1] == o.n[1] && n[2] == o.n[2]; }
};
/// An extent taken apart: a sum of up to three terms, those with more names first; no two are alike.
struct terms {
  term t[3]{};
  int n = 0;
  bool fits = true;
  constexpr void add(term const& x) {
    for (int i = 0; i < n; ++i)
      if (t[i].like(x)) {
        t[i].k += x.k;
        if (t[i].k == 0)
          for (--n; i < n; ++i) t[i] = t[i + 1];
        return;
      }
    if (x.k == 0) return;
    if (n == 3) {
      fits = false;
      return;
    }
    int at = n++;
    for (; at > 0 && before(x, t[at - 1]); --at) t[at] = t[at - 1];
    t[at] = x;
  }
  static constexpr bool before(term const& x, term const& y) {
    if (int d = x.degree() - y.degree(); d != 0) return d > 0;
    for (int i = 0; i < 3; ++i)
      if (x.n[i] != y.n[i]) return x.n[i] > y.n[i];
    return false;
  }
};

/// The product of two terms, of up to three names together, in the order in which they are sorted.
constexpr term product(term const& x, term const& y) {
  term r{x.k * y.k, {}};
  int n = 0;
  term const* both[] = {&x, &y};
  for (term const* t : both)
    for (int i = 0; i < t->degree(); ++i) {
      int at = n++;
      for (; at > 0 && t->n[i] > r.n[at - 1]; --at) r.n[at] = r.n[at - 1];
      r.n[at] = t->n[i];
    }
  return r;
}

// How sums of products are written into one integer, as slots below the names: so many names n, m, p of up to so many
// letters, and two numbers a, b below these. Shorter names leave room for more.
struct slot {
  int names, letters;
  extent a, b;
  constexpr extent size() const {
    extent s = a * b;
    for (int i = 0; i < names; ++i) s *= power(letters);
    return s;
  }
};
inline constexpr slot slots[] = {
    {0, 0, extent(1) << 50, 1},  // -a: no size, but a stride or a step
    {1, 6, 11000000, 1},         // a n
    {1, 3, extent(1) << 36, 1},  //
    {1, 6, 1, 1 << 21},          // n + b
    {1, 3, 1 << 18, 1 << 20},    // a n + b
    {2, 5, 1, 1},                // n m
    {2, 3, 1 << 21, 1},          // a n m
    {3, 2, 1 << 20, 1},          // a n m p
    {2, 5, 1, 1},                // n + m
    {2, 3, 1 << 21, 1},          // a (n + m)
    {2, 3, 1 << 10, 1 << 10},    // a n + b m
    {2, 2, 1 << 16, 1 << 14},    // a m (n + b)
    {3, 2, 1 << 16, 1},          // a p (n + m)
    {2, 3, 1 << 11, 1 << 11},    // a (n + m + b)
    {3, 2, 1 << 21, 1},          // a (n + m + p)
    {3, 3, 1 << 7, 1},           //
};
inline constexpr int slot_count = sizeof slots / sizeof *slots;
constexpr bool slots_fit() {
  extent room = INT64_MAX - names_end;
  for (slot const& s : slots) room -= s.size();
  return room > 0;
}
static_assert(slots_fit());

constexpr terms split(extent e) {
  terms r;
  if (e >= 0) {
    r.add({e, {}});
    return r;
  }
  if (-e < names_end) {
    r.add({1, {e}});
    return r;
  }
  extent x = -e - names_end, n[3]{};
  int i = 0;
  for (; i < slot_count - 1 && x >= slots[i].size(); ++i) x -= slots[i].size();
  for (int k = 0; k < slots[i].names; ++k) {
    n[k] = -(x % power(slots[i].letters));
    x /= power(slots[i].letters);
  }
  extent a = x % slots[i].a, b = x / slots[i].a;
  switch (i) {
    case 0: r.add({-a, {}}); break;
    case 1:
    case 2: r.add({a, {n[0]}}); break;
    case 3:
      r.add({1, {n[0]}});
      r.add({b, {}});
      break;
    case 4:
      r.add({a, {n[0]}});
      r.add({b, {}});
      break;
    case 5: r.add({1, {n[0], n[1]}}); break;
    case 6: r.add({a, {n[0], n[1]}}); break;
    case 7: r.add({a, {n[0], n[1], n[2]}}); break;
    case 8:
      r.add({1, {n[0]}});
      r.add({1, {n[1]}});
      break;
    case 9:
      r.add({a, {n[0]}});
      r.add({a, {n[1]}});
      break;
    case 10:
      r.add({a, {n[0]}});
      r.add({b, {n[1]}});
      break;
    case 11:
      r.add(product({a, {n[0]}}, {1, {n[1]}}));
      r.add({a * b, {n[1]}});
      break;
    case 12:
      r.add(product({a, {n[0]}}, {1, {n[2]}}));
      r.add(product({a, {n[1]}}, {1, {n[2]}}));
      break;
    default:
      r.add({a, {n[0]}});
      r.add({a, {n[1]}});
      r.add(i == 13 ? term{a * b, {}} : term{a, {n[2]}});
  }
  return r;
}
/// Does the sum have the form of slot i? Then its names and numbers.
constexpr bool has_form(int i, terms const& s, extent* n, extent& a, extent& b) {
  term const &x = s.t[0], &y = s.t[1];
  int d = x.degree(), c = y.degree();
  for (int k = 0; k < 3; ++k) n[k] = x.n[k];
  a = x.k;
  b = 0;
  if (i == 0) return s.n == 1 && d == 0 && (a = -a) >= 0;
  if (s.n == 0 || a < 0 || y.k < 0 || s.t[2].k < 0) return false;
  switch (i) {
    case 1:
    case 2: return s.n == 1 && d == 1;
    case 3:
    case 4: b = y.k; return s.n == 2 && d == 1 && c == 0 && (i == 4 || a == 1) && ((a = i == 3 ? 0 : a), true);
    case 5: a = 0; return s.n == 1 && d == 2 && x.k == 1;
    case 6: return s.n == 1 && d == 2;
    case 7: return s.n == 1 && d == 3;
    case 8:
    case 9:
    case 10:
      n[1] = y.n[0];
      b = i == 10 ? y.k : 0;
      if (i == 8) a = 0;
      return s.n == 2 && d == 1 && c == 1 && (i == 10 || (x.k == y.k && (i == 9 || x.k == 1)));
    default: break;
  }
  if (i > 12) {
    term const& z = s.t[2];
    n[1] = y.n[0];
    n[2] = z.n[0];
    b = i == 13 ? z.k / a : 0;
    return s.n == 3 && d == 1 && c == 1 && z.degree() == (i != 13) && x.k == y.k && z.k == (i == 13 ? a * b : a);
  }
  if (s.n != 2 || d != 2) return false;
  for (int k = 0; k < 2; ++k)
    for (int j = 0; j < c; ++j)
      if (x.n[k] == y.n[j]) {
        n[0] = x.n[1 - k];
        if (i == 11) {
          n[1] = x.n[k];
          b = y.k / a;
          return c == 1 && y.k % a == 0;
        }
        n[1] = y.n[1 - j];
        n[2] = x.n[k];
        return c == 2 && y.k == a;
      }
  return false;
}
/// The extent that is this sum; `invalid` where no slot holds it.
constexpr extent join(terms const& s) {
  if (!s.fits) return invalid;
  if (s.n == 0) return 0;
  if (s.n == 1 && s.t[0].degree() == 0 && s.t[0].k > 0) return s.t[0].k;
  if (s.n == 1 && s.t[0].degree() == 1 && s.t[0].k == 1) return s.t[0].n[0];
  extent before = names_end;
  for (int i = 0; i < slot_count; before += slots[i++].size()) {
    extent n[3]{}, a = 0, b = 0;
    if (!has_form(i, s, n, a, b) || a >= slots[i].a || b >= slots[i].b) continue;
    bool short_enough = true;
    for (int k = 0; k < slots[i].names; ++k) short_enough = short_enough && -n[k] < power(slots[i].letters);
    if (!short_enough) continue;
    extent x = b * slots[i].a + a;
    for (int k = slots[i].names - 1; k >= 0; --k) x = x * power(slots[i].letters) - n[k];
    return -(before + x);
  }
  return invalid;
}

/// Is `part` at most `whole`, whatever the names stand for?
constexpr bool holds(extent whole, extent part) {
  if (whole == invalid || part == invalid) return false;
  terms x = split(whole), y = split(part);
  for (int i = 0; i < y.n; ++i) {
    bool found = false;
    for (int j = 0; j < x.n; ++j) found = found || (x.t[j].like(y.t[i]) && x.t[j].k >= y.t[i].k);
    if (!found) return false;
  }
  return true;
}

}  // namespace ext
}  // namespace etna
