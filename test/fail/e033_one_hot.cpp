// SPDX-License-Identifier: BSD-3-Clause
// expect: E033
// expect: array<float, 4>
#include <etna/language.hpp>

using namespace etna;

auto const z = one_hot<float, 10>(array<float, 4>{});
