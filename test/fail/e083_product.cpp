// SPDX-License-Identifier: BSD-3-Clause
// expect: E083
// expect: lambda
#include <etna/etna.hpp>

using namespace etna;

constexpr auto f = [](array<float, ext::mul("n"_n, "m"_n)> const& x) { return sum(x); };
auto g(array<float, ext::mul("n"_n, "m"_n)> x) { return jit(f)(x); }
