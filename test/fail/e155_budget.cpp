// SPDX-License-Identifier: BSD-3-Clause
// expect: E155
#include <etna/etna.hpp>
#include <etna/exec/fit.hpp>

using namespace etna;

constexpr auto f = fit<1 * MiB>(jit([](array<float, "n"_n, 8> x) { return x * 2; }));
auto const y = f(array<float, "n"_n, 8>{});
