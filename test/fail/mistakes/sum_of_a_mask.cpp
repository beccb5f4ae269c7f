// SPDX-License-Identifier: BSD-3-Clause
// expect: E037
// remedy: where\(mask, x, 0\)
#include <etna/etna.hpp>

using namespace etna;

auto z(array<float, 3> x) { return sum(x, x > 0); }
