// SPDX-License-Identifier: BSD-3-Clause
// Rows: exponentials, logarithms, circular and hyperbolic functions, erf. Floating element types.
#pragma once
#include <etna/math/functions.hpp>

#include "family.hpp"

namespace etna::ops {

struct exp_p : real_function<1> {
  static constexpr auto name = "exp";
  static constexpr int flops = 10;
  static constexpr auto jvp = per_operand{[](var t, eqn e) { return scale(t, e.out()); }};
  static constexpr auto transpose = absent{"not linear"};
  static constexpr auto reference = [](double x) { return std::exp(x); };
  template <class T> ETNA_FN static T lower(T x) { return math::exp(x); }
};

struct expm1_p : real_function<1> {
  static constexpr auto name = "expm1";
  static constexpr int flops = 10;
  static constexpr auto jvp = per_operand{[](var t, eqn e) { return scale(t, e.out() + full_like(t, 1)); }};
  static constexpr auto transpose = absent{"not linear"};
  static constexpr auto reference = [](double x) { return std::expm1(x); };
  template <class T> ETNA_FN static T lower(T x) { return math::expm1(x); }
};

struct log_p : real_function<1> {
  static constexpr auto name = "log";
  static constexpr auto domain = positive;
  static constexpr int flops = 10;
  static constexpr auto jvp = per_operand{[](var t, eqn e) { return scale(t, full_like(t, 1) / e[0]); }};
  static constexpr auto transpose = absent{"not linear"};
  static constexpr auto reference = [](double x) { return std::log(x); };
  template <class T> ETNA_FN static T lower(T x) { return math::log(x); }
};

struct log1p_p : real_function<1> {
  static constexpr auto name = "log1p";
  static constexpr auto domain = unit;
  static constexpr int flops = 12;
  static constexpr auto jvp =
      per_operand{[](var t, eqn e) { return scale(t, full_like(t, 1) / (e[0] + full_like(t, 1))); }};
  static constexpr auto transpose = absent{"not linear"};
  static constexpr auto reference = [](double x) { return std::log1p(x); };
  template <class T> ETNA_FN static T lower(T x) { return math::log1p(x); }
};

struct sin_p : real_function<1> {
  static constexpr auto name = "sin";
  static constexpr int flops = 15;
  static constexpr auto jvp = per_operand{[](var t, eqn e) { return scale(t, apply<cos_p>(e[0])); }};
  static constexpr auto transpose = absent{"not linear"};
  static constexpr auto reference = [](double x) { return std::sin(x); };
  template <class T> ETNA_FN static T lower(T x) { return math::sin(x); }
};

struct cos_p : real_function<1> {
  static constexpr auto name = "cos";
  static constexpr int flops = 15;
  static constexpr auto jvp = per_operand{[](var t, eqn e) { return scale(t, -apply<sin_p>(e[0])); }};
  static constexpr auto transpose = absent{"not linear"};
  static constexpr auto reference = [](double x) { return std::cos(x); };
  template <class T> ETNA_FN static T lower(T x) { return math::cos(x); }
};

struct tanh_p : real_function<1> {
  static constexpr auto name = "tanh";
  static constexpr int flops = 15;
  static constexpr auto jvp = per_operand{[](var t, eqn e) { return scale(t, full_like(t, 1) - e.out() * e.out()); }};
  static constexpr auto transpose = absent{"not linear"};
  static constexpr auto reference = [](double x) { return std::tanh(x); };
  template <class T> ETNA_FN static T lower(T x) { return math::tanh(x); }
};

struct logistic_p : real_function<1> {
  static constexpr auto name = "logistic";
  static constexpr int flops = 12;
  static constexpr auto jvp = per_operand{[](var t, eqn e) { return scale(t, e.out() * (full_like(t, 1) - e.out())); }};
  static constexpr auto transpose = absent{"not linear"};
  static constexpr auto reference = [](double x) {
    return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x));
  };
  template <class T> ETNA_FN static T lower(T x) { return math::logistic(x); }
};

