// SPDX-License-Identifier: BSD-3-Clause
// expect: E021
#include <etna/language.hpp>

using namespace etna;

auto const z = huber_loss(array<float, 4, 1>{}, array<float, 4>{});
