// SPDX-License-Identifier: BSD-3-Clause
// expect: E097
// remedy: declare it, as in jit
#include <etna/interop/xtensor.hpp>
#include <etna/etna.hpp>

using namespace etna;

constexpr auto f = jit([](auto const& x) { return sum(x); });
auto g(xt::xtensor<float, 2> const& x) { return f(x); }
