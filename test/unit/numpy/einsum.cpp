// SPDX-License-Identifier: BSD-3-Clause
#include "moving.hpp"

using namespace test::moving;
using namespace etna;
using test::near, test::as_eager;
template <extent... E> using d = array<double, E...>;

// The numbers are NumPy's: np.trace, np.diagonal of np.arange(n).reshape(shape).
TEST_CASE("trace and diagonal: of a matrix, and of the two axes in front") {
  d<3, 3> a{{0, 1, 2}, {3, 4, 5}, {6, 7, 8}};
  auto two = reshape<2, 2, 3>(arange<double, 12>());
  CHECK(trace(a).item() == 12);
  near(diagonal(a), d<3>{0, 4, 8});
  near(trace(two), d<3>{9, 11, 13});
  near(diagonal(two), d<3, 2>{{0, 9}, {1, 10}, {2, 11}});
  near(jit([](auto const& x) { return trace(x); })(two), d<3>{9, 11, 13});
  auto traces = [](d<3, 3> const& x) { return trace(x); };
  near(grad(traces)(a), eye<double, 3>());
  as_eager(grad([](d<3, 3> const& x) { return trace(dot(x, x)) * trace(x); }), a);
  d<2, 3, 3> stack = d<2, 3, 3>::build([](double* o) {
    for (int i = 0; i < 18; ++i) o[i] = i;
  });
  near(vmap(traces)(stack), d<2>{12, 39});
}
