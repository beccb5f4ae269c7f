// SPDX-License-Identifier: BSD-3-Clause
// expect: E053
// remedy: split
// remedy: fold_in
#include <etna/etna.hpp>

using namespace etna;

auto const f = jit([](array<int> seed) { return random::normal<float, 3>(random::key(seed) + 1); });
auto const r = f(1);
