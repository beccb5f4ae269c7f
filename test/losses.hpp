// SPDX-License-Identifier: BSD-3-Clause
// Losses as test/data/optim.py has them: values, and gradients along a cotangent by the formula.
#pragma once
#include "data/optim.inc.hpp"
#include "layers.hpp"

namespace test {

/// f of floating arguments is Optax's, with its gradients, eager and in jit.
template <class F, class... A>
void is_loss_of_optax(std::vector<std::vector<double>> const& should, F const&, A const&... args) {
  constexpr auto pulled = [](auto const& ct, A const&... x) {
    auto [y, pull] = vjp(F{}, x...);
    return std::pair{y, pull(ct)};
  };
  auto const ct = some<std::remove_cvref_t<decltype(F{}(args...))>>(90);
  check_leaves(leaves(pulled(ct, args...)), should);
  check_leaves(leaves(jit(pulled)(ct, args...)), should);
}

using rows = array<double, 3, 4>;
inline rows const x = some<rows>(50), y = some<rows>(51), z = some<rows>(52), shares = softmax(2 * y);
inline array<int, 3> const labels{2, 0, 3};
inline rows const one_hot_labels = one_hot<double, 4>(labels), signs = where(y > 0, 1., array<double>(-1.));

}  // namespace test
