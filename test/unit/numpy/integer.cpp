// SPDX-License-Identifier: BSD-3-Clause
// Bitwise operations and shifts against C++'s, in every element type, eager and fused, and at the edges.
#include "unit/exec/same.hpp"

using namespace test;

namespace {

template <class T> array<T, 67> draw(int seed) {
  bool wide = sizeof(T) > 4;
  double low = std::is_signed_v<T> ? (wide ? -9e15 : -2147483648.) : 0, high = sizeof(T) == 1 ? 256 : wide ? 9e15 : std::is_signed_v<T> ? 2147483647. : 4294967295.;
  return some<array<T, 67>>(seed, low, high);
}
auto const all = [](auto const& x, auto const& y, auto const& n) {
  return std::tuple{x & y, x | y, x ^ y, ~x, x << n, x >> n, (x & 6) | 1};
};
template <class T> void check() {
  auto x = draw<T>(1), y = draw<T>(2);
  auto n = array<T, 67>::build([](T* o) { for (int i = 0; i < 67; ++i) o[i] = T(i + (std::is_signed_v<T> ? -1 : 0)); });
  auto same = [&](auto const& r) {
    for (int i = 0; i < 67; ++i) {
      CAPTURE(i);
      T a = x(i), b = y(i);
      std::int64_t k = n(i);
      bool within = k >= 0 && k < std::int64_t(8 * sizeof(T));
      CHECK(std::get<0>(r)(i) == T(a & b));
      CHECK(std::get<1>(r)(i) == T(a | b));
      CHECK(std::get<2>(r)(i) == T(a ^ b));
      CHECK(std::get<3>(r)(i) == T(~a));
      CHECK(std::get<4>(r)(i) == (within ? T(std::make_unsigned_t<T>(a) << k) : T(0)));
      CHECK(std::get<5>(r)(i) == (T(std::int64_t(a) >> (within ? k : 63))));
      CHECK(std::get<6>(r)(i) == T((a & 6) | 1));
    }
  };
  same(all(x, y, n));
  same(jit(all)(x, y, n));
}

}  // namespace

TEST_CASE("bits of u32") { check<std::uint32_t>(); }
TEST_CASE("bits of i32") { check<std::int32_t>(); }
TEST_CASE("bits of i64") { check<std::int64_t>(); }
TEST_CASE("bits of u8") { check<std::uint8_t>(); }

TEST_CASE("& | ^ ~ of bool arrays are logic") {
  array<bool, 4> x{true, true, false, false}, y{true, false, true, false};
  CHECK(same_bits(x & y, array<bool, 4>{true, false, false, false}));
  CHECK(same_bits(x | y, array<bool, 4>{true, true, true, false}));
  CHECK(same_bits(x ^ y, array<bool, 4>{false, true, true, false}));
  CHECK(same_bits(~x, array<bool, 4>{false, false, true, true}));
}

TEST_CASE("operands promote and broadcast, numbers are weak") {
  array<std::uint8_t, 2, 1> x{{3}, {12}};
  array<int, 3> y{1, 2, 255};
  auto z = x & y;
  static_assert(std::is_same_v<decltype(z), array<int, 2, 3>>);
  CHECK(same_bits(z, array<int, 2, 3>{{1, 2, 3}, {0, 0, 12}}));
  static_assert(std::is_same_v<decltype(x << 2), array<std::uint8_t, 2, 1>>);
  CHECK(same_bits(x << 7, array<std::uint8_t, 2, 1>{{128}, {0}}));
  CHECK(same_bits(1 << y, array<int, 3>{2, 4, 0}));
}

TEST_CASE("in constant evaluation") {
  constexpr auto f = [] { return ((array<std::uint32_t>(0xfffffff0u) >> 28 ^ 5) << 31).item(); };
  static_assert(f() == 0);
  constexpr auto g = [] { return (~array<int>(6) >> 1).item(); };
  static_assert(g() == -4);
}
