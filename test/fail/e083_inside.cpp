// SPDX-License-Identifier: BSD-3-Clause
// expect: E083
// expect: lambda
#include <etna/etna.hpp>

using namespace etna;

constexpr auto f = [](array<float, "n"_n> const& x) { return sum(x) * sum(zeros<float, "m"_n>() + 1); };
auto g(array<float, "n"_n> x) { return jit(f)(x); }
