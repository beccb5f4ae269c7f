// SPDX-License-Identifier: BSD-3-Clause
// expect: E036
// expect: max_pool<2, 2>
#include <etna/language.hpp>

using namespace etna;

auto const f = [] { return max_pool(array<float, 1, 4, 4, 2>{}, 2, 2); };
using result = decltype(f());
