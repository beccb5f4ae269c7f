// SPDX-License-Identifier: BSD-3-Clause
// expect: E021
// expect: shape<4, 1>
// expect: shape<4, 10>
#include <etna/language.hpp>

using namespace etna;

auto const z = squared_error(array<float, 4, 1>{}, array<float, 4, 10>{});
