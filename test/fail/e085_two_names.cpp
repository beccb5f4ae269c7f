// SPDX-License-Identifier: BSD-3-Clause
// expect: E085
// expect: lambda
#include <etna/etna.hpp>

using namespace etna;

constexpr auto f = [](array<float, "n"_n, "m"_n> const& x) { return x + x; };
auto g(array<float, "n"_n, "m"_n> x) { return bucket<16, 64>(f)(x); }
