// SPDX-License-Identifier: BSD-3-Clause
// expect: E003
// expect: shape<2, 4>
// expect: shape<2, 3>
#include <etna/interop/xtensor.hpp>
#include <xtensor/containers/xfixed.hpp>
#include <etna/etna.hpp>

using namespace etna;

constexpr auto f = jit([](array<float, 2, 3> const& x) { return sum(x); });
auto g(xt::xtensor_fixed<float, xt::xshape<2, 4>> const& x) { return f(x); }
