// SPDX-License-Identifier: BSD-3-Clause
// expect: E034
// expect: from<float>
// expect: to<double>
#include <etna/language.hpp>

using namespace etna;

array<float, 3> const x;
array<double, 3> const y = x;
