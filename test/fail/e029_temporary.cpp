// SPDX-License-Identifier: BSD-3-Clause
// expect: E029
#include <etna/etna.hpp>

using namespace etna;

using rows = array<float, "batch"_n, "time"_n, 3>;
constexpr auto f = jit([](rows x, array<float, 3, 3> w) { return exp(dot(exp(x), w)); });
auto g(rows const& x) { return f(x, eye<float, 3>()); }
