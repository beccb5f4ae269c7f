// SPDX-License-Identifier: BSD-3-Clause
// An LSTM cell of 16 over 50 steps, written for one sequence, of 128 under vmap; gradient by its parameters.
#include "program.hpp"

namespace {

using namespace wide;
constexpr extent n = 128, steps = 50, in = 8, units = 16;
using row = array<float, units>;
using sequence = array<float, steps, in>;
struct cell {
  array<float, in, 4 * units> wx;
  array<float, units, 4 * units> wh;
  array<float, 4 * units> b;
  row wo;
};
struct state {
  row h, c;
};
constexpr auto last = [](cell const& p, sequence x) {
  auto step = [&](state const& s, array<float, in> now) {
    auto [i, f, g, o] = split<4, 0>(dot(now, p.wx) + dot(s.h, p.wh) + p.b);
    auto c = sigmoid(f) * s.c + sigmoid(i) * tanh(g);
    return std::pair{state{sigmoid(o) * tanh(c), c}, std::tuple<>{}};
  };
  return dot(scan(step, state{zeros<float, units>(), zeros<float, units>()}, x).first.h, p.wo);
};
constexpr auto loss = [](cell const& p, array<float, n, steps, in> x, array<float, n> y) {
  return mean(square(vmap([&](sequence x) { return last(p, x); })(x) - y));
};
constexpr auto f =
    jit([](cell p, array<float, n, steps, in> x, array<float, n> y) { return value_and_grad(loss)(p, x, y); });
entry const e("lstm", [](double seconds) {
  cell p{fill<array<float, in, 4 * units>>(1, 0.3), fill<array<float, units, 4 * units>>(2, 0.3),
         fill<array<float, 4 * units>>(3), fill<row>(4)};
  run_or_show(seconds, f, p, fill<array<float, n, steps, in>>(5), fill<array<float, n>>(6));
});

}  // namespace
