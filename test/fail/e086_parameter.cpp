// SPDX-License-Identifier: BSD-3-Clause
// expect: E086
// expect: lambda
#include <etna/etna.hpp>

using namespace etna;

constexpr auto f = [](array<float, "n"_n> const& x, array<float, ext::mul(2, "n"_n)> const& y) {
  return sum(x) + sum(y);
};
auto g(array<float, "n"_n> x, array<float, ext::mul(2, "n"_n)> y) { return bucket<16, 64>(f)(x, y); }
