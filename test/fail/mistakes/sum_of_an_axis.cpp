// SPDX-License-Identifier: BSD-3-Clause
// expect: E036
// remedy: sum<0>\(x\)
#include <etna/etna.hpp>

using namespace etna;

auto z(array<float, 3, 2> x) { return x - sum(x, 0); }
