// SPDX-License-Identifier: BSD-3-Clause
// Rows: rounding of reals, and division with a remainder. Read next: transcendental.hpp.
#pragma once
#include <etna/math/functions.hpp>

#include "family.hpp"

namespace etna::ops {

struct floor_p : real_function<1> {
  static constexpr auto name = "floor";
  static constexpr auto jvp = absent{"piecewise constant"};
  static constexpr auto transpose = absent{"not linear"};
  static constexpr auto reference = [](double x) { return std::floor(x); };
  template <class T> ETNA_FN static T lower(T x) { return math::floor(x); }
};

struct ceil_p : real_function<1> {
  static constexpr auto name = "ceil";
  static constexpr auto jvp = absent{"piecewise constant"};
  static constexpr auto transpose = absent{"not linear"};
  static constexpr auto reference = [](double x) { return std::ceil(x); };
  template <class T> ETNA_FN static T lower(T x) { return math::ceil(x); }
};

struct trunc_p : real_function<1> {
  static constexpr auto name = "trunc";
  static constexpr auto jvp = absent{"piecewise constant"};
  static constexpr auto transpose = absent{"not linear"};
  static constexpr auto reference = [](double x) { return std::trunc(x); };
  template <class T> ETNA_FN static T lower(T x) { return math::trunc(x); }
};

// The nearest whole number; of two equally near ones the even one.
struct round_p : real_function<1> {
  static constexpr auto name = "round";
  static constexpr auto jvp = absent{"piecewise constant"};
  static constexpr auto transpose = absent{"not linear"};
  static constexpr auto reference = [](double x) {
    double low = std::floor(x), rest = x - low;
    if (!(rest - rest == 0)) return x;
    double r = rest < 0.5 || (rest == 0.5 && std::fmod(low, 2) == 0) ? low : low + 1;
    return r == 0 ? std::copysign(r, x) : r;
  };
  template <class T> ETNA_FN static T lower(T x) {
    using std::nearbyint;
    return nearbyint(x);
  }
};

/// x / y of integers, truncated. Processors have no such instruction for registers of integers; through doubles it is
/// exact for 32 bits, and a loop that compilers turn into registers.
template <class T> ETNA_FN T integer_quotient(T x, T y) {
  using lane = math::lane_of<T>;
  if constexpr (math::scalar<T> || sizeof(lane) > 4) return T(x / y);
  else {
    alignas(64) lane a[T::size], b[T::size];
    x.store_aligned(a);
    y.store_aligned(b);
    for (std::size_t i = 0; i < T::size; ++i) a[i] = lane(double(a[i]) / double(b[i]));
    return T::load_aligned(a);
  }
}
template <class T> ETNA_FN T integer_remainder(T x, T y) {
  if constexpr (math::scalar<T>) return T(x % y);
  else return T(x - integer_quotient(x, y) * y);
}

// The remainder of a division that truncates, as C++ has it; of integers by 0 it is x. d/dx is 1, d/dy is -trunc(x /
// y).
struct rem_p : elementwise<2> {
  static constexpr auto name = "rem";
  static constexpr int flops = 4;
  static constexpr samples make_samples(interval) {
    tensor_type x{dtype::f64, 2, {3, 4}}, i = x.with(dtype::i32), u = x.with(dtype::u32);
    return {4,
            {{2, {x, x}, {{-9, 9}, {1.1, 1.9}}},
             {2, {x, x}, {{-9, 9}, {-1.9, -1.1}}},
             {2, {i, i}, {{-9, 9}, {-3, 4}}},
             {2, {u, u}, {{0, 4e9}, {0, 9}}}}};
  }
  static constexpr auto jvp = per_operand{
      [](var t, eqn) { return t; }, [](var t, eqn e) {  // x / y may be rounded up to the next whole number, x - out is
                                                        // the multiple of y; where there is none, JAX's quotient
        var r = e.out();
        return scale(t, select(eq(r, r), apply<round_p>((r - e[0]) / e[1]), -apply<trunc_p>(e[0] / e[1])));
      }};
  static constexpr auto transpose = absent{"not linear"};
  static constexpr auto reference = [](auto x, auto y) -> decltype(x) {
    if constexpr (std::is_integral_v<decltype(x)>)
      return y == 0 ? x : std::is_signed_v<decltype(x)> && y == decltype(y)(-1) ? 0 : x % y;
    else return std::fmod(x, y);
  };
  template <class T> ETNA_FN static T lower(T x, T y) {
    using lane = math::lane_of<T>;
    using math::select;
    if constexpr (std::is_floating_point_v<lane>) return math::fmod(x, y);
    else {
      auto none = y == T(lane(0));
      if constexpr (std::is_signed_v<lane>) {  // the least number has no quotient by -1
        auto plain = select(none | (y == T(lane(-1))), T(lane(1)), y);
        return select(none, x, integer_remainder(x, plain));
      } else return select(none, x, integer_remainder(x, T(select(none, T(lane(1)), y))));
    }
  }
};

// Of integers, truncated; by 0 all bits are set, as in XLA. The least number by -1 is itself.
struct quot_p : elementwise<2, accepts::integers> {
  static constexpr auto name = "quot";
  static constexpr int flops = 4;
  static constexpr samples make_samples(interval) {
    tensor_type i{dtype::i32, 2, {3, 4}};
    return {3,
            {{2, {i, i}, {{-50, 50}, {-3, 4}}},
             {2, {i.with(dtype::u32), i.with(dtype::u32)}, {{0, 4e9}, {0, 9}}},
             {2, {i.with(dtype::i64), i.with(dtype::i64)}, {{-1e15, 1e15}, {-9, 9}}}}};
  }
  static constexpr auto jvp = absent{"integers have no derivative"};
  static constexpr auto transpose = absent{"integers have no derivative"};
  static constexpr auto reference = [](auto x, auto y) {
    using T = decltype(x);
    if (y == 0) return T(-1);
    return std::is_signed_v<T> && y == T(-1) ? T(-std::uint64_t(x)) : T(x / y);
  };
  template <class T> ETNA_FN static T lower(T x, T y) {
    using math::select;
    using lane = math::lane_of<T>;
    auto none = y == T(lane(0));
    if constexpr (std::is_signed_v<lane>) {
      auto turn = y == T(lane(-1));
      return select(none, T(lane(-1)),
                    select(turn, negated(x), integer_quotient(x, T(select(none | turn, T(lane(1)), y)))));
    } else return select(none, T(lane(-1)), integer_quotient(x, T(select(none, T(lane(1)), y))));
  }
  /// -x, by all bits: without the overflow of signed numbers.
  template <class T> ETNA_FN static T negated(T x) {
    if constexpr (math::scalar<T>) return T(std::make_unsigned_t<T>(0) - std::make_unsigned_t<T>(x));
    else return T(-x);
  }
};

}  // namespace etna::ops
