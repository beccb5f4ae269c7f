// SPDX-License-Identifier: BSD-3-Clause
// expect: E090
#include <etna/etna.hpp>
#include <etna/exec/explain.hpp>

using namespace etna;

constexpr auto slope = jit(grad([](array<float, 3> x) { return sum(x * x); }));
auto z() { return explain(slope).text(); }
