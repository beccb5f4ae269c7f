// SPDX-License-Identifier: BSD-3-Clause
// expect: E002
// expect: from<float>
// expect: to<int>
#include <etna/language.hpp>

using namespace etna;

array<int, 2, 3> const x;
auto const z = x.at<1>().set(array<float, 3>{});
