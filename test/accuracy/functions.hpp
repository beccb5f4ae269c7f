// SPDX-License-Identifier: BSD-3-Clause
// The table of elementary functions: names, and what is true of them, by the C library in double, in long double and,
// where a program asks for it (ACCURACY_QUAD), by libquadmath. Nothing of etna is in it: what etna computes is in
// kernels.hpp. Both the tests and bench/accuracy read it. Read next: error.hpp.
#pragma once
#include <array>
#include <cmath>
#include <string_view>
#include <tuple>
#include <utility>
#if defined(ACCURACY_QUAD)
#include <quadmath.h>
#endif

namespace accuracy {

/// What is asked of results: at most 2 ulp; also the very number where the truth is a number of the type; or as IEEE
/// 754 rounds it, bit by bit.
enum class law { two_ulp, exact, rounded };

/// How arguments are chosen, beside edges and bits by chance: x evenly in a range (unary), or pairs for pow, for what
/// depends on a ratio, and for what depends on a difference.
enum class choice { range, powers, ratios, differences };

struct function {
  std::string_view name;
  int operands;
  accuracy::law law = law::two_ulp;
  double low = 0, high = 0;  // of what is chosen evenly
  choice pairs = choice::range;
  bool any_zero = false;  // a zero may have any sign
  bool cancels = false;   // near 0 the truth needs digits of its own
};

namespace truth {
using std::acos, std::acosh, std::asin, std::asinh, std::atan, std::atan2, std::atanh, std::cbrt, std::ceil;
using std::copysign, std::cos, std::cosh, std::erf, std::erfc, std::exp, std::exp2, std::expm1, std::floor;
using std::fmod, std::hypot, std::log, std::log10, std::log1p, std::log2, std::nearbyint, std::pow, std::sin;
using std::sinh, std::sqrt, std::tan, std::tanh, std::trunc;
#if defined(ACCURACY_QUAD)
using quad = __float128;
inline quad acos(quad x) { return acosq(x); }
inline quad acosh(quad x) { return acoshq(x); }
inline quad asin(quad x) { return asinq(x); }
inline quad asinh(quad x) { return asinhq(x); }
inline quad atan(quad x) { return atanq(x); }
inline quad atan2(quad y, quad x) { return atan2q(y, x); }
inline quad atanh(quad x) { return atanhq(x); }
inline quad cbrt(quad x) { return cbrtq(x); }
inline quad ceil(quad x) { return ceilq(x); }
inline quad copysign(quad x, quad y) { return copysignq(x, y); }
inline quad cos(quad x) { return cosq(x); }
inline quad cosh(quad x) { return coshq(x); }
inline quad erf(quad x) { return erfq(x); }
inline quad erfc(quad x) { return erfcq(x); }
inline quad exp(quad x) { return expq(x); }
inline quad exp2(quad x) { return exp2q(x); }
inline quad expm1(quad x) { return expm1q(x); }
inline quad floor(quad x) { return floorq(x); }
inline quad fmod(quad x, quad y) { return fmodq(x, y); }
inline quad hypot(quad x, quad y) { return hypotq(x, y); }
inline quad log(quad x) { return logq(x); }
inline quad log10(quad x) { return log10q(x); }
inline quad log1p(quad x) { return log1pq(x); }
inline quad log2(quad x) { return log2q(x); }
inline quad nearbyint(quad x) { return nearbyintq(x); }
inline quad pow(quad x, quad y) { return powq(x, y); }
inline quad sin(quad x) { return sinq(x); }
inline quad sinh(quad x) { return sinhq(x); }
inline quad sqrt(quad x) { return sqrtq(x); }
inline quad tan(quad x) { return tanq(x); }
inline quad tanh(quad x) { return tanhq(x); }
inline quad trunc(quad x) { return truncq(x); }
#endif

template <class R> R magnitude(R x) { return x < 0 ? -x : x; }
/// sin(pi x) / (pi x); whole numbers are taken off x first, without an error.
template <class R> R sinc(R x) {
  if (x == 0) return 1;
  R n = nearbyint(x), pi = atan(R(1)) * 4, s = sin(pi * (x - n));
  return (fmod(n, R(2)) == 0 ? s : -s) / (pi * x);
}
template <class R> R softplus(R x) { return (x > 0 ? x : 0) + log1p(exp(-magnitude(x))); }
template <class R> R logaddexp(R x, R y) {
  if (x == y) return x + log(R(2));
  return (x > y ? x : y) + log1p(exp(-magnitude(x - y)));
}
/// With the divisor's sign, as Python has it.
template <class R> R remainder(R x, R y) {
  R r = fmod(x, y);
  if (r == 0) return copysign(r, y);
  return (r < 0) != (y < 0) ? r + y : r;
}
}  // namespace truth

template <class F> struct definition : function {
  F value;
};
template <class F> constexpr definition<F> define(function f, F value) { return {f, value}; }

inline constexpr auto definitions = std::tuple{
    define({"exp", 1, law::two_ulp, -746, 711}, [](auto x) { return truth::exp(x); }),
    define({"exp2", 1, law::exact, -1076, 1025}, [](auto x) { return truth::exp2(x); }),
    define({"expm1", 1, law::two_ulp, -40, 711}, [](auto x) { return truth::expm1(x); }),
    define({"log", 1, law::two_ulp, 0.3, 3}, [](auto x) { return truth::log(x); }),
    define({"log2", 1, law::exact, 0.3, 3}, [](auto x) { return truth::log2(x); }),
    define({"log10", 1, law::exact, 0.3, 3}, [](auto x) { return truth::log10(x); }),
    define({"log1p", 1, law::two_ulp, -1, 3}, [](auto x) { return truth::log1p(x); }),
    define({"pow", 2, law::exact, -1100, 1100, choice::powers}, [](auto x, auto y) { return truth::pow(x, y); }),
    define({"sqrt", 1, law::rounded, 0, 10}, [](auto x) { return truth::sqrt(x); }),
    define({"rsqrt", 1, law::two_ulp, 0, 10}, [](auto x) { return 1 / truth::sqrt(x); }),
    define({"cbrt", 1, law::exact, -30, 30}, [](auto x) { return truth::cbrt(x); }),
    define({"hypot", 2, law::two_ulp, -60, 60, choice::ratios}, [](auto x, auto y) { return truth::hypot(x, y); }),
    define({"sin", 1, law::two_ulp, -100, 100}, [](auto x) { return truth::sin(x); }),
    define({"cos", 1, law::two_ulp, -100, 100}, [](auto x) { return truth::cos(x); }),
    define({"tan", 1, law::two_ulp, -100, 100}, [](auto x) { return truth::tan(x); }),
    define({"asin", 1, law::two_ulp, -1, 1}, [](auto x) { return truth::asin(x); }),
    define({"acos", 1, law::two_ulp, -1, 1}, [](auto x) { return truth::acos(x); }),
    define({"atan", 1, law::two_ulp, -20, 20}, [](auto x) { return truth::atan(x); }),
    define({"atan2", 2, law::two_ulp, -60, 60, choice::ratios}, [](auto y, auto x) { return truth::atan2(y, x); }),
    define({"sinh", 1, law::two_ulp, -711, 711}, [](auto x) { return truth::sinh(x); }),
    define({"cosh", 1, law::two_ulp, -711, 711}, [](auto x) { return truth::cosh(x); }),
    define({"tanh", 1, law::two_ulp, -20, 20}, [](auto x) { return truth::tanh(x); }),
    define({"asinh", 1, law::two_ulp, -10, 10}, [](auto x) { return truth::asinh(x); }),
    define({"acosh", 1, law::two_ulp, 1, 4}, [](auto x) { return truth::acosh(x); }),
    define({"atanh", 1, law::two_ulp, -1, 1}, [](auto x) { return truth::atanh(x); }),
    define({"erf", 1, law::two_ulp, -7, 7}, [](auto x) { return truth::erf(x); }),
    define({"erfc", 1, law::two_ulp, -7, 28}, [](auto x) { return truth::erfc(x); }),
    define({"logistic", 1, law::two_ulp, -746, 40}, [](auto x) { return 1 / (1 + truth::exp(-x)); }),
    define({"log_sigmoid", 1, law::two_ulp, -40, 746}, [](auto x) { return -truth::softplus(-x); }),
    define({"softplus", 1, law::two_ulp, -746, 40}, [](auto x) { return truth::softplus(x); }),
    define({"logaddexp", 2, law::two_ulp, -40, 40, choice::differences, true, true},
           [](auto x, auto y) { return truth::logaddexp(x, y); }),
    define({"sinc", 1, law::two_ulp, -10, 10, choice::range, true}, [](auto x) { return truth::sinc(x); }),
    define({"floor", 1, law::rounded, -10, 10}, [](auto x) { return truth::floor(x); }),
    define({"ceil", 1, law::rounded, -10, 10}, [](auto x) { return truth::ceil(x); }),
    define({"trunc", 1, law::rounded, -10, 10}, [](auto x) { return truth::trunc(x); }),
    define({"round", 1, law::rounded, -10, 10}, [](auto x) { return truth::nearbyint(x); }),
    define({"fmod", 2, law::rounded, -60, 60, choice::ratios}, [](auto x, auto y) { return truth::fmod(x, y); }),
    define({"remainder", 2, law::two_ulp, -60, 60, choice::ratios},
           [](auto x, auto y) { return truth::remainder(x, y); }),
    define({"negation", 1, law::rounded, -10, 10}, [](auto x) { return -x; }),
    define({"add", 2, law::rounded, -60, 60, choice::ratios}, [](auto x, auto y) { return x + y; }),
    define({"sub", 2, law::rounded, -60, 60, choice::ratios}, [](auto x, auto y) { return x - y; }),
    define({"mul", 2, law::rounded, -60, 60, choice::ratios}, [](auto x, auto y) { return x * y; }),
    define({"div", 2, law::rounded, -60, 60, choice::ratios}, [](auto x, auto y) { return x / y; }),
};
inline constexpr std::size_t count = std::tuple_size_v<decltype(definitions)>;

inline constexpr auto functions =
    std::apply([](auto const&... f) { return std::array{static_cast<function const&>(f)...}; }, definitions);

template <class F, class R> R value(R x, R y) {
  if constexpr (std::is_invocable_v<F, R, R>) return F{}(x, y);
  else return F{}(x);
}
/// The functions' values in R: float, double, long double or __float128. An operand that is not there is ignored.
template <class R> constexpr auto values() {
  return std::apply([](auto const&... f) { return std::array<R (*)(R, R), count>{value<decltype(f.value), R>...}; },
                    definitions);
}

}  // namespace accuracy
