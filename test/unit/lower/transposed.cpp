// SPDX-License-Identifier: BSD-3-Clause
// Pointwise kernels whose operands are read, and whose results are written, across their memory: components of vectors,
// pieces side by side, transposes.
#include <omp.h>

#include <vector>

#include "same.hpp"

using namespace test;

namespace {

template <class F, class... A> void same_by_all(F f, A const&... x) {
  as_eager(f, x...);
  omp_set_num_threads(1);
  auto const one = jit(f)(x...);
  omp_set_num_threads(2);
  CHECK(same_bits(jit(f)(x...), one));
}

/// Vectors of C components: all of them from all of them, in another order, beside a matrix of them.
template <class T, extent N, extent C> void vectors() {
  using points = array<T, N, C>;
  auto const x = some<points>(1, 1, 9), y = some<points>(2, 1, 9);
  same_by_all(
      [](points x, points y) {
        auto of = [](array<T, C> a, array<T, C> b) {
          auto turned = flip<0>(a) * b;
          return std::tuple{a + sum(b), turned, expand_dims<1>(a) * expand_dims<0>(turned)};
        };
        return vmap(of)(x, y);
      },
      x, y);
  // a result where its operand was
  auto scaled = [](points x) { return vmap([](array<T, C> a) { return a * a + flip<0>(a); })(x); };
  auto const want = scaled(x);
  auto z = x;
  near(jit(scaled)(std::move(z)), want);
}
/// Pieces along the last axis of rows, and rows that are columns elsewhere.
template <class T, extent Rows, extent N> void rows() {
  using table = array<T, Rows, N>;
  auto const x = some<table>(1, 1, 9), y = some<table>(2, 1, 9), z = some<table>(3, 1, 9);
  same_by_all(
      [](table x, table y, table z) {
        auto s = x * y + z;
        return std::tuple{stack<2>(s, x - z), stack<2>(x, s, y), stack<2>(s, x, y, z), stack<2>(x, y, s, z, s - x)};
      },
      x, y, z);
  same_by_all(
      [](table x, table y, table z) {
        return std::tuple{transpose(x * y), transpose(stack<0>(x - z, y)),
                          concatenate<0>(transpose(x), transpose(y) * transpose(z))};
      },
      x, y, z);
}

}  // namespace

TEST_CASE("vectors of one component and more") {
  vectors<float, 1000, 2>();
  vectors<float, 1003, 3>();
  vectors<double, 333, 3>();
  vectors<int, 500, 3>();
#if !defined(ETNA_FEW)
  vectors<float, 70, 4>();
  vectors<double, 1000, 4>();
  vectors<float, 517, 5>();
  vectors<double, 200, 7>();
  vectors<float, 17, 3>();
  vectors<std::uint8_t, 300, 3>();
#endif
}
TEST_CASE("pieces of rows side by side, and rows that become columns") {
  rows<float, 7, 100>();
  rows<double, 40, 9>();
#if !defined(ETNA_FEW)
  rows<float, 100, 3>();
  rows<float, 3, 1000>();
  rows<std::int16_t, 33, 65>();
#endif
}
TEST_CASE("many results that have no tile, before or behind those that have") {
  constexpr extent n = 12000;
  using numbers = array<double, n>;
  auto const x = some<numbers>(1, 1, 9);
  auto f = [](numbers x) {
    auto many = [&]<int... K>(std::integer_sequence<int, K...>) { return stack<-1>(x * double(K + 1)...); };
    return std::tuple{stack<-1>(x + 1, x + 2), many(std::make_integer_sequence<int, 18>{})};
  };
  auto const want = f(x);
  // where memory for results lies changes from call to call while others are kept
  std::vector<decltype(jit(f)(x))> kept;
  for (int i = 0; i < 6; ++i) kept.push_back(jit(f)(x));
  for (auto const& y : kept) near(y, want);
}
