// SPDX-License-Identifier: BSD-3-Clause
// An extent is one integer: positive is static, a name ("batch"_n) is packed reversibly into a
// negative one, and what is derived from a name (3 * batch, batch + 1, batch * time) has a range of
// its own below the names. Plain integers, since nvcc prints class-type template arguments badly.
#pragma once
#include <cstddef>
#include <cstdint>

#include <etna/message/name.hpp>

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
inline constexpr extent names_end = power(12);     // every name packs below this
inline constexpr extent payload = extent(1) << 55; // room of one kind of derived extent

constexpr int code(char c) {
  for (int i = 0; i < radix - 1; ++i)
    if (letters[i] == c) return i + 1;
  return 0;
}

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

enum class form { fixed, name, times, plus, product, minus };

/// An extent taken apart: `times` is k * name, `plus` is name + k, `product` is name * other. No size, but a
/// stride or a step, is `minus`: the number -k.
struct parts { form f; extent k, name, other; };

constexpr parts split(extent e) {
  if (e >= 0) return {form::fixed, e, 0, 0};
  if (-e < names_end) return {form::name, 0, e, 0};
  extent x = -e - names_end, which = x / payload, rest = x % payload;
  if (which == 3) return {form::minus, rest, 0, 0};
  if (which == 2) return {form::product, 0, -(rest / power(5)), -(rest % power(5))};
  return {which == 0 ? form::times : form::plus, rest / power(6), -(rest % power(6)), 0};
}

constexpr extent derive(form f, extent k, extent name, extent other = 0) {
  if (f == form::product) {
    if (-name >= power(5) || -other >= power(5)) return invalid;
    return -(names_end + 2 * payload + (-name) * power(5) + (-other));
  }
  if (-name >= power(6) || k < 0 || k >= payload / power(6)) return invalid;
  return -(names_end + (f == form::times ? 0 : payload) + k * power(6) + (-name));
}

/// A number of either sign: strides and steps that go backward.
constexpr extent number(extent v) { return v >= 0 ? v : -v < payload ? -(names_end + 3 * payload - v) : invalid; }
constexpr bool is_number(extent e) { return e >= 0 || (e != invalid && split(e).f == form::minus); }
constexpr extent number_in(extent e) { return e >= 0 ? e : -split(e).k; }

/// The product of two extents; `invalid` where no encoding holds it.
constexpr extent mul(extent a, extent b) {
  if (a == invalid || b == invalid) return invalid;
  if (a >= 0 && b >= 0) return a * b;
  if (a == 1) return b;
  if (b == 1) return a;
  if (a == 0 || b == 0) return 0;
  if (is_number(a) && is_number(b)) return number(number_in(a) * number_in(b));
  if (a >= 0) { extent c = a; a = b; b = c; }
  parts p = split(a);
  if (b >= 0) {
    if (p.f == form::name) return derive(form::times, b, a);
    if (p.f == form::times) return derive(form::times, p.k * b, p.name);
    return invalid;
  }
  parts q = split(b);
  if (p.f == form::name && q.f == form::name)
    return a > b ? derive(form::product, 0, a, b) : derive(form::product, 0, b, a);
  return invalid;
}

/// The sum of two extents; `invalid` where no encoding holds it.
constexpr extent add(extent a, extent b) {
  if (a == invalid || b == invalid) return invalid;
  if (a >= 0 && b >= 0) return a + b;
  if (a == 0) return b;
  if (b == 0) return a;
  if (is_number(a) && is_number(b)) return number(number_in(a) + number_in(b));
  if (a >= 0) { extent c = a; a = b; b = c; }
  parts p = split(a);
  if (b >= 0 && p.f == form::name) return derive(form::plus, b, a);
  if (b >= 0 && p.f == form::plus) return derive(form::plus, p.k + b, p.name);
  if (b >= 0) return invalid;
  parts q = split(b);
  if (p.f == form::name) { p = {form::times, 1, a, 0}; }
  if (q.f == form::name) { q = {form::times, 1, b, 0}; }
  if (p.f == form::times && q.f == form::times && p.name == q.name) return derive(form::times, p.k + q.k, p.name);
  return invalid;
}

constexpr bool is_static(extent e) { return e >= 0; }

/// Sizes of names, gathered from the arguments of a call.
struct bindings {
  extent name[8]{};
  extent size[8]{};
  int n = 0;
  /// False where the name is bound to another size already.
  constexpr bool bind(extent what, extent to) {
    for (int i = 0; i < n; ++i)
      if (name[i] == what) return size[i] == to;
    if (n < 8) { name[n] = what; size[n++] = to; }
    return true;
  }
  /// Learn from an axis of extent e that is `real` long; false where that cannot be.
  constexpr bool learn(extent e, extent real) {
    parts p = split(e);
    if (p.f == form::name) return bind(e, real);
    if (p.f == form::times) return real % p.k == 0 && bind(p.name, real / p.k);
    if (p.f == form::plus) return bind(p.name, real - p.k);
    return true;
  }
  constexpr extent look(extent what) const {
    for (int i = 0; i < n; ++i)
      if (name[i] == what) return size[i];
    return invalid;
  }
  /// Are all names of e bound?
  constexpr bool knows(extent e) const {
    parts p = split(e);
    return (p.name == 0 || look(p.name) != invalid) && (p.other == 0 || look(p.other) != invalid);
  }
  constexpr extent operator()(extent e) const {
    parts p = split(e);
    switch (p.f) {
      case form::fixed: return e;
      case form::name: return look(e);
      case form::times: return p.k * look(p.name);
      case form::plus: return p.k + look(p.name);
      case form::minus: return -p.k;
      default: return look(p.name) * look(p.other);
    }
  }
};

/// Writes an extent as people read it ("32", "batch", "3*batch"); returns the end.
constexpr char* write_number(char* out, extent v) {
  char digits[24]{};
  int n = 0;
  do { digits[n++] = char('0' + v % 10); v /= 10; } while (v > 0);
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
  parts p = split(e);
  switch (p.f) {
    case form::fixed: return write_number(out, e);
    case form::name: return write_name(out, e);
    case form::times: out = write_number(out, p.k); *out++ = '*'; return write_name(out, p.name);
    case form::minus: *out++ = '-'; return write_number(out, p.k);
    case form::plus: out = write_name(out, p.name); *out++ = '+'; return write_number(out, p.k);
    default: out = write_name(out, p.name); *out++ = '*'; return write_name(out, p.other);
  }
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
