// SPDX-License-Identifier: BSD-3-Clause
// The cost of a call: a gradient and a Hessian-vector product of four numbers.
#include "job.hpp"

namespace {

using namespace bench;
using four = array<float, 4>;

constexpr auto gradient = jit(grad([](four x) { return sum(x * x); }));
constexpr auto hvp = jit([](four x, four v) { return jvp(grad([](four y) { return sum(y * y * y); }), x, v).second; });

ETNA_NOINLINE void by_hand(float const* x, float* g) {
  for (int i = 0; i < 4; ++i) g[i] = 2 * x[i];
  use(g);
}
ETNA_NOINLINE void by_hand(float const* x, float const* v, float* h) {
  for (int i = 0; i < 4; ++i) h[i] = 6 * x[i] * v[i];
  use(h);
}

entry const a1("etna", "grad4", [] { return of(gradient, 1000, four{1, 2, 3, 4}); });
entry const a2("etna", "hvp4", [] { return of(hvp, 1000, four{1, 2, 3, 4}, four{4, 3, 2, 1}); });

job hand(bool second) {
  auto x = std::make_shared<std::array<float, 12>>(std::array<float, 12>{1, 2, 3, 4, 4, 3, 2, 1});
  auto run = [x, second] {
    float* p = x->data();
    if (second) by_hand(p, p + 4, p + 8);
    else by_hand(p, p + 8);
  };
  return {run,
          [=] {
            run();
            std::pair<double, double> s{0, 0};
            add_numbers(s, x->data() + 8, 4);
            return s;
          },
          1000};
}
entry const c1("cpp", "grad4", [] { return hand(false); });
entry const c2("cpp", "hvp4", [] { return hand(true); });

}  // namespace
