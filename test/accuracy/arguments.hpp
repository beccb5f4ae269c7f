// SPDX-License-Identifier: BSD-3-Clause
// Arguments of elementary functions: edges, which are the same for all, and what is chosen by number, so that any
// thread can make any of them. Read next: kernels.hpp.
#pragma once
#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <vector>

#include "error.hpp"
#include "functions.hpp"

namespace accuracy {

template <class T> struct pair {
  T x, y;
};

/// The number `steps` numbers above x > 0.
template <class T> T beside(T x, int steps) { return std::bit_cast<T>(bits_of<T>(bits(x) + bits_of<T>(steps))); }

/// Where functions turn, end or begin: of f32 and of f64, for neighbours are added in T.
inline constexpr long double turns[] = {
    // the ends of exp, expm1, sinh and cosh, logistic: logarithms of the largest, least normal and least numbers
    88.722839111673L, 89.41598629223294L, 87.33654475055311L, 103.27892990343185L, 103.97207708399179L,
    16.635532333438686L, 17.328679513998633L, 709.782712893384L, 710.4758600739439L, 708.3964185322641L,
    744.4400719213812L, 745.1332191019411L, 36.04365338911715L, 36.7368005696771L, 37.42994775023705L, 512, 1024,
    // of exp2
    126, 127, 128, 149, 150, 151, 1022, 1023, 1074, 1075, 1076,
    // where tanh, erf and logistic are 1, and erfc ends
    9.010913347279289L, 10.05L, 10.06L, 3.919L, 3.92L, 4, 5.863584748755167L, 5.92L, 6, 9.194549L, 19.06154746539849L,
    22, 26.54325845425098L, 27.22601711110837L, 27.3L, 28,
    // where implementations change polynomials
    0.25L, 0.26703679513998633L, 0.34657359027997264L, 0.4142135623730950488L, 0.4375L, 0.46875L, 0.5L,
    0.5493061443340549L, 0.61361038541995896L, 0.625L, 0.6625L, 0.6875L, 0.6931471805599453094L, 0.7071067811865475244L,
    0.75L, 0.84375L, 0.9375L, 0.99L, 1.0397207708399179L, 1.1875L, 1.25L, 1.4142135623730950488L, 1.5L, 2, 2.4375L,
    2.718281828459045L, 2.857142857142857L, 3, 8, 9, 10,
    // powers
    27, 64, 100, 125, 1000, 10000, 1e5L, 1e6L, 1e7L, 1e8L, 1e9L, 1e10L, 1e15L, 1e16L, 1e20L, 1e22L, 1e30L, 1e38L,
    1e100L, 1e154L, 1e155L, 1e200L, 1e300L, 1e-5L, 1e-8L, 1e-10L, 1e-20L, 1e-38L, 1e-40L, 1e-100L, 1e-160L, 1e-300L,
    1e-310L, 1e-320L};

/// Doubles and floats that are nearest to multiples of pi / 2, the first of all that bench/accuracy/hard.py finds.
inline constexpr double nearest_multiples[] = {0x1.6ac5b262ca1ffp+849 /* 6381956970095103 2^797 */,
                                               0x1.6c6cbc45dc8dep+5,
                                               0x1.b951f1572eba5p+23,
                                               0x1.504cac51f1eafp+131,
                                               0x1.e009c53148be1p+991,
                                               0x1.4c96c11134d36p+577,
                                               0x1.f37c8ap+95,
                                               0x1.47d0fep+34,
                                               0x1.f9cbe2p+7,
                                               0x1.32ede2p+85};

/// Edges, positive, each once; those of two operands, and of sweeps over places, are fewer.
template <class T> std::vector<T> edges(bool few = false) {
  using limits = std::numeric_limits<T>;
  std::vector<T> e{0, limits::infinity(), limits::quiet_NaN(), limits::max()};
  auto around = [&](long double v, int reach) {
    T x = T(v);
    if (!(x > 0) || std::isinf(x)) return;
    for (int k = -reach; k <= reach; ++k)
      if (bits(x) + bits_of<T>(k) < bits(limits::infinity())) e.push_back(beside(x, k));
  };
  for (int n = limits::min_exponent - limits::digits; n < limits::max_exponent; n += few ? 29 : 1)
    around(std::ldexp(1.0L, n), few ? 1 : 2);
  around(limits::min(), 3);
  around(1, few ? 3 : 40);
  around(limits::max(), 3);
  for (int k = 1; k <= (few ? 5 : 200); ++k) around(k / 2.0L, 1);
  for (long double v : turns) around(v, few ? 0 : 3);
  long double const pi = std::acos(-1.0L);
  for (int k = 1; k <= (few ? 4 : 256); ++k) around(k * pi / 4, few ? 0 : 2);
  for (int n = 0; n < limits::max_exponent; n += few ? 60 : 1) around(std::ldexp(pi, n), few ? 0 : 1);
  for (double v : nearest_multiples) around(v, 1);
  std::sort(e.begin(), e.end(), [](T a, T b) { return bits(a) < bits(b); });
  e.erase(std::unique(e.begin(), e.end(), [](T a, T b) { return bits(a) == bits(b); }), e.end());
  return e;
}

/// Bits of their own for each number (splitmix64).
struct chance {
  std::uint64_t state;
  std::uint64_t operator()() {
    std::uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  /// In [low, high).
  double even(double low, double high) { return low + (high - low) * (double((*this)() >> 11) * 0x1p-53); }
  bool coin() { return ((*this)() >> 40 & 1) != 0; }
  int below(int n) { return int(((*this)() >> 32) % std::uint64_t(n)); }
};

/// Every exponent in turn, any mantissa, any sign.
template <class T> T any(chance& c, std::uint64_t number) {
  constexpr int places = std::numeric_limits<T>::digits - 1, exponents = sizeof(T) == 4 ? 255 : 2047;
  constexpr bits_of<T> one = 1;
  bits_of<T> b = bits_of<T>(c()) & ((one << places) - 1);
  if (c.below(16) == 0) b &= b << 8 & b << 16;  // few of them are set
  return std::bit_cast<T>(
      bits_of<T>(b | bits_of<T>(number % exponents) << places | bits_of<T>(c.coin()) << (8 * sizeof(T) - 1)));
}
/// Beside a multiple of pi / 2, of any size up to 2^62.
template <class T> T multiple(chance& c) {
  std::uint64_t n = (c() | 1u << 31) >> c.below(64);
  T x = T((long double)(n) * (std::acos(-1.0L) / 2));
  x = n == 0 ? x : beside(x, c.below(5) - 2);
  return c.coin() ? x : -x;
}
template <class T> T argument(function const& f, std::uint64_t number) {
  chance c{number * 0x632be59bd9b4e019u + 1};
  switch (number % 8) {
    case 0: return multiple<T>(c);
    case 1:
    case 2:
    case 3: return any<T>(c, number / 8);
    case 4: {  // small ones, and beside the middle and the ends
      double const from[] = {0, 1, -1, f.low, f.high};
      return T(from[c.below(5)] + (c.coin() ? 1 : -1) * std::exp2(c.even(-60, 0)));
    }
    default: return T(c.even(f.low, f.high));
  }
}

// Powers: their logarithm by chance, near 1, of numbers with few digits, and of negative ones.
template <class T> pair<T> power_operands(chance& c, std::uint64_t number) {
  double const reach = sizeof(T) == 4 ? 152 : 1080;
  auto to_reach = [&](T x) {  // y for which x^y is any number
    double l = std::log2(std::abs(double(x)));
    return T(l == 0 ? c.even(-reach, reach) : c.even(-reach, reach) / l);
  };
  T x, y;
  switch (number % 6) {
    case 0: x = std::abs(any<T>(c, number / 6)), y = to_reach(x); break;
    case 1:
      x = T(1 + (c.coin() ? 1 : -1) * std::exp2(c.even(1 - std::numeric_limits<T>::digits, -1))), y = to_reach(x);
      break;
    case 2: x = T(c.even(0, 4)), y = T(c.even(-64, 64)); break;
    case 3: x = T(c.below(201) - 100), y = T(c.below(129) - 40); break;
    case 4:
      x = T((2 * c.below(1 << 20) + 1) >> c.below(20)) * (c.coin() ? -1 : 1),
      y = T(c.below(40) - 8) / (c.coin() ? 1 : 2);
      break;
    default: x = -std::abs(T(c.even(0, 4))), y = std::nearbyint(to_reach(x) / (c.coin() ? 1 : 4)); break;
  }
  return {x, y};
}
// Of any size, and beside each other, in a ratio of up to 2^60; whole numbers too.
template <class T> pair<T> ratio_operands(chance& c, std::uint64_t number) {
  T x = any<T>(c, number / 4);
  switch (number % 4) {
    case 0: return {x, any<T>(c, std::uint64_t(c() >> 32))};
    case 1: return {x, T(x * (c.coin() ? 1 : -1) * T(std::exp2(c.even(-60, 60))))};
    case 2: {
      T near = T(x * (1 + T(std::exp2(c.even(-50, 0)))));
      return c.coin() ? pair<T>{x, near} : pair<T>{near, -x};
    }
    default: return {T(c.below(2001) - 1000) / T(1 << c.below(4)), T(c.below(2001) - 1000) / T(1 << c.below(4))};
  }
}
// Their difference decides; and where their sum is nearly 1, the logarithm is nearly 0.
template <class T> pair<T> difference_operands(chance& c, std::uint64_t number) {
  T x = T(c.even(-800, 800));
  switch (number % 4) {
    case 0: return {any<T>(c, number / 4), any<T>(c, std::uint64_t(c() >> 32))};
    case 1: return {x, T(x + T(c.even(-40, 40)))};
    case 2: return {T(c.even(-20, 20)), T(c.even(-20, 20))};
    default: {
      double a = c.even(-30, 0), near = std::log1p(-std::exp(a));
      return {T(a), T(near + near * (c.coin() ? 1 : -1) * std::exp2(c.even(-54, 0)))};
    }
  }
}
template <class T> pair<T> arguments(function const& f, std::uint64_t number) {
  chance c{number * 0x632be59bd9b4e019u + 1};
  switch (f.pairs) {
    case choice::range: return {argument<T>(f, number), 0};
    case choice::powers: return power_operands<T>(c, number);
    case choice::ratios: return ratio_operands<T>(c, number);
    default: return difference_operands<T>(c, number);
  }
}

/// Edges with both signs; of two operands each with each.
template <class T> std::vector<pair<T>> listed(int operands) {
  std::vector<T> with_sign;
  for (T x : edges<T>(operands > 1)) with_sign.insert(with_sign.end(), {x, -x});
  std::vector<pair<T>> to;
  for (T x : with_sign) {
    if (operands == 1) to.push_back({x, 0});
    else
      for (T y : with_sign) to.push_back({x, y});
  }
  return to;
}

}  // namespace accuracy
