// SPDX-License-Identifier: BSD-3-Clause
// Arrays as text, as NumPy prints them: one format for all elements, eight digits, columns aligned,
// lines of 75 characters, long arrays summarised. Read next: print.hpp.
#pragma once
#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "array.hpp"

namespace etna {
namespace detail {

/// The fewest digits behind the point, up to `most`, that tell v from its neighbours.
template <class T> std::string shortest(T v, bool scientific, int most) {
  char s[400];
  auto tells_v = [&] {
    if constexpr (std::is_same_v<T, float>) return std::strtof(s, nullptr) == v;
    else return T(std::strtod(s, nullptr)) == v;
  };
  for (int p = 0; p <= most; ++p) {
    std::snprintf(s, sizeof s, scientific ? "%.*e" : "%.*f", p, double(v));
    if (tells_v()) break;
    // A power of two is nearer to its neighbour below: the next number above may tell it where the nearest does not.
    char& last = s[std::strcspn(s, "e") - 1];
    if (last < '0' || last == '9') continue;
    ++last;
    if (tells_v()) break;
    --last;
  }
  std::string t = s;  // most digits may end in zeros
  std::size_t e = std::min(t.find('e'), t.size()), n = e;
  if (t.find('.') == std::string::npos) return t.insert(e, 1, '.');
  while (t[n - 1] == '0') --n;
  return t.erase(n, e - n);
}

/// From here on NumPy writes numbers by powers of ten, in arrays and alone: floats have no more digits than these.
template <class T> inline constexpr double large = std::is_same_v<T, float16> ? 1e3
                                                   : std::is_same_v<T, float> ? 1e6
                                                                              : 1e8;
template <class T> inline constexpr double large_alone = std::is_same_v<T, double> ? 1e16 : large<T>;

/// How NumPy writes the elements of one array: characters before and behind the point.
template <class T> struct format_of {
  bool scientific = false;
  std::size_t before = 0, behind = 0, width = 0;

  explicit format_of(std::vector<T> const& values) {
    T most = 0, least = 0;  // NumPy compares, and divides, in the array's own type
    for (T v : values)
      if (std::isfinite(v) && v != 0) {
        T a = T(std::abs(v));
        least = least == 0 ? a : std::min(least, a);
        most = std::max(most, a);
      }
    scientific = most >= large<T> || (most > 0 && (least < T(1e-4) || T(most / least) > 1000));
    for (T v : values)
      if (std::isfinite(v)) {
        std::string t = shortest(v, scientific, 8);
        std::size_t dot = t.find('.'), e = std::min(t.find('e'), t.size());
        before = std::max(before, dot);
        behind = std::max(behind, e - dot - 1);
      }
    for (T v : values) width = std::max(width, text(v).size());
  }
  std::string text(T v) const {
    if (v != v) return "nan";
    if (std::isinf(v)) return v > 0 ? "inf" : "-inf";
    std::string t = shortest(v, scientific, 8);
    std::size_t dot = t.find('.'), e = std::min(t.find('e'), t.size());
    return t.insert(e, behind - (e - dot - 1), scientific ? '0' : ' ');
  }
};
template <class T> requires std::is_integral_v<T>
struct format_of<T> {
  std::size_t width = std::is_same_v<T, bool> ? 5 : 0;
  explicit format_of(std::vector<T> const& values) {
    for (T v : values) width = std::max(width, text(v).size());
  }
  static std::string text(T v) {
    if constexpr (std::is_same_v<T, bool>) return v ? "True" : "False";
    else return std::to_string(v);
  }
};
/// As ml_dtypes has it: each number as C++ writes a float, in columns that are not aligned.
template <> struct format_of<bfloat16> {
  static constexpr std::size_t width = 0;
  explicit format_of(std::vector<bfloat16> const&) {}
  static std::string text(bfloat16 v) {
    char s[32];
    std::snprintf(s, sizeof s, "%g", double(v));
    return v != v ? "nan" : s;
  }
};
/// A number alone: all digits that it needs.
template <class T> std::string scalar_text(T v) {
  if constexpr (std::is_integral_v<T> || std::is_same_v<T, bfloat16>) return format_of<T>::text(v);
  else {
    double a = std::abs(double(v));
    if (!std::isfinite(v)) return format_of<T>({v}).text(v);
    bool scientific = a != 0 && (a >= large_alone<T> || a < 1e-4);
    std::string t = shortest(v, scientific, 24);
    if (!scientific) return t.back() == '.' ? t + '0' : t;
    std::size_t dot = t.find('.');
    return t[dot + 1] == 'e' ? t.erase(dot, 1) : t;
  }
}

/// Writes nested brackets; of a long axis the first and last three elements.
template <class T> struct printer {
  static constexpr std::size_t line_width = 75;
  static constexpr extent edge = 3;
  T const* data;
  extent const* shape;
  int rank;
  bool summary;

  /// Each element of an axis that is shown; -1 stands for those left out.
  template <class Each> void shown(extent n, Each&& each) const {
    for (extent i = 0; i < n; ++i) {
      if (summary && n > 2 * edge && i == edge) {
        each(extent(-1));
        i = n - edge;
      }
      each(i);
    }
  }
  void collect(int axis, extent at, std::vector<T>& values) const {
    if (axis == rank) values.push_back(data[at]);
    else
      shown(shape[axis], [&](extent i) {
        if (i >= 0) collect(axis + 1, at * shape[axis] + i, values);
      });
  }
  std::string write(format_of<T> const& f, int axis, extent at) const {
    std::string out, indent(std::size_t(axis + 1), ' '), line = indent;
    std::size_t room = line_width - std::size_t(axis) - 1;
    bool first = true;
    if (axis < rank - 1) {
      shown(shape[axis], [&](extent i) {
        if (!first) out += std::string(std::size_t(rank - 1 - axis), '\n') + indent;
        first = false;
        out += i < 0 ? "..." : write(f, axis + 1, at * shape[axis] + i);
      });
      return '[' + out + ']';
    }
    shown(shape[axis], [&](extent i) {
      std::string word = "...";
      if (i >= 0) {
        word = f.text(data[at * shape[axis] + i]);
        if (word.size() < f.width) word.insert(0, f.width - word.size(), ' ');
      }
      if (!first) line += ' ';
      first = false;
      if (line.size() + word.size() > room && line.size() > indent.size()) {
        out += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
        line = indent;
      }
      line += word;
    });
    return '[' + (out + line).substr(indent.size()) + ']';
  }
};

}  // namespace detail

/// The array as NumPy's str() gives it.
template <element T> std::string to_string(T const* data, extent const* shape, int rank) {
  if (rank == 0) return detail::scalar_text(*data);
  extent total = 1;
  for (int i = 0; i < rank; ++i) total *= shape[i];
  if (total == 0) return "[]";
  detail::printer<T> p{data, shape, rank, total > 1000};
  std::vector<T> values;
  p.collect(0, 0, values);
  return p.write(detail::format_of<T>(values), 0, 0);
}
template <any_array A> std::string to_string(A const& x) {
  auto shape = x.shape();
  return to_string(x.look(), shape.data(), A::rank);
}
/// The same of memory whose element type is known at run time. A template: only who asks has all these.
template <std::same_as<tensor_type> Type> std::string to_string(Type const& t, void const* data) {
  return for_dtype(t.d,
                   [&]<class T>(std::type_identity<T>) { return to_string(static_cast<T const*>(data), t.e, t.rank); });
}

}  // namespace etna
