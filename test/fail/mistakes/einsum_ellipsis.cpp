// SPDX-License-Identifier: BSD-3-Clause
// expect: E028
// expect: shape<2, 3>
// remedy: ellipsis
#include <etna/etna.hpp>

using namespace etna;

auto const f = jit([](array<float, 2, 3> x, array<float, 3, 4> y) { return einsum<"...i,ij->...j">(x, y); });
auto const r = f(array<float, 2, 3>{}, array<float, 3, 4>{});
