// SPDX-License-Identifier: BSD-3-Clause
// Real spherical harmonics to degree 4 of 100,000 unit vectors; gradient of a weighted sum by the vectors.
#include "program.hpp"

namespace {

using namespace wide;
constexpr extent n = 100000;
using vector = array<float, 3>;
using vectors = array<float, n, 3>;
using columns = array<float, n, 25>;

constexpr auto harmonics = [](vector v) {
  auto x = slice<0>(v), y = slice<1>(v), z = slice<2>(v);
  auto x2 = x * x, y2 = y * y, z2 = z * z, xy = x * y, yz = y * z, zx = z * x, differ = x2 - y2;
  return stack<0>(0.28209479f * ones_like(x), 0.48860251f * y, 0.48860251f * z, 0.48860251f * x, 1.0925484f * xy,
                  1.0925484f * yz, 0.31539157f * (3.0f * z2 - 1.0f), 1.0925484f * zx, 0.54627422f * differ,
                  0.59004359f * y * (3.0f * x2 - y2), 2.8906114f * xy * z, 0.4570458f * y * (5.0f * z2 - 1.0f),
                  0.37317633f * z * (5.0f * z2 - 3.0f), 0.4570458f * x * (5.0f * z2 - 1.0f), 1.4453057f * z * differ,
                  0.59004359f * x * (x2 - 3.0f * y2), 2.5033429f * xy * differ, 1.7701308f * yz * (3.0f * x2 - y2),
                  0.94617470f * xy * (7.0f * z2 - 1.0f), 0.66904654f * yz * (7.0f * z2 - 3.0f),
                  0.10578555f * (35.0f * z2 * z2 - 30.0f * z2 + 3.0f), 0.66904654f * zx * (7.0f * z2 - 3.0f),
                  0.47308735f * differ * (7.0f * z2 - 1.0f), 1.7701308f * zx * (x2 - 3.0f * y2),
                  0.62583574f * (x2 * (x2 - 3.0f * y2) - y2 * (3.0f * x2 - y2)));
};
constexpr auto weighted = [](vector v, array<float, 25> weights) { return dot(harmonics(v), weights); };
constexpr auto f = jit([](vectors v, columns weights) {
  return std::pair{vmap(harmonics)(v), vmap(grad(weighted))(v, weights)};
});
entry const e("harmonics", [](double seconds) {
  auto v = fill<vectors>(1);
  run_or_show(seconds, f, v / expand_dims<1>(linalg::norm<1>(v)), fill<columns>(2));
});

}  // namespace
