// SPDX-License-Identifier: BSD-3-Clause
// expect: E002
// expect: from<int>
// expect: to<bool>
#include <etna/language.hpp>

using namespace etna;

void f(array<bool, 3>& y, array<int, 3> const& x) { y = x; }
