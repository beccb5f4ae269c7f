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

/// The rows whose integers are computed as they are.
template <int... Op> constexpr auto with_any_width(std::integer_sequence<int, Op...>) {
  return []<bool... Is>(std::integer_sequence<bool, Is...>) {
    constexpr int count = (0 + ... + Is);
    std::array<int, count> r{};
    int n = 0;
    ((Is ? void(r[std::size_t(n++)] = Op) : void()), ...);
    return r;
  }(std::integer_sequence<bool, ops::table.at[Op].any_width...>{});
}
constexpr auto rows_of_any_width = with_any_width(std::make_integer_sequence<int, int(ops::table.size())>{});
template <int Op, class A> constexpr auto called(A const& x, A const& y) {
  numpy::handle const in[] = {numpy::to_handle(x), numpy::to_handle(y)};
  auto const r = numpy::call(Op, in, ops::table.at[Op].arity);
  constexpr bool asks = [] {
    tensor_type in[]{A::type, A::type}, out{};
    ops::table.at[Op].shape(in, ops::table.at[Op].arity, nullptr, 0, &out);
    return out.d == dtype::boolean;
  }();
  if constexpr (asks) return numpy::to_array<decltype(x == x)>(r);
  else return numpy::to_array<A>(r);
}
/// Each of these rows, and where all wrap one behind the other, the last of them beside floats and doubles.
constexpr auto every_row = [](auto x, auto y) {
  return [&]<std::size_t... Nth>(std::index_sequence<Nth...>) {
    return std::tuple{called<rows_of_any_width[Nth]>(x, y)...};
  }(std::make_index_sequence<rows_of_any_width.size()>{});
};
constexpr auto one_behind_the_other = [](auto x, auto y) {
  auto z = x;
  auto next = [&](auto r) {
    if constexpr (decltype(r)::type.d == dtype::boolean) z = where(r, z + y, z - x);
    else z = r;
  };
  [&]<std::size_t... Nth>(std::index_sequence<Nth...>) {
    (next(called<rows_of_any_width[Nth]>(z, y)), ...);
  }(std::make_index_sequence<rows_of_any_width.size()>{});
  return z;
};
constexpr auto beside_wider = [](auto x, auto y) {
  auto z = one_behind_the_other(x, y);
  return std::tuple{astype<float>(z + y), astype<double>(z - x), astype<std::int16_t>(x) + astype<std::int16_t>(y),
                    z * y};
};
constexpr auto moved = [](auto x, auto y) {
  auto z = roll<1, 1>(x) + x - roll<-1, 1>(y);
  return std::tuple{z + roll<2, 0>(z), where(transpose(x) < transpose(y), transpose(x), transpose(y)), x + slice<0>(y),
                    x - slice<every, range{0, 1}>(y)};
};

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
// No rows of a register, of half of one, of less, and some behind it.
TEST_CASE_TEMPLATE("integers in registers of their own width", T, std::uint8_t, std::int8_t, std::uint16_t,
                   std::int16_t) {
  static_assert(rows_of_any_width.size() >= 13);
  auto in_all = []<extent Rows, extent Columns>() {
    using A = array<T, Rows, Columns>;
    auto const x = numbers<A>(1), y = numbers<A>(2);
    as_eager(every_row, x, y);
    as_eager(one_behind_the_other, x, y);
    as_eager(beside_wider, x, y);
    as_eager(moved, x, y);
  };
  in_all.template operator()<7, 1003>();
#if !defined(ETNA_FEW)
  in_all.template operator()<5, 75>();
  in_all.template operator()<9, 37>();
  in_all.template operator()<40, 5>();
#endif
}
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
