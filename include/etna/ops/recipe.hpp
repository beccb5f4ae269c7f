// SPDX-License-Identifier: BSD-3-Clause
// Constants without a traced operand (a literal, zeros, a ramp) live in a small counted graph of
// their own in constant evaluation, until a traced operand takes it in. Read next: known.hpp.
#pragma once
#include "table.hpp"

namespace etna::tracing {

inline constexpr capacity recipe_capacity{16, 48, 96, 64};

constexpr var recipe_full(tensor_type const& t, std::int64_t bits) {
  graph* g = graph::make(recipe_capacity);
  return emit(ops::code<ops::full_p>, nullptr, 0, &bits, 1, t, g);
}
constexpr var recipe_data(tensor_type const& t, std::int64_t const* bits, int n) {
  graph* g = graph::make(recipe_capacity);
  return emit(ops::code<ops::literal_p>, nullptr, 0, bits, n, t, g);
}

}  // namespace etna::tracing
