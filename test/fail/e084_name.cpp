// SPDX-License-Identifier: BSD-3-Clause
// expect: E084
// expect: indices
#include <etna/etna.hpp>

using namespace etna;

constexpr auto f = [](array<float, "n"_n> const& x) { return x + x; };
auto const g = bucket<"n"_n>(f, with_mask);
