// SPDX-License-Identifier: BSD-3-Clause
// expect: E057
// remedy: expand_dims
#include <etna/language.hpp>

using namespace etna;

auto const f = [] { return conv(array<float, 3, 8, 8>{}, array<float, 5, 3, 3, 3>{}); };
using result = decltype(f());
