// SPDX-License-Identifier: BSD-3-Clause
// expect: E156
#include <etna/etna.hpp>
#include <etna/exec/fit.hpp>

using namespace etna;

constexpr auto f = [](array<float, 8, 8> x) { return x * 2; };
constexpr extent n = max_batch<1 * MiB>(f);
