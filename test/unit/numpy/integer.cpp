// SPDX-License-Identifier: BSD-3-Clause
// Bitwise operations and shifts against C++'s, in every element type, eager and fused, and at the edges.
#include "same.hpp"

using namespace test;

namespace {

template <class T> array<T, 67> draw(int seed) {
  bool wide = sizeof(T) > 4;
  double low = std::is_signed_v<T> ? (wide ? -9e15 : -2147483648.) : 0, high = sizeof(T) == 1        ? 256
                                                                               : wide                ? 9e15
                                                                               : std::is_signed_v<T> ? 2147483647.
                                                                                                     : 4294967295.;
  return some<array<T, 67>>(seed, low, high);
}
auto const all = [](auto const& x, auto const& y, auto const& n) {
  return std::tuple{x & y, x | y, x ^ y, ~x, x << n, x >> n, (x & 6) | 1};
};
template <class T> void check() {
  auto x = draw<T>(1), y = draw<T>(2);
  auto n = array<T, 67>::build([](T* o) {
    for (int i = 0; i < 67; ++i) o[i] = T(i + (std::is_signed_v<T> ? -1 : 0));
  });
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

TEST_CASE("sums, differences and products of integers wrap, eager and fused") {
  auto f = [](auto const& x, auto const& y) { return std::tuple{x + y, x - y, x * y, -x}; };
  constexpr int least = std::numeric_limits<int>::lowest(), most = std::numeric_limits<int>::max();
  array<int, 3> x{most, least, least}, y{2, 3, least};
  auto i = f(x, y);
  near(i, std::tuple{array<int, 3>{least + 1, least + 3, 0}, array<int, 3>{most - 2, most - 2, 0},
                     array<int, 3>{-2, least, 0}, array<int, 3>{-most, least, least}});
  near(jit(f)(x, y), i);
  constexpr std::int64_t low = std::numeric_limits<std::int64_t>::lowest(),
                         high = std::numeric_limits<std::int64_t>::max();
  array<std::int64_t, 2> u{high, low}, v{high, 3};
  auto w = f(u, v);
  auto same = [](auto const& r, auto const& s) { return r(0) == s(0) && r(1) == s(1); };
  using pair = array<std::int64_t, 2>;
  for (auto const& r : {w, jit(f)(u, v)}) {
    CHECK(same(std::get<0>(r), pair{-2, low + 3}));
    CHECK(same(std::get<1>(r), pair{0, high - 2}));
    CHECK(same(std::get<2>(r), pair{1, low}));
    CHECK(same(std::get<3>(r), pair{-high, low}));
  }
}
