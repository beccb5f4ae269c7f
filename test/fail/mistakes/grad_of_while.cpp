// SPDX-License-Identifier: BSD-3-Clause
// expect: E075
// remedy: while_loop<N>
#include <etna/etna.hpp>

using namespace etna;

constexpr auto loss = [](array<double> x) {
  return while_loop([](auto const& y) { return y < 100.0; }, [](auto const& y) { return y * y; }, x);
};
auto const f = jit([](array<double> x) { return grad(loss)(x); });
auto const r = f(2.0);
