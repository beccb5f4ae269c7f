// SPDX-License-Identifier: BSD-3-Clause
// A pose graph: 5,000 poses of rotation vector and translation, 20,000 edges; gradient of the sum of squared residuals.
#include "program.hpp"

namespace {

using namespace wide;
constexpr extent n = 5000, edges = 20000;
using vector = array<float, 3>;
using matrix = array<float, 3, 3>;
using pose = array<float, 6>;  // a rotation vector and a place
constexpr auto rotation_of = [](pose p) { return slice<range{0, 3}>(p); };
constexpr auto place_of = [](pose p) { return slice<range{3, 6}>(p); };

constexpr auto hat = [](vector w) {
  auto x = slice<0>(w), y = slice<1>(w), z = slice<2>(w), zero = zeros_like(x);
  return stack<0>(stack<0>(zero, -z, y), stack<0>(z, zero, -x), stack<0>(-y, x, zero));
};
constexpr auto exp_map = [](vector w) {
  auto squared = sum(w * w);
  auto small = squared < 1e-6f;
  auto safe = where(small, 1.0f, squared);
  auto angle = sqrt(safe);
  auto a = where(small, 1.0f - squared / 6.0f, sin(angle) / angle);
  auto b = where(small, 0.5f - squared / 24.0f, (1.0f - cos(angle)) / safe);
  auto k = hat(w);
  return eye<float, 3>() + a * k + b * matmul(k, k);
};
constexpr auto log_map = [](matrix r) {
  auto axis =
      stack<0>(slice<2, 1>(r) - slice<1, 2>(r), slice<0, 2>(r) - slice<2, 0>(r), slice<1, 0>(r) - slice<0, 1>(r));
  auto squared = 0.25f * sum(axis * axis);  // of the sine
  auto small = squared < 1e-6f;
  auto sine = sqrt(where(small, 1.0f, squared));
  auto angle = atan2(sine, 0.5f * (trace(r) - 1.0f));
  return where(small, 0.5f + squared / 12.0f, 0.5f * angle / sine) * axis;
};
constexpr auto residual = [](pose from, pose to, pose measured) {
  auto turned = exp_map(rotation_of(from));
  auto between = matmul(transpose(turned), exp_map(rotation_of(to)));
  auto shift = matmul(transpose(turned), place_of(to) - place_of(from));
  return concatenate<0>(log_map(matmul(transpose(exp_map(rotation_of(measured))), between)),
                        shift - place_of(measured));
};
constexpr auto energy = [](array<float, n, 6> poses, array<int, edges, 2> ends, array<float, edges, 6> measured) {
  auto from = take<0>(poses, slice<every, 0>(ends)), to = take<0>(poses, slice<every, 1>(ends));
  return sum(square(vmap(residual)(from, to, measured)));
};
constexpr auto f = jit([](array<float, n, 6> poses, array<int, edges, 2> ends, array<float, edges, 6> measured) {
  return value_and_grad(energy)(poses, ends, measured);
});
entry const e("poses", [](double seconds) {
  auto poses = fill<array<float, n, 6>>(1, 0.5);
  run_or_show(seconds, f, poses, fill_int<array<int, edges, 2>>(2, n), fill<array<float, edges, 6>>(3, 0.5));
});

}  // namespace
