// SPDX-License-Identifier: BSD-3-Clause
// expect: E154
#include <etna/etna.hpp>
#include <etna/exec/fit.hpp>

using namespace etna;

constexpr auto f = fit<500>(jit([](array<float, 8, 8> x) { return dot(dot(x, x) + x, x); }));
auto const y = f(array<float, 8, 8>{});
