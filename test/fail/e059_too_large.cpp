// SPDX-License-Identifier: BSD-3-Clause
// expect: E059
// remedy: padding_same
#include <etna/language.hpp>

using namespace etna;

auto const f = [] { return conv(array<float, 1, 3, 4, 4>{}, array<float, 5, 3, 5, 3>{}, padding<0, 0, 1, 1>); };
using result = decltype(f());
