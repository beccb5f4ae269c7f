// SPDX-License-Identifier: BSD-3-Clause
// expect: E086
// expect: lambda
#include <etna/etna.hpp>

using namespace etna;

constexpr auto f = [](array<float, "n"_n, 2> const& x) { return ravel(x); };
auto g(array<float, "n"_n, 2> x) { return bucket<16, 64>(f)(x); }
