// SPDX-License-Identifier: BSD-3-Clause
// expect: E002
// expect: from<double>
// expect: to<float>
// remedy: astype
#include <etna/etna.hpp>

using namespace etna;

struct model {
  array<float, 3> w;
};
auto const f = jit([](model m, array<double> rate) { return model{m.w - rate * m.w}; });
auto const r = f(model{}, array<double>(0.1));
