// SPDX-License-Identifier: BSD-3-Clause
// expect: E022
#include <etna/language.hpp>

using namespace etna;

auto const z = tree::combine(nn::dense<float, 3, 3>{}, nn::dense<float, 3, 3>{});
