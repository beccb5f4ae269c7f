// SPDX-License-Identifier: BSD-3-Clause
// expect: E097
#include <etna/interop/span.hpp>
#include <etna/etna.hpp>
#include <vector>

using namespace etna;

constexpr auto f = jit(vmap<0>([](array<float> const& x) { return x * x; }));
auto g(std::vector<float> const& x) { return f(x); }
