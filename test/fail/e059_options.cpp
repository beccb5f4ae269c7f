// SPDX-License-Identifier: BSD-3-Clause
// expect: E059
// remedy: each option once
#include <etna/language.hpp>

using namespace etna;

auto const f = [] { return max_pool<2, 2>(array<float, 1, 4, 4, 2>{}, window_strides<2>); };
using result = decltype(f());
