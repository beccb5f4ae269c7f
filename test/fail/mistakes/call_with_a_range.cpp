// SPDX-License-Identifier: BSD-3-Clause
// expect: E056
// expect: shape<4>
// expect: range
// remedy: slice<range\{1, 3\}>\(x\)
#include <etna/etna.hpp>

using namespace etna;

auto const f = jit([](array<float, 4> x) { return x(range{1, 3}); });
auto const r = f(array<float, 4>{});
