// SPDX-License-Identifier: BSD-3-Clause
// The language alone, behind the same headers and macros.
#include "hostile.hpp"
//
#include <etna/language.hpp>

#include "hostile_after.hpp"

constexpr auto cube = [](auto x) { return x * x * x; };
static_assert(etna::grad(cube)(2.0) == 12.0);
