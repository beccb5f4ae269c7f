// SPDX-License-Identifier: BSD-3-Clause
// expect: E056
// expect: shape<3>
// remedy: slice<1>\(x\)
// remedy: take\(x, i\)
#include <etna/etna.hpp>

using namespace etna;

auto const f = jit([](array<float, 3> x) { return x[1]; });
auto const r = f(array<float, 3>{});
