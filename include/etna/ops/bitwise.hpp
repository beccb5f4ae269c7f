// SPDX-License-Identifier: BSD-3-Clause
// Rows: integers bit by bit, and shifts. They have no derivative. Read next: comparison.hpp.
#pragma once
#include "family.hpp"

namespace etna::ops {

/// Elementwise, of N integers of one type.
template <int N> struct bitwise : elementwise<N, accepts::integers> {
  static constexpr auto jvp = absent{"integers have no derivative"};
  static constexpr auto transpose = absent{"integers have no derivative"};
  // element types of three widths, signed or not; `count`: the second operand is a number of bits
  static constexpr samples samples_with(bool count) {
    dtype const d[] = {dtype::u32, dtype::i32, dtype::i64, dtype::u8};
    double const low[] = {0, -2e9, -1e15, 0}, high[] = {4e9, 2e9, 1e15, 256};
    samples all{};
    all.n = 4;
    for (int i = 0; i < 4; ++i) {
      all.s[i].n = N;
      for (int k = 0; k < N; ++k) {
        all.s[i].type[k] = {d[i], 2, {3, 4}};
        all.s[i].from[k] = {low[i], high[i]};
      }
      if (count) all.s[i].from[1] = {0, 70};
    }
    return all;
  }
  static constexpr samples make_samples(interval) { return samples_with(false); }
};

struct bit_and_p : bitwise<2> {
  static constexpr auto name = "bit_and";
  static constexpr bool any_width = true;
  static constexpr auto reference = [](auto x, auto y) { return x & y; };
  template <class T> ETNA_FN static T lower(T x, T y) { return T(x & y); }
};

struct bit_or_p : bitwise<2> {
  static constexpr auto name = "bit_or";
  static constexpr bool any_width = true;
  static constexpr auto reference = [](auto x, auto y) { return x | y; };
  template <class T> ETNA_FN static T lower(T x, T y) { return T(x | y); }
};

struct bit_xor_p : bitwise<2> {
  static constexpr auto name = "bit_xor";
  static constexpr bool any_width = true;
  static constexpr auto reference = [](auto x, auto y) { return x ^ y; };
  template <class T> ETNA_FN static T lower(T x, T y) { return T(x ^ y); }
};

struct bit_not_p : bitwise<1> {
  static constexpr auto name = "bit_not";
  static constexpr bool any_width = true;
  static constexpr auto reference = [](auto x) { return ~x; };
  template <class T> ETNA_FN static T lower(T x) { return T(~x); }
};

/// Which counts are from 0 to the width less 1? Any other moves all bits out.
template <class T> ETNA_FN auto shifts_within(T n) {
  using lane = math::lane_of<T>;
  auto below = n < T(lane(8 * sizeof(lane)));
  if constexpr (std::is_signed_v<lane>) return (n >= T(lane(0))) & below;
  else return below;
}

struct shift_left_p : bitwise<2> {
  static constexpr auto name = "shift_left";
  static constexpr samples make_samples(interval) { return samples_with(true); }
  static constexpr auto reference = [](auto x, auto n) {
    return std::uint64_t(n) > 63 ? decltype(x)(0) : decltype(x)(std::uint64_t(x) << n);
  };
  template <class T> ETNA_FN static T lower(T x, T n) {
    using math::select;
    auto ok = shifts_within(n);
    return select(ok, T(x << select(ok, n, T(0))), T(0));
  }
};

struct shift_right_p : bitwise<2> {
  static constexpr auto name = "shift_right";
  static constexpr samples make_samples(interval) { return samples_with(true); }
  static constexpr auto reference = [](auto x, auto n) {
    if (std::uint64_t(n) > 63) return std::is_signed_v<decltype(x)> ? decltype(x)(x >> 63) : decltype(x)(0);
    return decltype(x)(x >> n);
  };
  template <class T> ETNA_FN static T lower(T x, T n) {
    using math::select;
    using lane = math::lane_of<T>;
    auto ok = shifts_within(n);
    if constexpr (std::is_signed_v<lane>) return T(x >> select(ok, n, T(lane(8 * sizeof(lane) - 1))));
    else return select(ok, T(x >> select(ok, n, T(0))), T(0));
  }
};

}  // namespace etna::ops
