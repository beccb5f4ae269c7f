// SPDX-License-Identifier: BSD-3-Clause
// What the programs share: inputs by the formula of test/data/programs.py, and JAX's results to compare with.
#pragma once
#include <cstring>

#include "data/programs.inc.hpp"
#include "same.hpp"

namespace test {

/// Numbers between -14 and 14 times scale.
template <class A> A numbers(int seed, double scale = 1. / 16) {
  return A::build([&](auto* o) {
    for (extent i = 0; i < A::type.size(); ++i)
      o[i] = std::remove_cvref_t<decltype(*o)>(double((i * 37 + seed * 11) % 29 - 14) * scale);
  });
}

/// The leaves of a result are, in order, those that JAX gave.
inline void as_jax(char const* name, std::vector<leaf> const& got, double tolerance = 1e-12) {
  CAPTURE(name);
  for (auto const& p : reference::programs()) {
    if (std::strcmp(p.name, name) != 0) continue;
    REQUIRE(got.size() == p.leaves.size());
    for (std::size_t k = 0; k < got.size(); ++k) {
      CAPTURE(k);
      check_numbers(got[k].x, p.leaves[k], tolerance);
    }
    return;
  }
  FAIL("no such program");
}
template <class T> void as_jax(char const* name, T const& result, double tolerance = 1e-12) {
  as_jax(name, leaves(result), tolerance);
}
/// The same, with and without jit.
template <class F, class... A> void both_as_jax(char const* name, double tolerance, F f, A const&... args) {
  as_jax(name, jit(f)(args...), tolerance);
  as_jax(name, f(args...), tolerance);
}

}  // namespace test
