// SPDX-License-Identifier: BSD-3-Clause
// expect: non-constant condition|not an integral constant expression
#include <etna/language.hpp>

using namespace etna;

// outside jit, in constant evaluation: the derivative of what was read would be lost
static_assert(grad([](auto x) { return x * double(x); })(2.0) == 2.0);
