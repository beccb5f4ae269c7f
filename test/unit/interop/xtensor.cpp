// SPDX-License-Identifier: BSD-3-Clause
// xtensor in and out: the same memory, seen from both sides.
#include <doctest/doctest.h>

#include <etna/etna.hpp>
#include <etna/interop/xtensor.hpp>
#if __has_include(<xtensor/views/xview.hpp>)
#include <xtensor/containers/xfixed.hpp>
#include <xtensor/generators/xbuilder.hpp>
#include <xtensor/misc/xmanipulation.hpp>
#include <xtensor/views/xstrided_view.hpp>
#include <xtensor/views/xview.hpp>
#else
#include <xtensor/xbuilder.hpp>
#include <xtensor/xfixed.hpp>
#include <xtensor/xmanipulation.hpp>
#include <xtensor/xstrided_view.hpp>
#include <xtensor/xview.hpp>
#endif
#include <random>
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
int raised(auto f) {
  try {
    f();
  } catch (error const& e) { return e.number; }
  return 0;
}
/// The array that a call is given for x.
template <class A, class X> A given(X const& x) { return interop::guest<X>::template as<A>(x); }

// Each number counts by its place, so that no two arrays of the same numbers in another order give the same.
constexpr auto weighted = [](array<float, "n"_n, "m"_n> const& x) { return 2.0f * x; };
constexpr auto doubled = jit(weighted);
constexpr auto slope = jit(grad([](array<float, "n"_n, "m"_n> const& x) { return sum(x * x); }));

