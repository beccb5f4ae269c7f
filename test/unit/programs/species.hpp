// SPDX-License-Identifier: BSD-3-Clause
// The differential equation of the integrators: two species, one of which eats the other.
#pragma once
#include "as_jax.hpp"

namespace test {

using scalar = array<double>;
using state = array<double, 2>;
using rates = array<double, 4>;

// y0' = y0 (p0 - p1 y1), y1' = y1 (p2 y0 - p3)
constexpr auto species = [](auto const& y, auto const& p) {
  auto [a, b] = unstack(y);
  auto [birth, eaten, fed, death] = unstack(p);
  return stack(a * (birth - eaten * b), b * (fed * a - death));
};

inline state const start{1.0, 0.5};
inline rates const known{1.5, 1.0, 0.75, 1.25};

}  // namespace test
