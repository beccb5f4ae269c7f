// SPDX-License-Identifier: BSD-3-Clause
// A mixture density network: 8,192 rows of four numbers, 32 hidden, eight normal components; gradient by parameters.
#include "program.hpp"

namespace {

using namespace wide;
constexpr extent n = 8192, components = 8;
struct network {
  array<float, 4, 32> w1;
  array<float, 32> b1;
  array<float, 32, 3 * components> w2;
  array<float, 3 * components> b2;
};
constexpr auto likelihood = [](network const& p, array<float, 4> x, array<float> y) {
  auto [logits, mean, log_scale] = split<3>(dot(tanh(dot(x, p.w1) + p.b1), p.w2) + p.b2);
  auto z = (y - mean) * exp(-log_scale);
  return logsumexp(log_softmax(logits) - 0.5f * square(z) - log_scale) - 0.91893853f;
};
constexpr auto loss = [](network const& p, array<float, n, 4> x, array<float, n> y) {
  return -mean(vmap<none, 0, 0>(likelihood)(p, x, y));
};
constexpr auto f =
    jit([](network p, array<float, n, 4> x, array<float, n> y) { return value_and_grad(loss)(p, x, y); });
entry const e("mdn", [](double seconds) {
  network p{fill<array<float, 4, 32>>(1), fill<array<float, 32>>(2), fill<array<float, 32, 3 * components>>(3, 0.3),
            fill<array<float, 3 * components>>(4, 0.3)};
  run_or_show(seconds, f, p, fill<array<float, n, 4>>(5), fill<array<float, n>>(6, 2));
});

}  // namespace
