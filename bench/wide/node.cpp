// SPDX-License-Identifier: BSD-3-Clause
// A neural ODE: 50 steps of Runge and Kutta for 256 states; gradient by the network.
#include "program.hpp"

namespace {

using namespace wide;
using states = array<float, 256, 2>;
struct net {
  array<float, 2, 64> w1;
  array<float, 64> b1;
  array<float, 64, 64> w2;
  array<float, 64> b2;
  array<float, 64, 2> w3;
  array<float, 2> b3;
};
constexpr auto slope = [](net const& p, states y) {
  return dot(tanh(dot(tanh(dot(y, p.w1) + p.b1), p.w2) + p.b2), p.w3) + p.b3;
};
constexpr auto loss = [](net const& p, states y0, states target) {
  constexpr float h = 0.05f;
  auto y = fori_loop<0, 50>(
      [&](auto, states y) {
        auto k1 = slope(p, y), k2 = slope(p, y + 0.5f * h * k1), k3 = slope(p, y + 0.5f * h * k2),
             k4 = slope(p, y + h * k3);
        return y + h / 6 * (k1 + 2.0f * k2 + 2.0f * k3 + k4);
      },
      y0);
  return mean(square(y - target));
};
constexpr auto f = jit([](net p, states y0, states target) { return grad(loss)(p, y0, target); });
entry const e("node", [](double seconds) {
  net p{fill<array<float, 2, 64>>(1),   fill<array<float, 64>>(2),         fill<array<float, 64, 64>>(3, 0.2),
        fill<array<float, 64>>(4, 0.2), fill<array<float, 64, 2>>(5, 0.2), fill<array<float, 2>>(6, 0.1)};
  run_or_show(seconds, f, p, fill<states>(7), fill<states>(8));
});

}  // namespace
