// SPDX-License-Identifier: BSD-3-Clause
// expect: E037
// expect: it takes descending alone
#include <etna/language.hpp>

using namespace etna;

array<float, 2, 3> const x;
auto const z = sort<0>(x, "descending");
