// SPDX-License-Identifier: BSD-3-Clause
// Kernels that read and write numbers of 8 and 16 bits, and u64, in loops of all kinds, against eager evaluation. What
// becomes of single equations is rewrite/widen.cpp; registers are accuracy/narrow.cpp.
#include "same.hpp"

using namespace test;

namespace {

constexpr int rows = 9, columns = 37;  // no multiples of a register
template <class T> using table = array<T, rows, columns>;
template <class T> using line = array<T, columns>;

// Along rows, and rows read across.
constexpr auto by_rows = [](auto x, auto y, auto c) {
  return std::tuple{x * y + c, sum<1>(x * y), where(x < y, x, c), argmax<1>(x), transpose(x) * slice<0>(c)};
};
// Down columns, by index, in place, and whole arrays at once.
constexpr auto by_columns = [](auto x, auto y, auto c, array<int, 5> at) {
  return std::tuple{
      sum<0>(x + c), max<0>(y),    take<1>(x, at),       sort<1>(x),
      cumsum<1>(y),  cumsum<0>(x), dot(x, transpose(y)), x.template at<range{1, 4}>().set(slice<range{0, 3}>(y * c))};
};
// A carry that is rounded where it is stored, and a branch.
constexpr auto by_steps = [](auto x, auto c) {
  auto step = [](auto carry, auto row) {
    auto next = cond(
        sum(row) < sum(carry), [](auto a, auto b) { return a - b; }, [](auto a, auto b) { return a + b * b; }, carry,
        row);
    return std::pair{next, max(next)};
  };
  return scan(step, c, x);
};

/// Small whole numbers of a floating type; of integers all that there are.
template <class A> A numbers(int seed) {
  using T = element_of<A::type.d>;
  if constexpr (is_real<T>) return some<A>(seed, -5, 6);
  else if constexpr (sizeof(T) == 8) return some<A>(seed, 0, 0x1p40) * some<A>(seed + 10, 0, 0x1p40);
  else return some<A>(seed, double(std::numeric_limits<T>::min()), double(std::numeric_limits<T>::max()) + 1);
}
array<int, 5> const places{3, 36, -1, 0, 17};

}  // namespace

TEST_CASE("bf16") {
  auto x = numbers<table<bfloat16>>(1), y = numbers<table<bfloat16>>(2);
  auto c = numbers<line<bfloat16>>(3);
  as_eager(by_rows, x, y, c);
  as_eager(by_columns, x, y, c, places);
  as_eager(by_steps, x, c);
}
TEST_CASE("u64") {
  auto x = numbers<table<std::uint64_t>>(1), y = numbers<table<std::uint64_t>>(2);
  auto c = numbers<line<std::uint64_t>>(3);
  as_eager(by_rows, x, y, c);
  as_eager(by_columns, x, y, c, places);
}
#if !defined(ETNA_FEW)  // loops as above, with other conversions
TEST_CASE("f16, i8, i16, u16") {
  as_eager(
      [](auto... of) { return std::tuple{std::apply(by_rows, of)...}; },
      std::tuple{numbers<table<float16>>(1), numbers<table<float16>>(2), numbers<line<float16>>(3)},
      std::tuple{numbers<table<std::int8_t>>(1), numbers<table<std::int8_t>>(2), numbers<line<std::int8_t>>(3)},
      std::tuple{numbers<table<std::int16_t>>(1), numbers<table<std::int16_t>>(2), numbers<line<std::int16_t>>(3)},
      std::tuple{numbers<table<std::uint16_t>>(1), numbers<table<std::uint16_t>>(2), numbers<line<std::uint16_t>>(3)});
}
#endif
TEST_CASE("point: numbers of 16 bits") {
  using four = array<bfloat16, 4>;
  auto f = [](four x, array<float16> h) { return exp(x) * astype<bfloat16>(h) + sum(x); };
  four const x{1.5f, -0.25f, 3.f, 0.f};
  array<float16> const h(0.5f);
  as_eager(f, x, h);
  auto is = point<four, array<float16>>(f)(x, h);
  four const want = f(x, h);
  for (extent i = 0; i < 4; ++i)
    CHECK(std::abs(float(is[i]) - float(want.data()[i])) <= 0x1p-6f * (1 + std::abs(float(is[i]))));
}
