// SPDX-License-Identifier: BSD-3-Clause
// Helper of the tests of steps that run tile by tile.
#pragma once
#include "same.hpp"

namespace test {

/// The sizes of the groups of steps that run together.
template <class F, class... P> std::vector<int> groups() {
  std::vector<int> r;
  auto const& p = compiler::program<F, P...>::value;
  for (int s = 0; s < p.n_steps; ++s)
    if (p.steps[s].grouped) r.push_back(p.steps[s].grouped);
  return r;
}

}  // namespace test
