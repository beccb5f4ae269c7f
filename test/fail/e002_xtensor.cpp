// SPDX-License-Identifier: BSD-3-Clause
// expect: E002
// expect: from<double>
// expect: to<float>
#include <etna/interop/xtensor.hpp>

using namespace etna;

auto const x = from_xtensor<array<float, 3>>(xt::xtensor<double, 1>{1, 2, 3});
