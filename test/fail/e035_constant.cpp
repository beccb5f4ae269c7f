// SPDX-License-Identifier: BSD-3-Clause
// expect: E035|non-constant condition
#include <etna/language.hpp>

using namespace etna;

// outside jit, in constant evaluation: the derivative of what was read would be lost
static_assert(grad([](auto x) { return x * double(x); })(2.0) == 2.0);
