// SPDX-License-Identifier: BSD-3-Clause
// Rows: copies, + - * /, max, min, pow, abs, sign and roots.
// Derivatives of products go through `scale`, so that a branch that `where` leaves out stays out.
#pragma once
#include <limits>

#include <etna/math/functions.hpp>

#include "family.hpp"

namespace etna::ops {

/// What + - * of T is computed in: integers wrap, as in NumPy, and in C++ only unsigned ones do.
template <class T> struct wrapping_ {
  using type = T;
};
template <class T> requires(std::is_same_v<T, std::int32_t> || std::is_same_v<T, std::int64_t>)
struct wrapping_<T> {
  using type = std::make_unsigned_t<T>;
};
template <class T> using wrapping = typename wrapping_<T>::type;

struct copy_p : elementwise<1, accepts::any> {
  static constexpr auto name = "copy";
  static constexpr int moves = 1;
  static constexpr int flops = 0;
  static constexpr auto jvp = per_operand{[](var t, eqn) { return t; }};
  static constexpr auto transpose = per_operand{[](var ct, eqn) { return ct; }};
  static constexpr auto reference = [](auto x) { return x; };
  template <class T> ETNA_FN static T lower(T x) { return x; }
};

struct stop_gradient_p : elementwise<1, accepts::any> {
  static constexpr auto name = "stop_gradient";
  static constexpr int moves = 1;
  static constexpr int flops = 0;
  static constexpr auto jvp = absent{"constant to derivatives by definition"};
  static constexpr auto transpose = absent{"never on the path of a derivative"};
  static constexpr auto reference = [](auto x) { return x; };
  template <class T> ETNA_FN static T lower(T x) { return x; }
};

/// attributes  the characters of the name, eight in a word
struct name_p : elementwise<1, accepts::any> {
  static constexpr auto name = "name";
  static constexpr int moves = 1;
  static constexpr int flops = 0;
  static constexpr samples make_samples(interval from) {
    return {1, {one_operand({dtype::f64, 2, {3, 4}}, from, {'a'})}};
  }
  static constexpr auto jvp = per_operand{[](var t, eqn) { return t; }};
  static constexpr auto transpose = per_operand{[](var ct, eqn) { return ct; }};
  static constexpr auto reference = [](auto x) { return x; };
  template <class T> ETNA_FN static T lower(T x) { return x; }
};

// Floating to integer truncates toward zero and saturates; NaN becomes 0.
struct convert_p : elementwise<1, accepts::any> {
  static constexpr auto name = "convert";
  static constexpr ops::form form = ops::form::convert;
  static constexpr int flops = 0;
  static constexpr int shape(tensor_type const* in, int, std::int64_t const* a, int n, tensor_type* out) {
    if (n != 1) return dtype_not_accepted;
    out[0] = in[0].with(dtype(a[0]));
    return 0;
  }
  static constexpr samples make_samples(interval from) {
    return {2,
            {one_operand({dtype::f64, 2, {3, 4}}, from, {std::int64_t(dtype::f64)}),
             one_operand({dtype::f64, 2, {3, 4}}, from, {std::int64_t(dtype::i32)})}};
  }
  static constexpr auto jvp =
      per_operand{[](var t, eqn e) { return is_floating(e.out_type().d) ? convert(t, e.out_type().d) : var{}; }};
  static constexpr auto transpose = per_operand{[](var ct, eqn e) { return convert(ct, e.type(0).d); }};
  static constexpr auto reference = [](auto x) { return x; };
  template <class T> ETNA_FN static T lower(T x) { return x; }
};

struct neg_p : elementwise<1> {
  static constexpr auto name = "neg";
  static constexpr bool any_width = true;
  static constexpr auto jvp = per_operand{[](var t, eqn) { return -t; }};
  static constexpr auto transpose = per_operand{[](var ct, eqn) { return -ct; }};
  static constexpr auto reference = [](auto x) { return decltype(x)(-wrapping<decltype(x)>(x)); };
  template <class T> ETNA_FN static T lower(T x) {
    // by its sign alone: a batch's own may be 0 - x, which is not -0 for 0
    if constexpr (math::scalar<T> || std::is_integral_v<math::lane_of<T>>) return T(-wrapping<T>(x));
    else return math::with_sign_turned(x, T(math::lane_of<T>(-1)));
  }
};

struct add_p : elementwise<2> {
  static constexpr auto name = "add";
  static constexpr bool any_width = true;
  static constexpr auto jvp = per_operand{[](var t, eqn) { return t; }, [](var t, eqn) { return t; }};
  static constexpr auto transpose = per_operand{[](var ct, eqn) { return ct; }, [](var ct, eqn) { return ct; }};
  static constexpr auto reference = [](auto x, auto y) {
    using W = wrapping<decltype(x)>;
    return decltype(x)(W(x) + W(y));
  };
  template <class T> ETNA_FN static T lower(T x, T y) { return T(wrapping<T>(x) + wrapping<T>(y)); }
};

struct sub_p : elementwise<2> {
  static constexpr auto name = "sub";
  static constexpr bool any_width = true;
  static constexpr auto jvp = per_operand{[](var t, eqn) { return t; }, [](var t, eqn) { return -t; }};
  static constexpr auto transpose = per_operand{[](var ct, eqn) { return ct; }, [](var ct, eqn) { return -ct; }};
  static constexpr auto reference = [](auto x, auto y) {
    using W = wrapping<decltype(x)>;
    return decltype(x)(W(x) - W(y));
  };
  template <class T> ETNA_FN static T lower(T x, T y) { return T(wrapping<T>(x) - wrapping<T>(y)); }
};

struct mul_p : elementwise<2> {
  static constexpr auto name = "mul";
  static constexpr auto jvp =
      per_operand{[](var t, eqn e) { return scale(t, e[1]); }, [](var t, eqn e) { return scale(t, e[0]); }};
  static constexpr auto transpose =
      per_operand{[](var ct, eqn e) { return scale(ct, e[1]); }, [](var ct, eqn e) { return scale(ct, e[0]); }};
  static constexpr auto reference = [](auto x, auto y) {
    using W = wrapping<decltype(x)>;
    return decltype(x)(W(x) * W(y));
  };
  template <class T> ETNA_FN static T lower(T x, T y) { return T(wrapping<T>(x) * wrapping<T>(y)); }
};

struct div_p : real_function<2> {
  static constexpr auto name = "div";
  static constexpr auto domain = positive;
  static constexpr auto jvp = per_operand{[](var t, eqn e) { return scale(t, full_like(e[1], 1) / e[1]); },
                                          [](var t, eqn e) { return scale(t, -(e.out() / e[1])); }};
  static constexpr auto transpose =
      per_operand{[](var ct, eqn e) { return scale(ct, full_like(e[1], 1) / e[1]); }, zero};
  static constexpr auto reference = [](double x, double y) { return x / y; };
  template <class T> ETNA_FN static T lower(T x, T y) { return x / y; }
};

// The gate is x: where it is 0, so is the result, whatever y is. Bilinear elsewhere.
struct scale_p : real_function<2> {
  static constexpr auto name = "scale";
  static constexpr auto jvp =
      per_operand{[](var t, eqn e) { return scale(t, e[1]); }, [](var t, eqn e) { return scale(e[0], t); }};
  static constexpr auto transpose =
      per_operand{[](var ct, eqn e) { return scale(ct, e[1]); }, [](var ct, eqn e) { return scale(e[0], ct); }};
  static constexpr auto reference = [](double x, double y) { return x == 0 ? 0.0 : x * y; };
  template <class T> ETNA_FN static T lower(T x, T y) {
    using math::select;
    return select(x == T(0), T(0), x * y);
  }
};

constexpr var half_on_ties(var t, var wins, var ties) {
  return select(wins, t, select(ties, t * full_like(t, 0.5), full_like(t, 0)));
}

// Of equal operands each has half the derivative; NaN in, NaN out.
struct max_p : elementwise<2> {
  static constexpr auto name = "max";
  static constexpr bool any_width = true;
  static constexpr auto jvp = per_operand{[](var t, eqn e) { return half_on_ties(t, lt(e[1], e[0]), eq(e[0], e[1])); },
                                          [](var t, eqn e) { return half_on_ties(t, lt(e[0], e[1]), eq(e[0], e[1])); }};
  static constexpr auto transpose = absent{"not linear"};
  static constexpr auto reference = [](auto x, auto y) { return x > y || x != x ? x : y; };
  template <class T> ETNA_FN static T lower(T x, T y) {
    using math::select;
    return select((x > y) | (x != x), x, y);
  }
};

struct min_p : elementwise<2> {
  static constexpr auto name = "min";
  static constexpr bool any_width = true;
  static constexpr auto jvp = per_operand{[](var t, eqn e) { return half_on_ties(t, lt(e[0], e[1]), eq(e[0], e[1])); },
                                          [](var t, eqn e) { return half_on_ties(t, lt(e[1], e[0]), eq(e[0], e[1])); }};
  static constexpr auto transpose = absent{"not linear"};
  static constexpr auto reference = [](auto x, auto y) { return x < y || x != x ? x : y; };
  template <class T> ETNA_FN static T lower(T x, T y) {
    using math::select;
    return select((x < y) | (x != x), x, y);
  }
};

// The greater of x and 0; NaN in, NaN out. The derivative is asked of the result, so no mask is kept, and is 0 at 0 and
// at NaN.
struct relu_p : elementwise<1> {
  static constexpr auto name = "relu";
  static constexpr int flops = 2;
  static constexpr auto jvp =
      per_operand{[](var t, eqn e) { return select(lt(full_like(t, 0), e.out()), t, full_like(t, 0)); }};
  static constexpr auto transpose = absent{"not linear"};
  static constexpr auto reference = [](auto x) { return x < 0 ? decltype(x)(0) : x; };
  template <class T> ETNA_FN static T lower(T x) {
    using math::select;
    return select(x < T(0), T(0), x);  // one instruction where it is written so
  }
};

// d/dx is y x^(y-1), and 0 for y = 0 whatever the power is: by `scale`, whose own derivatives hold, as those of a
// constant in place of y - 1 would not. d/dy is x^y log x, where log 0 is taken for 0: 0^y is 0 for y > 0.
struct pow_p : real_function<2> {
  static constexpr auto name = "pow";
  static constexpr auto domain = positive;
  static constexpr int flops = 20;
  static constexpr auto jvp =
      per_operand{[](var t, eqn e) { return scale(t, scale(e[1], apply<pow_p>(e[0], e[1] - full_like(e[1], 1)))); },
                  [](var t, eqn e) {
                    var x = e[0], safe = select(eq(x, full_like(x, 0)), full_like(x, 1), x);
                    return scale(t, apply<log_p>(safe) * e.out());
                  }};
  static constexpr auto transpose = absent{"not linear"};
  static constexpr auto reference = [](double x, double y) { return std::pow(x, y); };
  template <class T> ETNA_FN static T lower(T x, T y) { return math::pow(x, y); }
};

/// x to the power y by squaring: products wrap. A negative y is 1 / x^-y, truncated, and 0 for x = 0.
template <class T> ETNA_FN T integer_power(T x, T y) {
  using W = std::conditional_t<(sizeof(T) < 4), std::uint32_t, std::make_unsigned_t<T>>;
  if constexpr (std::is_signed_v<T>) {
    if (y < 0) return x == T(1) || x == T(-1) ? T((y & 1) != 0 ? x : 1) : T(0);
  }
  W r = 1, square = W(x);
  for (auto n = std::make_unsigned_t<T>(y); n != 0; n = decltype(n)(n >> 1)) {
    if ((n & 1) != 0) r *= square;
    square *= square;
  }
  return T(r);
}

// Of integers.
struct integer_pow_p : elementwise<2, accepts::integers> {
  static constexpr auto name = "integer_pow";
  static constexpr int flops = 10;
  static constexpr samples make_samples(interval) {
    tensor_type i{dtype::i32, 2, {3, 4}};
    return {3,
            {{2, {i, i}, {{-9, 9}, {-3, 12}}},
             {2, {i.with(dtype::u32), i.with(dtype::u32)}, {{0, 4e9}, {0, 40}}},
             {2, {i.with(dtype::i64), i.with(dtype::i64)}, {{-1e4, 1e4}, {0, 5}}}}};
  }
  static constexpr auto jvp = absent{"integers have no derivative"};
  static constexpr auto transpose = absent{"integers have no derivative"};
  static constexpr auto reference = [](auto x, auto y) { return integer_power(x, y); };
  template <class T> ETNA_FN static T lower(T x, T y) {
    if constexpr (math::scalar<T>) return integer_power(x, y);
    else {  // one by one: each has a number of steps of its own
      alignas(64) math::lane_of<T> a[T::size], b[T::size];
      x.store_aligned(a);
      y.store_aligned(b);
      for (std::size_t i = 0; i < T::size; ++i) a[i] = integer_power(a[i], b[i]);
      return T::load_aligned(a);
    }
  }
};

// The derivative at 0 is 0. The least integer has no opposite and stays.
struct abs_p : elementwise<1> {
  static constexpr auto name = "abs";
  static constexpr auto jvp = per_operand{[](var t, eqn e) { return scale(t, apply<sign_p>(e[0])); }};
  static constexpr auto transpose = absent{"not linear"};
  static constexpr auto reference = [](auto x) { return x < 0 ? neg_p::reference(x) : x == 0 ? decltype(x)(0) : x; };
  template <class T> ETNA_FN static T lower(T x) {
    using lane = math::lane_of<T>;
    using math::select;
    if constexpr (std::is_floating_point_v<lane>) {
      using std::abs;
      return abs(x);
    } else if constexpr (std::is_signed_v<lane>) return select(x < T(0), neg_p::lower(x), x);
    else return x;
  }
};

struct sign_p : elementwise<1> {
  static constexpr auto name = "sign";
  static constexpr auto jvp = absent{"piecewise constant"};
  static constexpr auto transpose = absent{"not linear"};
  static constexpr auto reference = [](auto x) { return x > 0 ? decltype(x)(1) : x < 0 ? decltype(x)(-1) : x; };
  template <class T> ETNA_FN static T lower(T x) {
    using math::select;
    return select(x > T(0), T(1), select(x < T(0), T(-1), x));
  }
};

// The derivative at 0 is inf.
struct sqrt_p : real_function<1> {
  static constexpr auto name = "sqrt";
  static constexpr auto domain = positive;
  static constexpr auto jvp = per_operand{[](var t, eqn e) { return scale(t, full_like(t, 0.5) / e.out()); }};
  static constexpr auto transpose = absent{"not linear"};
  static constexpr auto reference = [](double x) { return std::sqrt(x); };
  template <class T> ETNA_FN static T lower(T x) {
    using std::sqrt;
    return sqrt(x);
  }
};

struct rsqrt_p : real_function<1> {
  static constexpr auto name = "rsqrt";
  static constexpr auto domain = positive;
  static constexpr int flops = 2;
  static constexpr auto jvp = per_operand{[](var t, eqn e) { return scale(t, full_like(t, -0.5) * (e.out() / e[0])); }};
  static constexpr auto transpose = absent{"not linear"};
  static constexpr auto reference = [](double x) { return 1 / std::sqrt(x); };
  template <class T> ETNA_FN static T lower(T x) { return math::rsqrt(x); }
};

// Without overflow. The derivatives are x / hypot and y / hypot, of both over the greater one, which is constant here:
// their quotient does not depend on it. Where both are 0 they are one half each; at infinities the limits.
struct hypot_p : real_function<2> {
  static constexpr auto name = "hypot";
  static constexpr int flops = 10;
  static constexpr var share(eqn e, int k) {
    constexpr double inf = std::numeric_limits<double>::infinity();
    var x = e[k], y = e[1 - k], one = full_like(x, 1), none = full_like(x, 0), half = full_like(x, 0.5);
    var a = apply<abs_p>(e[0]), b = apply<abs_p>(e[1]), most = apply<stop_gradient_p>(apply<max_p>(a, b));
    var here = eq(k == 0 ? a : b, full_like(x, inf)), there = eq(k == 0 ? b : a, full_like(x, inf));
    var even = apply<logical_or_p>(apply<logical_or_p>(here, there), eq(most, none));
    var unit = select(even, one, most), p = select(even, one, x) / unit, q = select(even, one, y) / unit;
    var size = k == 0 ? apply<hypot_p>(p, q) : apply<hypot_p>(q, p);
    var limit = select(here, apply<sign_p>(x) * select(there, half, one), select(there, none, half));
    return select(even, limit, p / size);
  }
  static constexpr auto jvp = per_operand{[](var t, eqn e) { return scale(t, share(e, 0)); },
                                          [](var t, eqn e) { return scale(t, share(e, 1)); }};
  static constexpr auto transpose = absent{"not linear"};
  static constexpr auto reference = [](double x, double y) { return std::hypot(x, y); };
  template <class T> ETNA_FN static T lower(T x, T y) { return math::hypot(x, y); }
};

}  // namespace etna::ops