// The derivative is 2 / sqrt(pi) exp(-x^2).
struct erf_p : real_function<1> {
  static constexpr auto name = "erf";
  static constexpr int flops = 25;
  static constexpr auto jvp = per_operand{
      [](var t, eqn e) { return scale(t, full_like(t, 1.1283791670955126) * apply<exp_p>(-(e[0] * e[0]))); }};
  static constexpr auto transpose = absent{"not linear"};
  static constexpr auto reference = [](double x) { return std::erf(x); };
  template <class T> ETNA_FN static T lower(T x) { return math::erf(x); }
};

// The derivative is log(2) 2^x.
struct exp2_p : real_function<1> {
  static constexpr auto name = "exp2";
  static constexpr int flops = 10;
  static constexpr auto jvp =
      per_operand{[](var t, eqn e) { return scale(t, full_like(t, 0.6931471805599453) * e.out()); }};
  static constexpr auto transpose = absent{"not linear"};
  static constexpr auto reference = [](double x) { return std::exp2(x); };
  template <class T> ETNA_FN static T lower(T x) { return math::exp2(x); }
};

// The derivative is 1 / (x log 2).
struct log2_p : real_function<1> {
  static constexpr auto name = "log2";
  static constexpr auto domain = positive;
  static constexpr int flops = 12;
  static constexpr auto jvp =
      per_operand{[](var t, eqn e) { return scale(t, full_like(t, 1.4426950408889634) / e[0]); }};
  static constexpr auto transpose = absent{"not linear"};
  static constexpr auto reference = [](double x) { return std::log2(x); };
  template <class T> ETNA_FN static T lower(T x) { return math::log2(x); }
};

// The derivative is 1 / (x log 10).
struct log10_p : real_function<1> {
  static constexpr auto name = "log10";
  static constexpr auto domain = positive;
  static constexpr int flops = 12;
  static constexpr auto jvp =
      per_operand{[](var t, eqn e) { return scale(t, full_like(t, 0.4342944819032518) / e[0]); }};
  static constexpr auto transpose = absent{"not linear"};
  static constexpr auto reference = [](double x) { return std::log10(x); };
  template <class T> ETNA_FN static T lower(T x) { return math::log10(x); }
};

// The derivative is 1 / (3 cbrt(x)^2), inf at 0.
struct cbrt_p : real_function<1> {
  static constexpr auto name = "cbrt";
  static constexpr auto domain = positive;
  static constexpr int flops = 20;
  static constexpr auto jvp = per_operand{[](var t, eqn e) {
    var r = full_like(t, 1) / e.out();  // not 1 / out^2, whose derivative at 0 is 0 times inf
    return scale(t, full_like(t, 1. / 3) * (r * r));
  }};
  static constexpr auto transpose = absent{"not linear"};
  static constexpr auto reference = [](double x) { return double(std::cbrt((long double)x)); };
  template <class T> ETNA_FN static T lower(T x) { return math::cbrt(x); }
};

// Without overflow. The derivatives are logistic(x - y) and logistic(y - x); between equal infinities one half each.
struct logaddexp_p : real_function<2> {
  static constexpr auto name = "logaddexp";
  static constexpr int flops = 25;
  static constexpr var share(var x, var y) {
    var d = x - y;
    return apply<logistic_p>(select(eq(d, d), d, select(eq(x, y), full_like(d, 0), d)));
  }
  static constexpr auto jvp = per_operand{[](var t, eqn e) { return scale(t, share(e[0], e[1])); },
                                          [](var t, eqn e) { return scale(t, share(e[1], e[0])); }};
  static constexpr auto transpose = absent{"not linear"};
  static constexpr auto reference = [](double a, double b) {
    long double const x = a, y = b;
    if (x == y) return double(x + std::log(2.L));
    double r = double(x > y ? x + std::log1p(std::exp(y - x)) : y + std::log1p(std::exp(x - y)));
    bool cancels = std::abs(r) < 0.04 && x < 0 && y < 0;  // all digits of a long double may be gone
    return cancels ? math::host::logaddexp_near_zero_f64::of(a, b) : r;
  };
  template <class T> ETNA_FN static T lower(T x, T y) { return math::logaddexp(x, y); }
};

}  // namespace etna::ops
