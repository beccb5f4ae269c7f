// SPDX-License-Identifier: BSD-3-Clause
// A program's own rows, fused and at a point, against the interpreter.
#include "../../../examples/08_own_primitive.hpp"

#include "kokkos.hpp"
#include "unit/straight/scalars_rows.hpp"

using namespace etna;

TEST_CASE("own rows: fused, against the interpreter") {
  test::fused::test_row<ops::code<own::softsign_p>>();
  test::fused::test_row<ops::code<own::laplacian_p>>();
  test::with_kokkos();
  test::fused::test_row<ops::code<own::laplacian_p>>();  // its loop is Kokkos' now
}

TEST_CASE("own rows: at a point; one that is a loop of its own has no form for single numbers") {
  CHECK(test::at_a_point::row_at_a_point<ops::code<own::softsign_p>>());
  CHECK(!test::at_a_point::row_at_a_point<ops::code<own::laplacian_p>>());
}

TEST_CASE("own rows: large arrays, in f32, beside kernels") {
  test::with_kokkos();
  auto f = [](array<float, 300, 500> x) {
    return value_and_grad([](auto const& x) {
      return sum(square(numpy::real_of<own::laplacian_p>(numpy::real_of<own::softsign_p>(x) * 2.0)));
    })(x);
  };
  test::as_eager(f, test::some<array<float, 300, 500>>(1));
}
