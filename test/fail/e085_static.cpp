// SPDX-License-Identifier: BSD-3-Clause
// expect: E085
// expect: lambda
#include <etna/etna.hpp>

using namespace etna;

constexpr auto f = [](auto const& x) { return x + x; };
auto g(array<float, 3> x) { return bucket<"n"_n, 16, 64>(f)(x); }
