// SPDX-License-Identifier: BSD-3-Clause
// The language in one file, with the compiler's own library and no other: what one pastes into Compiler Explorer.
#include "language.hpp"

constexpr auto cube = [](auto x) { return x * x * x; };
static_assert(etna::grad(cube)(2.0) == 12.0);
static_assert(etna::grad(etna::grad(cube))(2.0) == 12.0);
