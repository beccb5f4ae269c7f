// SPDX-License-Identifier: BSD-3-Clause
// expect: E054
// expect: double
#include <etna/language.hpp>

using namespace etna;

auto const z = [] { return random::randint<double, 3>(random::key(0), 0, 5); };
using result = decltype(z());
