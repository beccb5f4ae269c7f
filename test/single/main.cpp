// SPDX-License-Identifier: BSD-3-Clause
// The generated header alone: nothing of include/ is in reach.
#include "etna.hpp"

#if __has_include(<etna/etna.hpp>)
#error "the tree's headers are in reach, so this says nothing about the single one"
#endif

double elsewhere(etna::array<double, 4> const& x);
constexpr auto squares = etna::jit(etna::grad([](etna::array<double, 4> x) { return etna::sum(x * x * x); }));

int main() {
  etna::array<double, 4> x{1, 2, 3, 4};
  double u[4] = {1, 2, 3, 4};
  auto g = etna::point(etna::grad([](etna::array<double, 4> y) { return etna::sum(y * y); }))(u);
  return squares(x)(3) == 48 && g(2) == 6 && elsewhere(x) == 30 ? 0 : 1;
}
