// SPDX-License-Identifier: BSD-3-Clause
// Gathers by an index that is known while compiling, and what is added by one: slices, repeated rows, pieces, tables.
#include "same.hpp"

using namespace test;

namespace {

using matrix = array<float, 6, 9>;
template <class F, class... P> constexpr bool has(std::string_view what, F const& f, P const&...) {
  return graph_text<after<"simplify">, P...>(f).find(what) != std::string_view::npos;
}

constexpr auto in_steps = [](matrix x) { return take<1>(x, array<int, 3>{1, 3, 5}); };
constexpr auto from_the_end = [](matrix x) { return take<0>(x, array<int, 4>{-1, -2, -3, -4}); };
constexpr auto repeated = [](matrix x) { return take<1>(x, array<int, 2, 2>{{4, 4}, {4, 4}}) * 2; };
constexpr auto computed = [](matrix x) { return take<1>(x, 2 * arange<int, 4>() + 1); };
constexpr auto turned = [](matrix x) { return take<0>(x, slice<range{5, none, -1}>(arange<int, 6>())); };
constexpr auto whole = [](matrix x) { return take<1>(x, arange<int, 9>()); };
constexpr auto shuffled = [](matrix x) { return take<1>(x, (arange<int, 8>() * 5 + 2) % 9); };
constexpr auto shared = [](matrix x) { return take<0>(x, array<int, 3>{2, 5, 2}); };
constexpr auto outside = [](matrix x) { return where(isnan(take<0>(x, array<int, 2>{5, 6})), -1.f, 1.f); };
constexpr auto nothing = [](matrix x) { return take<0>(x, array<int, 0>{}); };

template <auto F>
constexpr auto gradient = [](matrix x) { return grad([](matrix x) { return sum(square(F(x))); })(x); };
template <auto F> constexpr auto batched = [](array<float, 3, 6, 9> x) { return vmap(F)(x); };
template <auto F> void check() {
  as_eager(F, some<matrix>(1));
  as_eager(gradient<F>, some<matrix>(1));
  as_eager(batched<F>, some<array<float, 3, 6, 9>>(2));
}

}  // namespace

TEST_CASE("places that follow each other are slices, and what is added there is a piece") {
  static_assert(!has("gather", in_steps, matrix()) && !has("gather", from_the_end, matrix()));
  static_assert(!has("gather", repeated, matrix()) && !has("gather", computed, matrix()));
  static_assert(!has("gather", turned, matrix()) && !has("gather", whole, matrix()));
  check<in_steps>();
  check<from_the_end>();
  check<repeated>();
  check<computed>();
  check<turned>();
  check<whole>();
}
TEST_CASE("a table of places is not computed in a call") {
  static_assert(has("gather", shuffled, matrix()) && !has("rem", shuffled, matrix()));
  check<shuffled>();
  check<shared>();
}
TEST_CASE("an index of a type that holds no place from the front") {
  constexpr auto narrow = [](array<float, 200> x) {
    return take<0>(x, astype<std::int8_t>((arange<int, 4>() * 7) % 5 - 3));
  };
  as_eager(narrow, some<array<float, 200>>(1));
}
TEST_CASE("a place that is out of range, and none") {
  auto const x = some<matrix>(1);
  static_assert(has("gather", outside, matrix()));
  as_eager(outside, x);
  as_eager(nothing, x);
}
