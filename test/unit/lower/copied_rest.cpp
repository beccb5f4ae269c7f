// SPDX-License-Identifier: BSD-3-Clause
// Long pointwise kernels of few elements, and of numbers of them that are no multiple of a register: what is left is
// computed of copies. Operands that follow each other, stand apart, stand still, are indices, masks; results likewise.
#include "same.hpp"

using namespace test;

namespace {

/// Some sixty statements.
template <class X, class Y> constexpr auto chain(X x, Y const& y) {
  using T = typename X::value_type;
  auto z = x;
  for (int i = 1; i <= 20; ++i) z = z * y + x * T(i % 3);
  return z;
}
template <class T, extent N> void of_one_loop() {
  using row = array<T, N>;
  using table = array<T, N, 3>;
  auto const x = some<row>(1, -1, 1), y = some<row>(2, -1, 1);
  auto const t = some<table>(3, -1, 1);
  as_eager([](row x, row y) { return std::pair{chain(x, y), chain(y, x)}; }, x, y);
  as_eager([](row x, row y) { return where(chain(x, y) > x, arange<T, N>() * x, chain(x, y)); }, x, y);
  as_eager([](row x, array<T> y) { return chain(x, y); }, x, array<T>(T(1) / 3));
  as_eager([](row x, row y) { return chain(x, flip<0>(y)) > y; }, x, y);  // bytes
  // columns side by side, read and written
  as_eager(
      [](table t) {
        auto const [a, b, c] = split<3, 1>(t);
        return concatenate<1>(chain(a, b), chain(b, c), chain(c, a));
      },
      t);
  as_eager([](table t) { return chain(t, transpose(array<T, 3, N>(transpose(flip<0>(t))))); }, t);
  // written over its operands
  auto f = [](row x, row y) { return std::pair{chain(x, y), y - x}; };
  auto const want = f(x, y);
  auto u = x, v = y;
  near(jit(f)(std::move(u), std::move(v)), want);
}
template <class T> void of_all_lengths() {
  of_one_loop<T, 2>();
  of_one_loop<T, 7>();
  of_one_loop<T, 16>();
  of_one_loop<T, 37>();
}
/// Rows that end in a part of a register.
template <class T, extent N> void of_rows() {
  using table = array<T, 5, N>;
  auto const x = some<table>(1, -1, 1), y = some<table>(2, -1, 1);
  auto const c = some<array<T, 5>>(3, -1, 1);
  as_eager([](table x, table y, array<T, 5> c) { return chain(x, flip<1>(y)) + expand_dims<1>(c); }, x, y, c);
  as_eager([](table x, array<T, 5> c) { return chain(x, expand_dims<1>(c)); }, x, c);
}

}  // namespace

TEST_CASE_TEMPLATE("long kernels of any number of elements", T, TEST_FLOATS) {
  of_all_lengths<T>();
  of_rows<T, 21>();
  of_rows<T, 3>();
}
TEST_CASE("long kernels of integers, and of integers that are converted") {
  using row = array<int, 13>;
  as_eager([](row x, row y) { return chain(x, y); }, some<row>(1, -9, 9), some<row>(2, -9, 9));
  using bytes = array<std::uint8_t, 77>;
  as_eager([](bytes x, bytes y) { return chain(x, y); }, some<bytes>(1, 0, 9), some<bytes>(2, 0, 9));
  as_eager([](row x, array<float, 13> y) { return chain(astype<float>(x), y); }, some<row>(1, -9, 9),
           some<array<float, 13>>(2, -1, 1));
}
