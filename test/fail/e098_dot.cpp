// SPDX-License-Identifier: BSD-3-Clause
// expect: E098
#include <etna/language.hpp>

using namespace etna;

auto const f = [] { return dot<precision::bf16>(array<int, 3, 4>{}, array<int, 4, 5>{}); };
using result = decltype(f());
