// SPDX-License-Identifier: BSD-3-Clause
// Helpers of the tests of jit: trees compared leaf by leaf.
#pragma once
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "numbers.hpp"

namespace test {

struct leaf { const void* data; std::vector<double> x; std::vector<extent> shape; bool real, narrow; };
template <class T> std::vector<leaf> leaves(T const& t) {
  std::vector<leaf> r;
  tree::for_each([&](auto const& x) {
    using X = std::remove_cvref_t<decltype(x)>;
    auto s = x.shape();
    r.push_back({x.data(), {}, {s.begin(), s.end()}, is_floating(X::type.d), X::type.d == dtype::f32});
    for (extent i = 0; i < extent(x.size()); ++i) r.back().x.push_back(double(x.data()[i]));
  }, t);
  return r;
}
/// The first leaf of t that is not near the one of want, or -1.
template <class T, class U> void near(T const& t, U const& want, double f32 = 2e-6, double f64 = 1e-13) {
  auto a = leaves(t), b = leaves(want);
  REQUIRE(a.size() == b.size());
  for (std::size_t k = 0; k < a.size(); ++k) {
    CAPTURE(k);
    CHECK(a[k].shape == b[k].shape);
    REQUIRE(a[k].x.size() == b[k].x.size());
    double tolerance = !b[k].real ? 0 : b[k].narrow ? f32 : f64;
    for (std::size_t i = 0; i < a[k].x.size(); ++i) {
      double x = a[k].x[i], y = b[k].x[i];
      bool ok = x == y || (std::isnan(x) && std::isnan(y)) || std::abs(x - y) <= tolerance * (1 + std::abs(y));
      if (!ok) {
        CAPTURE(i);
        CHECK(x == y);
        break;
      }
    }
  }
}
template <class T, class U> bool same_bits(T const& t, U const& u) {
  auto a = leaves(t), b = leaves(u);
  bool same = a.size() == b.size();
  for (std::size_t k = 0; same && k < a.size(); ++k)
    same = a[k].x.size() == b[k].x.size() && std::memcmp(a[k].x.data(), b[k].x.data(), 8 * a[k].x.size()) == 0;
  return same;
}
/// jit(f) of the arguments is f of them, evaluated operation by operation.
template <class F, class... A> void as_eager(F f, A const&... args) { near(jit(f)(args...), f(args...)); }

}  // namespace test
