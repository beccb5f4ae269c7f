// SPDX-License-Identifier: BSD-3-Clause
// Trees compared leaf by leaf.
#pragma once
#include <doctest/doctest.h>

#include "leaf.hpp"
#include "numbers.hpp"

// The floating types of tests of kernels. A sanitizer sees of one what it sees of the other.
#if defined(ETNA_FEW)
#define TEST_FLOATS float
#else
#define TEST_FLOATS float, double
#endif

namespace test {

struct leaf_reader {
  std::vector<leaf>& to;
  template <class A> void operator()(A const& a) const {
    auto const shape = a.shape();
    to.push_back(read_leaf(A::type.d, a.data(), shape.data(), A::rank));
  }
};
template <class T> std::vector<leaf> leaves(T const& t) {
  std::vector<leaf> r;
  tree::for_each(leaf_reader{r}, t);
  return r;
}
/// The leaves of t are near those of want.
template <class T, class U> void near(T const& t, U const& want, double f32 = 2e-6, double f64 = 1e-13) {
  check_near(leaves(t), leaves(want), f32, f64);
}
template <class T, class U> bool same_bits(T const& t, U const& u) { return same_bits(leaves(t), leaves(u)); }
/// jit(f) of the arguments is f of them, evaluated operation by operation.
template <class F, class... A> void as_eager(F f, A const&... args) { near(jit(f)(args...), f(args...)); }

}  // namespace test
