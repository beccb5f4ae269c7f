// SPDX-License-Identifier: BSD-3-Clause
// 1,000 steps of Runge and Kutta's fourth order on 16 states, and the gradient through them.
#include "job.hpp"

namespace {

using namespace bench;
using state = array<float, 16>;

constexpr auto rk4 = jit(grad([](state start, state k) {
  auto slope = [&](state y) { return tanh(k * y) - 0.5f * y; };
  auto step = [&](state y) {
    constexpr float h = 0.01f;
    state a = slope(y), b = slope(y + 0.5f * h * a), c = slope(y + 0.5f * h * b), d = slope(y + h * c);
    return std::pair{state(y + h / 6 * (a + 2.0f * b + 2.0f * c + d)), std::tuple<>{}};
  };
  state end = scan<1000>(step, start).first;
  return sum(end * end);
}));

entry const a1("etna", "rk4", [] { return of(rk4, 1, filled<state>(12, 2), filled<state>(13, 2, 1)); });

}  // namespace
