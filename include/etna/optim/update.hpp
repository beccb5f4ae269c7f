// SPDX-License-Identifier: BSD-3-Clause
// The optim room: optimizers as pure functions of (gradient, state) over trees, in Optax's form:
// `auto [updates, next] = rule.update(gradient, state)`. This file adds the updates to parameters.
// Read next: sgd.hpp.
#pragma once
#include <etna/array/tree.hpp>
#include <etna/numpy/create.hpp>
#include <etna/numpy/math.hpp>

namespace etna::optim {

/// Parameters with their updates added, each leaf in the parameters' element type.
///
/// shape   two trees of one structure -> the same
/// errors  E022 the trees differ in structure
/// source  Optax apply_updates
template <class P, class U> constexpr auto apply_updates(P const& parameters, U const& updates) {
  return tree::map(
      [](auto const& p, auto const& u) { return astype<typename std::remove_cvref_t<decltype(p)>::value_type>(p + u); },
      parameters, updates);
}

}  // namespace etna::optim
