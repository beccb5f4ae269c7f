// SPDX-License-Identifier: BSD-3-Clause
// Rows: tangent, inverse circular functions, hyperbolic functions and their inverses. Floating element
// types. Read next: error_function.hpp.
#pragma once
#include <etna/math/functions.hpp>

#include "family.hpp"

namespace etna::ops {

struct tan_p : real_function<1> {
  static constexpr auto name = "tan";
  static constexpr auto domain = unit;
  static constexpr int flops = 20;
  static constexpr auto jvp = per_operand{[](var t, eqn e) { return scale(t, full_like(t, 1) + e.out() * e.out()); }};
  static constexpr auto transpose = absent{"not linear"};
  static constexpr auto reference = [](double x) { return std::tan(x); };
  template <class T> ETNA_FN static T lower(T x) { return math::tan(x); }
};

struct asin_p : real_function<1> {
  static constexpr auto name = "asin";
  static constexpr auto domain = unit;
  static constexpr int flops = 20;
  static constexpr auto jvp =
      per_operand{[](var t, eqn e) { return scale(t, apply<rsqrt_p>(full_like(t, 1) - e[0] * e[0])); }};
  static constexpr auto transpose = absent{"not linear"};
  static constexpr auto reference = [](double x) { return std::asin(x); };
  template <class T> ETNA_FN static T lower(T x) { return math::asin(x); }
};

struct acos_p : real_function<1> {
  static constexpr auto name = "acos";
  static constexpr auto domain = unit;
  static constexpr int flops = 20;
  static constexpr auto jvp =
      per_operand{[](var t, eqn e) { return scale(t, -apply<rsqrt_p>(full_like(t, 1) - e[0] * e[0])); }};
  static constexpr auto transpose = absent{"not linear"};
  static constexpr auto reference = [](double x) { return std::acos(x); };
  template <class T> ETNA_FN static T lower(T x) { return math::acos(x); }
};

struct atan_p : real_function<1> {
  static constexpr auto name = "atan";
  static constexpr int flops = 20;
  static constexpr auto jvp =
      per_operand{[](var t, eqn e) { return scale(t, full_like(t, 1) / (full_like(t, 1) + e[0] * e[0])); }};
  static constexpr auto transpose = absent{"not linear"};
  static constexpr auto reference = [](double x) { return std::atan(x); };
  template <class T> ETNA_FN static T lower(T x) { return math::atan(x); }
};

// The angle of the point (x, y), y being the first operand. d/dy is x / (x^2 + y^2), d/dx is -y / (x^2 + y^2).
struct atan2_p : real_function<2> {
  static constexpr auto name = "atan2";
  static constexpr auto domain = positive;
  static constexpr int flops = 25;
  static constexpr auto jvp = per_operand{[](var t, eqn e) { return scale(t, e[1] / (e[0] * e[0] + e[1] * e[1])); },
                                          [](var t, eqn e) { return scale(t, -e[0] / (e[0] * e[0] + e[1] * e[1])); }};
  static constexpr auto transpose = absent{"not linear"};
  static constexpr auto reference = [](double y, double x) { return std::atan2(y, x); };
  template <class T> ETNA_FN static T lower(T y, T x) { return math::atan2(y, x); }
};

struct sinh_p : real_function<1> {
  static constexpr auto name = "sinh";
  static constexpr int flops = 15;
  static constexpr auto jvp = per_operand{[](var t, eqn e) { return scale(t, apply<cosh_p>(e[0])); }};
  static constexpr auto transpose = absent{"not linear"};
  static constexpr auto reference = [](double x) { return std::sinh(x); };
  template <class T> ETNA_FN static T lower(T x) { return math::sinh(x); }
};

struct cosh_p : real_function<1> {
  static constexpr auto name = "cosh";
  static constexpr int flops = 15;
  static constexpr auto jvp = per_operand{[](var t, eqn e) { return scale(t, apply<sinh_p>(e[0])); }};
  static constexpr auto transpose = absent{"not linear"};
  static constexpr auto reference = [](double x) { return std::cosh(x); };
  template <class T> ETNA_FN static T lower(T x) { return math::cosh(x); }
};

struct asinh_p : real_function<1> {
  static constexpr auto name = "asinh";
  static constexpr int flops = 20;
  static constexpr auto jvp =
      per_operand{[](var t, eqn e) { return scale(t, apply<rsqrt_p>(e[0] * e[0] + full_like(t, 1))); }};
  static constexpr auto transpose = absent{"not linear"};
  static constexpr auto reference = [](double x) { return std::asinh(x); };
  template <class T> ETNA_FN static T lower(T x) { return math::asinh(x); }
};

// The derivative is 1 / sqrt((x - 1)(x + 1)), whose factors are exact near 1. At 1 x^2 - 1 is exact, and has a
// derivative.
struct acosh_p : real_function<1> {
  static constexpr auto name = "acosh";
  static constexpr interval domain{1.2, 4};
  static constexpr int flops = 20;
  static constexpr auto jvp = per_operand{[](var t, eqn e) {
    var one = full_like(t, 1);
    var square = e[0] * e[0];
    return scale(t, apply<rsqrt_p>(select(eq(square, one), square - one, (e[0] - one) * (e[0] + one))));
  }};
  static constexpr auto transpose = absent{"not linear"};
  static constexpr auto reference = [](double x) { return std::acosh(x); };
  template <class T> ETNA_FN static T lower(T x) { return math::acosh(x); }
};

struct atanh_p : real_function<1> {
  static constexpr auto name = "atanh";
  static constexpr auto domain = unit;
  static constexpr int flops = 20;
  static constexpr auto jvp = per_operand{[](var t, eqn e) {
    var one = full_like(t, 1);
    return scale(t, (one / (one - e[0])) * (one / (one + e[0])));
  }};
  static constexpr auto transpose = absent{"not linear"};
  static constexpr auto reference = [](double x) { return std::atanh(x); };
  template <class T> ETNA_FN static T lower(T x) { return math::atanh(x); }
};

}  // namespace etna::ops
