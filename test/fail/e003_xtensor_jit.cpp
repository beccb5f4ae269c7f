// SPDX-License-Identifier: BSD-3-Clause
// expect: E003
// expect: rank<1>
// expect: rank<2>
// remedy: declare the array with as many
#include <etna/interop/xtensor.hpp>
#include <etna/etna.hpp>

using namespace etna;

constexpr auto f = jit([](array<float, "n"_n, 3> const& x) { return sum(x); });
auto g(xt::xtensor<float, 1> const& x) { return f(x); }
