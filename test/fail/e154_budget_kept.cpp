// SPDX-License-Identifier: BSD-3-Clause
// expect: E154
#include <etna/etna.hpp>
#include <etna/exec/fit.hpp>

using namespace etna;

constexpr auto f =
    with_precision<precision::bf16>(fit<500>([](array<float, 8, 8> x) { return dot(dot(x, x) + x, x); }));
auto const y = f(array<float, 8, 8>{});
