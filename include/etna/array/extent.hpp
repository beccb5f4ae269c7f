// SPDX-License-Identifier: BSD-3-Clause
// An extent is one integer: positive is static, a name ("batch"_n) is packed reversibly into a
// negative one, and what is derived from names (3 * batch, n + 1, batch * time, 784 * (n + m)) has a range of
// its own below the names. Plain integers, since nvcc prints class-type template arguments badly.
#pragma once
#include <cstddef>
#include <cstdint>

#include <etna/message/name.hpp>

#include "named_sum.hpp"

namespace etna {
namespace ext {

/// Pack a name; 0 where it is empty, too long (12), or has another letter than a-z 0-9 _.
constexpr extent pack(const char* s, std::size_t n) {
  if (n == 0 || n > 12 || code(s[0]) <= 10) return 0;
  extent r = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (!code(s[i])) return 0;
    r = r * radix + code(s[i]);
  }
  return -r;
}

/// A number of either sign: strides and steps that go backward.
constexpr extent number(extent v) { return v >= 0 ? v : -v < slots[0].a ? -(names_end - v) : invalid; }
constexpr bool is_number(extent e) { return e >= 0 || (-e >= names_end && -e - names_end < slots[0].a); }
constexpr extent number_in(extent e) { return e >= 0 ? e : names_end + e; }

/// The product of two extents; `invalid` where no encoding holds it.
constexpr extent mul(extent a, extent b) {
  if (a >= 0 && b >= 0) return a * b;
  if (a == invalid || b == invalid) return invalid;
  if (a == 1) return b;
  if (b == 1) return a;
  if (a == 0 || b == 0) return 0;
  terms x = split(a), y = split(b), r;
  for (int i = 0; i < x.n; ++i)
    for (int j = 0; j < y.n; ++j) {
      if (x.t[i].degree() + y.t[j].degree() > 3) return invalid;
      r.add(product(x.t[i], y.t[j]));
    }
  return join(r);
}
/// The sum of two extents; `invalid` where no encoding holds it.
constexpr extent add(extent a, extent b) {
  if (a >= 0 && b >= 0) return a + b;
  if (a == invalid || b == invalid) return invalid;
  terms r = split(a), y = split(b);
  for (int i = 0; i < y.n; ++i) r.add(y.t[i]);
  return join(r);
}
/// a / b where that is exact, for a b of one term; otherwise `invalid`.
constexpr extent quotient(extent a, extent b) {
  if (a == invalid || b == invalid || b == 0) return invalid;
  terms x = split(a), y = split(b), r;
  if (y.n != 1) return a == b ? 1 : invalid;
  for (int i = 0; i < x.n; ++i) {
    term t = x.t[i];
    if (t.k % y.t[0].k != 0) return invalid;
    t.k /= y.t[0].k;
    for (int k = 0; k < y.t[0].degree(); ++k) {
      int at = 0;
      while (at < 3 && t.n[at] != y.t[0].n[k]) ++at;
      if (at == 3) return invalid;
      for (; at < 2; ++at) t.n[at] = t.n[at + 1];
      t.n[2] = 0;
    }
    r.add(t);
  }
  return join(r);
}

/// Does `holds(name)` hold for all names in e?
template <class F> constexpr bool all_names(extent e, F holds) {
  terms s = split(e);
  for (int i = 0; i < s.n; ++i)
    for (int k = 0; k < s.t[i].degree(); ++k)
      if (!holds(s.t[i].n[k])) return false;
  return true;
}

constexpr bool is_static(extent e) { return e >= 0; }

/// The name whose size one of this extent tells: a number times it, and a number; 0 where there is none.
constexpr extent name_told(extent e) {
  terms s = split(e);
  return s.n > 0 && s.t[0].degree() == 1 && s.t[1].degree() == 0 ? s.t[0].n[0] : 0;
}

/// Sizes of names, gathered from the arguments of a call.
struct bindings {
  extent name[8]{};
  extent size[8]{};
  int n = 0;
  /// False where the name is bound to another size already.
  constexpr bool bind(extent what, extent to) {
    for (int i = 0; i < n; ++i)
      if (name[i] == what) return size[i] == to;
    if (n < 8) {
      name[n] = what;
      size[n++] = to;
    }
    return true;
  }
  /// Learn from an axis of extent e that is `real` long; false where that cannot be.
  constexpr bool learn(extent e, extent real) {
    if (is_name(e)) return bind(e, real);
    extent name = name_told(e);
    if (name == 0) return bind(e, real);  // it tells no name, but is the same wherever it stands
    terms s = split(e);
    real -= s.t[1].k;
    return real >= 0 && real % s.t[0].k == 0 && bind(name, real / s.t[0].k);
  }
  constexpr extent look(extent what) const {
    for (int i = 0; i < n; ++i)
      if (name[i] == what) return size[i];
    return invalid;
  }
  /// Are all names of e bound?
  constexpr bool knows(extent e) const {
    return all_names(e, [&](extent name) { return look(name) != invalid; });
  }
  constexpr extent operator()(extent e) const {
    if (e >= 0) return e;
    if (is_name(e)) return look(e);
    terms s = split(e);
    extent all = 0;
    for (int i = 0; i < s.n; ++i) {
      extent x = s.t[i].k;
      for (int k = 0; k < s.t[i].degree(); ++k) x *= look(s.t[i].n[k]);
      all += x;
    }
    return all;
  }
};

/// Writes an extent as people read it ("32", "batch", "3*batch"); returns the end.
constexpr char* write_number(char* out, extent v) {
  char digits[24]{};
  int n = 0;
  do {
    digits[n++] = char('0' + v % 10);
    v /= 10;
  } while (v > 0);
  while (n > 0) *out++ = digits[--n];
  return out;
}
constexpr char* write_name(char* out, extent e) {
  char text[16]{};
  int n = 0;
  for (extent v = -e; v > 0; v /= radix) text[n++] = letters[v % radix - 1];
  while (n > 0) *out++ = text[--n];
  return out;
}
constexpr char* write(char* out, extent e) {
  if (e >= 0) return write_number(out, e);
  terms s = split(e);
  for (int i = 0; i < s.n; ++i) {
    term t = s.t[i];
    if (i > 0) *out++ = '+';
    if (t.k < 0) {
      *out++ = '-';
      t.k = -t.k;
    }
    if (t.k != 1 || t.degree() == 0) out = write_number(out, t.k);
    for (int k = 0; k < t.degree(); ++k) {
      if (k > 0 || t.k != 1) *out++ = '*';
      out = write_name(out, t.n[k]);
    }
  }
  return out;
}

}  // namespace ext

inline namespace literals {
/// A named extent: `array<float, "batch"_n, 784>`. Up to 12 of a-z, 0-9 and _, a letter first.
consteval extent operator""_n(const char* s, std::size_t n) {
  extent e = ext::pack(s, n);
  if (e == 0) message::E011_a_name_has_1_to_12_of_a_to_z_0_to_9_and_underscore_a_letter_first();
  return e;
}
}  // namespace literals

}  // namespace etna
