// SPDX-License-Identifier: BSD-3-Clause
// expect: E002
// expect: from<double>
// expect: to<int>
#include <etna/language.hpp>

using namespace etna;

auto const x = full<int, 3>(0.5);
