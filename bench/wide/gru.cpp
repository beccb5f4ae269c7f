// SPDX-License-Identifier: BSD-3-Clause
// A gated recurrent cell over 100 steps for 32 sequences; gradient by its parameters.
#include "program.hpp"

namespace {

using namespace wide;
struct cell {
  array<float, 32, 192> wx;
  array<float, 64, 192> wh;
  array<float, 192> b;
  array<float, 64> wo;
  array<float> bo;
};
using sequences = array<float, 100, 32, 32>;
using hidden = array<float, 32, 64>;
constexpr auto loss = [](cell const& p, sequences x, array<float, 32> y) {
  auto step = [&](hidden h, array<float, 32, 32> now) {
    auto [xr, xz, xn] = split<3, 1>(dot(now, p.wx) + p.b);
    auto [hr, hz, hn] = split<3, 1>(dot(h, p.wh));
    auto r = sigmoid(xr + hr), z = sigmoid(xz + hz), n = tanh(xn + r * hn);
    return (1.0f - z) * n + z * h;
  };
  auto h = scan(
               [&](hidden h, array<float, 32, 32> now) {
                 return std::pair{step(h, now), std::tuple<>{}};
               },
               zeros<float, 32, 64>(), x)
               .first;
  return mean(square(dot(h, p.wo) + p.bo - y));
};
constexpr auto f = jit([](cell p, sequences x, array<float, 32> y) { return grad(loss)(p, x, y); });
entry const e("gru", [](double seconds) {
  cell p{fill<array<float, 32, 192>>(1, 0.3), fill<array<float, 64, 192>>(2, 0.2), fill<array<float, 192>>(3, 0.2),
         fill<array<float, 64>>(4, 0.5), fill<array<float>>(5)};
  run_or_show(seconds, f, p, fill<sequences>(6), fill<array<float, 32>>(7));
});

}  // namespace
