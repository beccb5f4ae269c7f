// SPDX-License-Identifier: BSD-3-Clause
// The header of own rows named by the build: etna is included first, in whatever order.
#define ETNA_PRIMITIVES "../examples/08_own_primitive.hpp"
#include "same.hpp"

using namespace etna;

TEST_CASE("own rows: found by the name of their header") {
  static_assert(ops::code<own::laplacian_p> == ops::primitives::size + 1);
  auto f = [](array<double, 2, 9> x) {
    return grad([](auto const& x) { return sum(exp(numpy::real_of<own::laplacian_p>(x))); })(x);
  };
  test::as_eager(f, test::some<array<double, 2, 9>>(1));
}