/// Is doubled(x) two times x, element by element?
void check_doubled(auto const& x) {
  auto y = doubled(x);
  REQUIRE(y.shape()[0] == extent(x.shape()[0]));
  REQUIRE(y.shape()[1] == extent(x.shape()[1]));
  bool same = true;
  for (extent i = 0; i < y.shape()[0]; ++i)
    for (extent j = 0; j < y.shape()[1]; ++j) same = same && y(i, j) == 2 * float(x(std::size_t(i), std::size_t(j)));
  CHECK(same);
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
TEST_CASE("a jitted function takes containers, fixed or not, adaptors and views as they are") {
  auto const x = counted(16);
  check_doubled(x);
  CHECK(given<rows>(x).data() == x.data());  // read where it lies
  xt::xarray<float> any = x;                 // its number of axes is checked at run time
  check_doubled(any);
  CHECK(given<rows>(any).data() == any.data());
  xt::xtensor_fixed<float, xt::xshape<16, 8>> fixed = x;
  check_doubled(fixed);
  CHECK(given<matrix>(fixed).data() == fixed.data());
  auto over = xt::adapt(x.data(), x.size(), xt::no_ownership(), std::array<std::size_t, 2>{16, 8});
  check_doubled(over);
  CHECK(given<rows>(over).data() == x.data());
  std::vector<float> v(x.begin(), x.end());
  auto const held = xt::adapt(v, {16, 8});
  check_doubled(held);
  CHECK(given<rows>(held).data() == v.data());
  auto part = xt::view(x, xt::range(2, 9), xt::all());
  check_doubled(part);
  CHECK(given<rows>(part).data() == &x(2, 0));
  auto row = xt::view(x, 5);
  CHECK(jit([](array<float, "n"_n> const& r) { return sum(r); })(row) == xt::sum(row)());
}
TEST_CASE("other layouts are copied for the call: column-major, turned round, steps, repeated, expressions") {
  auto const x = counted(16);
  xt::xtensor<float, 2, xt::layout_type::column_major> left = x;
  check_doubled(left);
  CHECK(given<rows>(left).data() != left.data());
  check_doubled(xt::transpose(x));
  check_doubled(xt::flip(x, 0));
  check_doubled(xt::flip(x, 1));
  check_doubled(xt::view(x, xt::range(13, 2, -3), xt::range(1, 8, 2)));
  check_doubled(xt::strided_view(x, {xt::range(1, 12, 2), xt::range(7, xt::placeholders::_, -1)}));
  check_doubled(xt::view(xt::transpose(xt::view(x, xt::all(), xt::range(2, 7))), xt::range(1, 4), xt::all()));
  check_doubled(xt::view(x, xt::keep(3, 1, 1), xt::all()));
  check_doubled(xt::view(xt::view(x, 3), xt::newaxis(), xt::all()));
  check_doubled(xt::view(xt::view(x, xt::all(), 3), xt::all(), xt::newaxis()));
  check_doubled(xt::broadcast(xt::view(x, 3), {4, 8}));
  std::array<std::size_t, 2> const shape{5, 8};
  std::array<std::ptrdiff_t, 2> const repeats{0, 1};
  auto again = xt::adapt(x.data(), 40, xt::no_ownership(), shape, repeats);
  check_doubled(again);
  check_doubled(x + xt::view(x, 2) * 3.0f);
  check_doubled(xt::zeros<float>({3, 8}));
}
TEST_CASE("views that chance makes, of views, in both layouts") {
  std::mt19937 chance(7);
  auto pick = [&](int from, int to) { return std::uniform_int_distribution<int>(from, to)(chance); };
  xt::xtensor<float, 3> x = xt::arange<float>(0, 7 * 6 * 5).reshape({7, 6, 5});
  xt::xtensor<float, 3, xt::layout_type::column_major> y = x;
  auto range_of = [&](int n) {
    int step = pick(1, 3), a = pick(0, n - 1), b = pick(a + 1, n);
    return pick(0, 1) ? xt::range(a, b, step) : xt::range(b - 1, a - 1 < 0 ? -n - 1 : a - 1, -step);
  };
  for (int k = 0; k < 40; ++k) {
    auto of = [&](auto const& z) {
      auto first = xt::view(z, range_of(7), pick(0, 5), range_of(5));
      check_doubled(first);
      check_doubled(xt::transpose(first));
      auto second = xt::strided_view(z, {pick(0, 6), range_of(6), range_of(5)});
      check_doubled(second);
      check_doubled(xt::view(second, xt::all(), xt::range(0, 1)));
    };
    of(x);
    of(y);
  }
}
TEST_CASE("what does not fit is an error, and what a transform keeps is a copy") {
  auto const x = counted(16);
  constexpr auto fixed = jit([](matrix const& m) { return m + m; });
  CHECK(fixed(x)(3, 2) == 52.0f);
  CHECK(raised([&] { (void)fixed(counted(15)); }) == 112);
  CHECK(raised([&] { (void)fixed(xt::xarray<float>::from_shape({16, 8, 1})); }) == 112);
  CHECK(raised([&] { (void)fixed(xt::xarray<float>::from_shape({1, 1, 1, 1, 1, 1, 1, 16, 8})); }) == 112);
  constexpr auto two = jit([](array<float, "n"_n> const& a, array<float, "n"_n> const& b) { return sum(a * b); });
  CHECK(two(xt::view(x, 1), xt::view(x, 2)) == xt::sum(xt::view(x, 1) * xt::view(x, 2))());
  CHECK(raised([&] { (void)two(xt::view(x, 1), xt::view(x, xt::all(), 2)); }) == 110);
  // the gradient of a function that declares its parameters, and one that is told by a fixed shape
  auto g = slope(x);
  CHECK(g(3, 2) == 52.0f);
  xt::xtensor_fixed<float, xt::xshape<3>> three{1, 2, 3};
  CHECK(jit([](auto const& a) { return sum(a * a); })(three) == 14.0f);
  CHECK(jit(grad([](auto const& a) { return sum(a * a); }))(three)(2) == 6.0f);
  auto own = counted(16);
  auto same = jit([](rows const& a) { return a; })(own);  // no result reads an argument
  own.fill(0);
  CHECK(same(3, 2) == 26.0f);
  // outside of jit a gradient records what the jitted function is given: it must not be read when x is gone
  auto outer = grad([](array<float> s) {
    auto gone = counted(16);
    auto y = sum(s * jit([](array<float, "n"_n, 8> const& a, array<float> b) { return b * a; })(gone, s));
    gone.fill(0);
    return y;
  });
  CHECK(outer(array<float>(1.0f)).item() == 2 * 127 * 64.0f);
  xt::xtensor<float, 2> to = xt::zeros<float>({16, 8});
  auto repeated = xt::adapt(to.data(), 128, xt::no_ownership(), std::array<std::size_t, 2>{16, 8},
                            std::array<std::ptrdiff_t, 2>{0, 1});
  CHECK(raised([&] { copy_to(repeated, fixed(x)); }) == 112);
}
TEST_CASE("a result becomes xtensor's without a copy, and may be written") {
  auto const x = counted(16);
  matrix r = jit([](matrix const& m) { return m * 2.0f; })(x);
  float const* memory = r.data();
  auto y = to_xtensor(std::move(r));
  CHECK(y.data() == memory);
  y(3, 2) += 1;
  CHECK(y(3, 2) == 53.0f);
  xt::xtensor<float, 2> own = to_xtensor(doubled(x));
  CHECK(own(15, 7) == 254.0f);
  CHECK(xt::sum(to_xtensor(doubled(x)))() == 2 * 127 * 64.0f);
  // what others read is not written
  rows shared = doubled(x), other = shared;
  auto z = to_xtensor(std::move(shared));
  z.fill(0);
  CHECK(other(3, 2) == 52.0f);
  rows seen = borrow<rows>(x);
  auto w = to_xtensor(std::move(seen));
  w.fill(0);
  CHECK(x(3, 2) == 26.0f);
  auto small = to_xtensor(array<float, 3>{1, 2, 3});
  small(1) = 7;
  CHECK(xt::sum(small)() == 11.0f);
  CHECK(to_xtensor(array<double>(2.5))() == 2.5);
}
