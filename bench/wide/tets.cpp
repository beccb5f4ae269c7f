// SPDX-License-Identifier: BSD-3-Clause
// 20,250 tetrahedra of a grid: neo-Hookean energy and its gradient by the vertices.
#include "program.hpp"

namespace {

using namespace wide;
constexpr extent side = 15, vertices = (side + 1) * (side + 1) * (side + 1), tets = 6 * side * side * side;
using positions = array<float, vertices, 3>;
using corners = array<int, tets, 4>;
using matrix = array<float, 3, 3>;
constexpr float mu = 1, lambda = 10;

constexpr auto element = [](array<float, 4, 3> x, matrix inverse, auto volume) {
  auto f = matmul(transpose(slice<range{1, 4}>(x) - slice<0>(x)), inverse);
  auto j = log(linalg::det(f));
  return volume * (mu / 2 * (sum(square(f)) - 3.0f) - mu * j + lambda / 2 * square(j));
};
constexpr auto energy = [](positions x, corners ids, array<float, tets, 3, 3> inverses, array<float, tets> volumes) {
  return sum(vmap(element)(take<0>(x, ids), inverses, volumes));
};
constexpr auto f = jit([](positions x, corners ids, array<float, tets, 3, 3> inverses, array<float, tets> volumes) {
  return value_and_grad(energy)(x, ids, inverses, volumes);
});
entry const e("tets", [](double seconds) {
  auto rest = positions::build([](float* o) {
    for (int i = 0; i < vertices; ++i)
      for (int at : {i / ((side + 1) * (side + 1)), i / (side + 1) % (side + 1), i % (side + 1)}) *o++ = float(at);
  });
  // Kuhn's six of each cube: along the axes in each order.
  auto ids = corners::build([](int* o) {
    constexpr int steps[] = {(side + 1) * (side + 1), side + 1, 1};
    constexpr int orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    for (int c = 0; c < side * side * side; ++c)
      for (int k = 0; k < 6; ++k) {
        int v = c / (side * side) * steps[0] + c / side % side * steps[1] + c % side;
        *o++ = v;
        for (int axis : orders[k]) *o++ = v += steps[axis];
        if (k > 2) std::swap(o[-1], o[-2]);
      }
  });
  auto edges = take<0>(rest, ids);
  auto inverses = vmap([](array<float, 4, 3> x) {
    return linalg::inv(transpose(slice<range{1, 4}>(x) - slice<0>(x)));
  })(edges);
  run_or_show(seconds, f, rest + fill<positions>(1, 0.1), ids, inverses, full<float, tets>(1 / 6.0f));
});

}  // namespace
