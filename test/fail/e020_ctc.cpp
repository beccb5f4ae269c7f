// SPDX-License-Identifier: BSD-3-Clause
// expect: E020
#include <etna/language.hpp>

using namespace etna;

auto const z = ctc_loss(array<float, 2, 7, 5>{}, array<float, 2, 7>{}, array<float, 2, 3>{}, array<float, 2, 3>{});
