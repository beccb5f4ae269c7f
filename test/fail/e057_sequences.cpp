// SPDX-License-Identifier: BSD-3-Clause
// expect: E057
// remedy: valid
#include <etna/language.hpp>

using namespace etna;

auto const f = [] { return convolve<"sane">(array<float, 8>{}, array<float, 3>{}); };
using result = decltype(f());
