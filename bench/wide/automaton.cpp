// SPDX-License-Identifier: BSD-3-Clause
// Twenty generations of the game of life on a torus of 512 x 512 bytes.
#include "program.hpp"

namespace {

using namespace wide;
using cells = array<std::uint8_t, 512, 512>;
constexpr auto next = [](cells x) {
  auto rows = roll<1, 0>(x) + x + roll<-1, 0>(x);
  auto around = roll<1, 1>(rows) + rows + roll<-1, 1>(rows) - x;
  return astype<std::uint8_t>(around == 3 || (around == 2 && x == 1));
};
constexpr auto f = jit([](cells x) { return fori_loop<0, 20>([](auto, cells x) { return next(x); }, x); });
entry const e("automaton", [](double seconds) {
  run_or_show(seconds, f, astype<std::uint8_t>(fill<array<float, 512, 512>>(1) > 0.3f));
});

}  // namespace
