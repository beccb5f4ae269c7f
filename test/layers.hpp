// SPDX-License-Identifier: BSD-3-Clause
// Layers whose parameters are numbers by a formula, as test/data/layers.py has them, compared with what that wrote.
#pragma once
#include <algorithm>

#include "same.hpp"

namespace test {

inline void check_leaves(std::vector<leaf> const& is, std::vector<std::vector<double>> const& should) {
  REQUIRE(is.size() == should.size());
  for (std::size_t k = 0; k < is.size(); ++k) {
    REQUIRE(is[k].x.size() == should[k].size());
    double worst = 0;
    for (std::size_t i = 0; i < is[k].x.size(); ++i)
      worst = std::max(worst, std::abs(is[k].x[i] - should[k][i]) / (0.1 + std::abs(should[k][i])));
    CAPTURE(k);
    CHECK(worst < 1e-11);
  }
}
/// Leaf number k is some(k + 1).
template <class L> L filled() {
  int seed = 0;
  return tree::map([&](auto const& x) { return some<std::remove_cvref_t<decltype(x)>>(++seed); }, L{});
}
struct call_layer {
  template <class L, class X> constexpr auto operator()(L const& layer, X const& x) const { return layer(x); }
};
/// f(layer, x), and gradients for the layer and x along the cotangent of layers.py, eager and in jit.
template <class L, class X, class F = call_layer> void against(std::vector<std::vector<double>> const& should, F = {}) {
  auto p = filled<L>();
  auto x = some<X>(50);
  auto ct = some<decltype(F{}(p, x))>(90);
  auto pulled = [](auto const& ct, L const& p, X const& x) {
    auto [y, pull] = vjp(F{}, p, x);
    return std::pair{y, pull(ct)};
  };
  check_leaves(leaves(pulled(ct, p, x)), should);
  check_leaves(leaves(jit(pulled)(ct, p, x)), should);
}

}  // namespace test
