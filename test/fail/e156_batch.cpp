// SPDX-License-Identifier: BSD-3-Clause
// expect: E156
#include <etna/etna.hpp>
#include <etna/exec/fit.hpp>

using namespace etna;

template <extent N> constexpr auto f = jit([](array<float, N, 800> x) { return x * 2; });
constexpr extent n = max_batch<1 * KiB>([]<extent N>() { return f<N>; });
