// SPDX-License-Identifier: BSD-3-Clause
// expect: E001
// expect: mul_p
// expect: named<'b', 'a', 't', 'c', 'h'>
// expect: size<3>
#include <etna/language.hpp>

using namespace etna;

array<float, "batch"_n, 3> const x;
array<float, "time"_n, 1> const y;
auto const z = x * y;
