// SPDX-License-Identifier: BSD-3-Clause
// expect: E054
// expect: int
#include <etna/language.hpp>

using namespace etna;

auto const z = [] { return random::uniform<int, 3>(random::key(0)); };
using result = decltype(z());
