// SPDX-License-Identifier: BSD-3-Clause
#include "moving.hpp"

using namespace test::moving;
using namespace etna;
template <extent... E> using d = array<double, E...>;
using a3 = d<3, 4, 5>;
using a2 = d<4, 6>;
using a1 = d<7>;

TEST_CASE("joined arrays are JAX's") {
  check<a2>("pad", [](auto const& x) { return pad<1, 0, 2, 3>(x, 1.5); });
  check<a1>("pad_all", [](auto const& x) { return pad<2>(x); });
  check<a2>("pad_pair", [](auto const& x) { return pad<1, 2>(x); });
  check<d<2, 3>, d<2, 1>, d<2, 4>>(
      "concatenate", [](auto const& x, auto const& y, auto const& z) { return concatenate<1>(x, y * 2, z); });
  check<a2>("concatenate_same", [](auto const& x) { return concatenate(x, x, -x); });
  check<a2, a2>("stack", [](auto const& x, auto const& y) { return stack<1>(x, y, x); });
  check<a1, a1>("stack_last", [](auto const& x, auto const& y) { return stack<-1>(x, y); });
  check<d<2, 3>, d<2, 1>>("hstack", [](auto const& x, auto const& y) { return hstack(x, y); });
  check<d<2>, d<3>>("hstack_1", [](auto const& x, auto const& y) { return hstack(x, y); });
  check<d<3>, d<2, 3>>("vstack", [](auto const& x, auto const& y) { return vstack(x, y); });
}

TEST_CASE("split, shifted and repeated arrays are JAX's") {
  check<a2>("split", [](auto const& x) {
    auto p = split<3, 1>(x);
    return p[0] * p[1] - p[2];
  });
  check<a3>("unstack", [](auto const& x) {
    auto p = unstack<1>(x);
    return p[3] * p[0] + p[1];
  });
  check<a2>("roll", [](auto const& x) { return roll<2, 1>(x); });
  check<a2>("roll_back", [](auto const& x) { return roll<-5>(x); });
  check<a2>("diff", [](auto const& x) { return diff(x); });
  check<a2>("diff_twice", [](auto const& x) { return diff<2, 0>(x) * 3; });
  check<a1>("diff_too_often", [](auto const& x) { return diff<7>(x) + sum(x); });
  check<a2>("expand_dims", [](auto const& x) { return expand_dims<0, 2, -1>(x) * expand_dims<1, 3>(x); });
  check<a2>("tile", [](auto const& x) { return tile<2, 1, 3>(x); });
  check<a2>("tile_last", [](auto const& x) { return tile<2>(x); });
  check<a2>("repeat", [](auto const& x) { return repeat<3, 1>(x); });
}
