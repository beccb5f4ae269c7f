// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <etna/dist/spec.hpp>

using namespace etna;
using dist::axis, dist::spec;

namespace {
using four = dist::mesh<axis("data"_n, 2), axis("model"_n, 2)>;
using eight = dist::mesh<axis("data"_n, 4), axis("model"_n, 2)>;
using open_mesh = dist::mesh<"data"_n>;
using half_open = dist::mesh<"data"_n, axis("model"_n, 2)>;
template <class A, class B> constexpr bool same = std::is_same_v<A, B>;
}  // namespace

TEST_CASE("what a spec says of an axis") {
  static_assert(spec<"data"_n, none>::cuts(0) == "data"_n && spec<"data"_n, none>::cuts(1) == 0);
  static_assert(spec<>::cuts(0) == 0 && spec<none, "model"_n>::cuts(1) == "model"_n);
  static_assert(dist::mesh_axis_of<four, spec<none, "model"_n>>(1) == 1);
  static_assert(dist::mesh_axis_of<four, spec<none, "model"_n>>(0) == -1);
  static_assert(dist::any_spec<spec<>> && !dist::any_spec<four>);
}
TEST_CASE("types of shards") {
  using A = array<float, 48, 4>;
  static_assert(same<dist::local_of<A, four, spec<"data"_n>>, array<float, 24, 4>>);
  static_assert(same<dist::local_of<A, eight, spec<"data"_n>>, array<float, 12, 4>>);
  static_assert(same<dist::local_of<A, eight, spec<"data"_n, "model"_n>>, array<float, 12, 2>>);
  static_assert(same<dist::local_of<A, eight, spec<none, "data"_n>>, array<float, 48, 1>>);
  static_assert(same<dist::local_of<A, eight, spec<>>, A>);
  static_assert(same<dist::local_of<array<int>, eight, spec<>>, array<int>>);
  static_assert(same<dist::local_of<array<float, 0, 4>, eight, spec<"data"_n>>, array<float, 0, 4>>);
  // named axes: those that are whole, and multiples that a size divides
  static_assert(same<dist::local_of<array<float, 8, "n"_n>, eight, spec<"data"_n>>, array<float, 2, "n"_n>>);
  static_assert(
      same<dist::local_of<array<float, ext::mul(8, "n"_n)>, eight, spec<"data"_n>>, array<float, ext::mul(2, "n"_n)>>);
  // an open axis that cuts nothing
  static_assert(same<dist::local_of<A, half_open, spec<none, "model"_n>>, array<float, 48, 2>>);
}
TEST_CASE("types of whole arrays") {
  using L = array<double, 12, 2>;
  static_assert(same<dist::global_of<L, eight, spec<"data"_n, "model"_n>>, array<double, 48, 4>>);
  static_assert(same<dist::global_of<L, eight, spec<>>, L>);
  static_assert(same<dist::global_of<L, open_mesh, spec<"data"_n>>, array<double, ext::mul(12, "data"_n), 2>>);
  static_assert(
      same<dist::global_of<array<float, "n"_n>, open_mesh, spec<"data"_n>>, array<float, ext::mul("n"_n, "data"_n)>>);
  static_assert(same<dist::local_of<dist::global_of<L, eight, spec<none, "data"_n>>, eight, spec<none, "data"_n>>, L>);
}
TEST_CASE("what is wrong with a spec") {
  using dist::detail::spec_fault, dist::detail::judge_whole;
  using A = array<float, 10, 3>;
  using N = array<float, "n"_n, 3>;
  static_assert(judge_whole<A, four, spec<"data"_n>>(true).fault == spec_fault::none);
  static_assert(judge_whole<A, eight, spec<"data"_n>>(true).fault == spec_fault::indivisible);
  static_assert(judge_whole<A, eight, spec<none, "model"_n>>(true).axis == 1);
  static_assert(judge_whole<A, eight, spec<"data"_n>>(false).fault == spec_fault::none);
  static_assert(judge_whole<N, eight, spec<"data"_n>>(false).fault == spec_fault::indivisible);
  static_assert(judge_whole<A, open_mesh, spec<"data"_n>>(true).fault == spec_fault::open);
  static_assert(judge_whole<A, four, spec<"x"_n>>(true).fault == spec_fault::absent);
  static_assert(judge_whole<A, four, spec<"data"_n, "data"_n>>(true).fault == spec_fault::twice);
  static_assert(judge_whole<A, four, spec<none, none, none>>(true).fault == spec_fault::too_many);
}
TEST_CASE("shards with padding") {
  using A = array<float, 10, 3>;
  static_assert(same<dist::padded_local_of<A, eight, spec<"data"_n, "model"_n>>, array<float, 3, 2>>);
  static_assert(same<dist::padded_local_of<A, four, spec<"data"_n>>, array<float, 5, 3>>);
}
