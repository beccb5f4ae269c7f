// SPDX-License-Identifier: BSD-3-Clause
// expect: E034
// expect: from<float>
// expect: to<double>
#include <etna/interop/xtensor.hpp>
#include <etna/etna.hpp>

using namespace etna;

constexpr auto f = jit([](array<double, "n"_n> const& x) { return sum(x); });
auto g(xt::xtensor<float, 1> const& x) { return f(x); }
