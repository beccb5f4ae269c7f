// SPDX-License-Identifier: BSD-3-Clause
// expect: E002
// expect: from<double>
// expect: to<float>
#include <etna/language.hpp>

using namespace etna;

array<double, 3> const x;
array<float, 3> const y = x;
