// SPDX-License-Identifier: BSD-3-Clause
// expect: E042
// expect: named<'n'>
#include <etna/language.hpp>

using namespace etna;

constexpr auto f = [](array<float, "n"_n, 3> const& x) { return roll<1>(x); };
auto const z = f({});
