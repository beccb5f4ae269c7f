// SPDX-License-Identifier: BSD-3-Clause
// expect: E096
#include <etna/language.hpp>

using namespace etna;

auto const z = nn::batch_norm<float, 3>{}(array<float, 3>{}, {}, nn::training);
