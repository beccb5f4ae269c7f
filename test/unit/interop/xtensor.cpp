// SPDX-License-Identifier: BSD-3-Clause
// xtensor in and out: the same memory, seen from both sides.
#include <doctest/doctest.h>

#include <etna/etna.hpp>
#include <etna/interop/xtensor.hpp>
#if __has_include(<xtensor/views/xview.hpp>)
#include <xtensor/views/xview.hpp>
#else
#include <xtensor/xview.hpp>
#endif
#include <utility>

using namespace etna;

namespace {
using matrix = array<float, 16, 8>;  // more than the 256 bytes that live in the object
using rows = array<float, "n"_n, 8>;
xt::xtensor<float, 2> counted(std::size_t n) {
  auto x = xt::xtensor<float, 2>::from_shape({n, 8});
  for (std::size_t i = 0; i < x.size(); ++i) x.storage()[i] = float(i);
  return x;
}
}  // namespace

TEST_CASE("an rvalue container gives its memory to the array") {
  auto x = counted(16);
  float const* memory = x.data();
  matrix a = from_xtensor<matrix>(std::move(x));
  CHECK(a.data() == memory);
  CHECK(a(3, 2) == 26.0f);
  matrix b = a;  // shared, not copied
  CHECK(b.data() == memory);
  a = matrix();
  CHECK(b(15, 7) == 127.0f);
  auto y = counted(5);
  memory = y.data();
  rows named = from_xtensor<rows>(std::move(y));
  CHECK(named.data() == memory);
  CHECK(named.shape()[0] == 5);
}
TEST_CASE("an lvalue, another layout, and what lives in the object are copied") {
  auto const x = counted(16);
  matrix a = from_xtensor<matrix>(x);
  CHECK(a.data() != x.data());
  CHECK(a(3, 2) == 26.0f);
  xt::xtensor<float, 2, xt::layout_type::column_major> y = x;
  CHECK(from_xtensor<matrix>(std::move(y))(3, 2) == 26.0f);
  xt::xtensor<float, 1> z{1, 2, 3};
  CHECK(from_xtensor<array<float, 3>>(std::move(z))(2) == 3.0f);
}
TEST_CASE("views are copied from where they begin, expressions are evaluated, adaptors stay their owner's") {
  auto x = counted(20);
  auto part = xt::view(x, xt::range(2, 18), xt::all());
  CHECK(from_xtensor<matrix>(part)(0, 0) == 16.0f);
  CHECK(from_xtensor<matrix>(part)(15, 7) == 143.0f);
  CHECK(borrow<matrix>(part)(3, 2) == 42.0f);
  auto columns = xt::view(x, xt::range(0, 16), xt::range(0, 8, 2));
  CHECK(from_xtensor<array<float, 16, 4>>(columns)(1, 3) == 14.0f);
  CHECK(from_xtensor<matrix>(part * 2.0f + 1.0f)(3, 2) == 85.0f);
  auto y = counted(16);
  auto over = xt::adapt(y.data(), y.size(), xt::no_ownership(), std::array<std::size_t, 2>{16, 8});
  matrix a = from_xtensor<matrix>(std::move(over));
  CHECK(a.data() != y.data());
  y(0, 0) = 5;
  CHECK(a(0, 0) == 0.0f);
}
TEST_CASE("an array is seen by xtensor without a copy") {
  matrix a = from_xtensor<matrix>(counted(16));
  auto x = to_xtensor(a);
  CHECK(x.data() == a.data());
  CHECK(x(3, 2) == 26.0f);
  CHECK(x.shape()[0] == 16);
  CHECK(x.shape()[1] == 8);
  xt::xtensor<float, 1> sums = xt::sum(x, {1});
  CHECK(sums(0) == 28.0f);
  // the result of a compiled function as well
  constexpr auto twice = jit([](rows r) { return r * 2.0f; });
  rows r = twice(rows(a));
  CHECK(to_xtensor(r)(3, 2) == 52.0f);
  CHECK(to_xtensor(r).data() == r.data());
}
