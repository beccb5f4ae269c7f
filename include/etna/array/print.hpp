// SPDX-License-Identifier: BSD-3-Clause
// Arrays as text, as NumPy prints them: one format for all elements, eight digits, columns aligned,
// long arrays summarised.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ostream>
#include <string>
#include <vector>

#include "array.hpp"

namespace etna {
namespace detail {

/// Digits behind the point that all of these need, at most eight.
struct number_format {
  bool scientific = false;
  int digits = 0;
  int exponent = 2;
};
inline std::string shortest(double v, bool single, bool scientific) {
  char s[64];
  for (int p = 0; p <= 17; ++p) {
    std::snprintf(s, sizeof s, scientific ? "%.*e" : "%.*f", p, v);
    if (single ? float(std::strtod(s, nullptr)) == float(v) : std::strtod(s, nullptr) == v) break;
  }
  return s;
}
inline int digits_of(std::string const& s) {
  auto dot = s.find('.');
  if (dot == std::string::npos) return 0;
  auto end = s.find('e') == std::string::npos ? s.size() : s.find('e');
  while (end > dot + 1 && s[end - 1] == '0') --end;
  return int(end - dot - 1);
}
inline std::string number_text(double v, number_format const& f) {
  if (v != v) return "nan";
  if (std::isinf(v)) return v > 0 ? "inf" : "-inf";
  char s[512];
  std::snprintf(s, sizeof s, f.scientific ? "%.*e" : "%.*f", f.digits, v);
  std::string t = s;
  if (f.digits == 0) {
    auto e = t.find('e');
    t.insert(e == std::string::npos ? t.size() : e, ".");
  } else if (!f.scientific) {  // NumPy pads with spaces where a number needs fewer digits
    std::size_t n = t.size();
    while (t[n - 1] == '0') t[--n] = ' ';
  }
  return t;
}

}  // namespace detail

/// The array as NumPy's str() gives it.
template <any_array A> std::string to_string(A const& x) {
  using T = typename A::value_type;
  auto shape = x.shape();
  int r = A::rank;
  extent total = 1;
  for (extent e : shape) total *= e;
  bool summary = total > 1000;
  T const* p = x.data();
  // the offsets that are shown
  auto shown = [&](extent n, auto&& each) {
    for (extent i = 0; i < n; ++i) {
      if (summary && n > 6 && i == 3) { each(extent(-1)); i = n - 3; }
      each(i);
    }
  };
  std::vector<double> values;
  auto collect = [&](auto& self, int axis, extent at) -> void {
    if (axis == r) { values.push_back(double(p[at])); return; }
    shown(shape[std::size_t(axis)], [&](extent i) { if (i >= 0) self(self, axis + 1, at * shape[std::size_t(axis)] + i); });
  };
  if (total > 0) collect(collect, 0, 0);
  detail::number_format f;
  constexpr bool floating = std::is_floating_point_v<T>, single = std::is_same_v<T, float>;
  if (floating) {
    double most = 0, least = 0;
    for (double v : values)
      if (v == v && !std::isinf(v) && v != 0) {
        most = std::max(most, std::abs(v));
        least = least == 0 ? std::abs(v) : std::min(least, std::abs(v));
      }
    f.scientific = most >= 1e8 * (single ? 1 : 1e8) || (most > 0 && r > 0 && (most >= 1e8 || least < 1e-4 || most / least > 1000));
    if (r == 0) f.scientific = most >= 1e16 || (most > 0 && least < 1e-4);
    for (double v : values)
      if (v == v && !std::isinf(v)) {
        int d = detail::digits_of(detail::shortest(v, single, f.scientific));
        int limit = r == 0 ? 17 : 8;
        f.digits = std::max(f.digits, std::min(d, limit));
      }
    if (r == 0 && f.digits == 0 && !f.scientific) f.digits = 1;
  }
  auto text_of = [&](double v) -> std::string {
    if (std::is_same_v<T, bool>) return v != 0 ? "True" : "False";
    if (!floating) return std::to_string((long long)v);
    return detail::number_text(v, f);
  };
  std::size_t width = 0;
  for (double v : values) width = std::max(width, text_of(v).size());
  if (r == 0) return text_of(values[0]);
  if (total == 0) return "[]";
  std::string out;
  auto print = [&](auto& self, int axis, extent at) -> void {
    out += '[';
    bool first = true;
    shown(shape[std::size_t(axis)], [&](extent i) {
      if (!first) {
        if (axis == r - 1) out += ' ';
        else out += std::string(std::size_t(r - 1 - axis), '\n') + std::string(std::size_t(axis + 1), ' ');
      }
      first = false;
      if (i < 0) { out += "..."; return; }
      if (axis == r - 1) {
        std::string t = text_of(double(p[at * shape[std::size_t(axis)] + i]));
        out += std::string(width - t.size(), ' ') + t;
      } else self(self, axis + 1, at * shape[std::size_t(axis)] + i);
    });
    out += ']';
  };
  print(print, 0, 0);
  return out;
}
template <any_array A> std::ostream& operator<<(std::ostream& o, A const& x) { return o << to_string(x); }

/// Are all elements equal within atol + rtol |b|? NaN equals nothing.
///
/// source  NumPy allclose
template <any_array A, any_array B> bool allclose(A const& a, B const& b, double rtol = 1e-5, double atol = 1e-8) {
  if (a.size() != b.size()) return false;
  for (extent i = 0; i < a.size(); ++i) {
    double x = double(a.data()[i]), y = double(b.data()[i]);
    if (!(x == y || std::abs(x - y) <= atol + rtol * std::abs(y))) return false;
  }
  return true;
}

}  // namespace etna
