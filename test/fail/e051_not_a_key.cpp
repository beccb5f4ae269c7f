// SPDX-License-Identifier: BSD-3-Clause
// expect: E051
// expect: array<int, 2>
#include <etna/language.hpp>

using namespace etna;

auto const z = [] { return random::uniform<float, 3>(array<int, 2>{1, 2}); };
using result = decltype(z());
