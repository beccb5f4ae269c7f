// SPDX-License-Identifier: BSD-3-Clause
// Foreign memory in and out: the same addresses where the layout allows, the same numbers everywhere.
#include <doctest/doctest.h>

#include <etna/etna.hpp>
#include <etna/exec/explain.hpp>
#include <etna/interop/mdspan.hpp>
#include <etna/interop/span.hpp>
#include <etna/interop/kokkos_view.hpp>
#include <etna/interop/xtensor.hpp>
#include <vector>

#include "kokkos.hpp"

using namespace etna;

namespace {
using matrix = array<double, 16, 8>;
using rows = array<double, "n"_n, 8>;
using right = Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::HostSpace>;
using left = Kokkos::View<double**, Kokkos::LayoutLeft, Kokkos::HostSpace>;
template <class V> V filled() {
  test::with_kokkos();
  V v("v", 16, 8);
  for (int i = 0; i < 16; ++i)
    for (int j = 0; j < 8; ++j) v(i, j) = 10 * i + j;
  return v;
}
bool is_filled(auto const& a) {
  for (int i = 0; i < 16; ++i)
    for (int j = 0; j < 8; ++j)
      if (a(i, j) != 10 * i + j) return false;
  return true;
}
int raised(auto f) {
  try {
    f();
  } catch (error const& e) { return e.number; }
  return 0;
}
constexpr auto twice = jit([](matrix x) { return x + x; });
}  // namespace

TEST_CASE("borrowed memory is not copied, is kept alive, and is never written") {
  matrix a;
  double const* at = nullptr;
  {
    auto v = filled<right>();
    at = v.data();
    a = borrow<matrix>(v);
    CHECK(v.use_count() == 2);
  }
  CHECK(a.data() == at);
  CHECK(is_filled(a));
  matrix b = twice(std::move(a));  // an rvalue that nobody shares, and yet its memory is not taken
  CHECK(b.data() != at);
  auto v = filled<right>();
  matrix c = twice(borrow<matrix>(v));
  CHECK(is_filled(v));
  CHECK(c(3, 2) == 64);
  rows named = borrow<rows>(v);
  CHECK(named.data() == v.data());
  CHECK(named.shape()[0] == 16);
}
TEST_CASE("a view that nobody else holds gives its memory up") {
  auto v = filled<right>();
  double const* at = v.data();
  matrix a = from_view<matrix>(std::move(v));
  CHECK(a.data() == at);
  matrix b = twice(std::move(a));
  CHECK(b.data() == at);  // computed in place
  auto w = filled<right>(), shared = w;
  CHECK(from_view<matrix>(std::move(w)).data() != shared.data());
}
TEST_CASE("other layouts are copied") {
  auto l = filled<left>();
  CHECK(is_filled(from_view<matrix>(l)));
  CHECK(is_filled(borrow<matrix>(l)));
  CHECK(borrow<matrix>(l).data() != l.data());
  Kokkos::View<double***, Kokkos::LayoutRight, Kokkos::HostSpace> deep("deep", 16, 8, 3);
  auto slice = Kokkos::subview(deep, Kokkos::ALL, Kokkos::ALL, 1);
  copy_to(slice, from_view<matrix>(l));
  CHECK(is_filled(slice));
  CHECK(deep(3, 2, 0) == 0);
  CHECK(is_filled(borrow<matrix>(slice)));
  left out("out", 16, 8);
  copy_to(out, twice(borrow<matrix>(l)));
  CHECK(out(5, 3) == 106);
}
TEST_CASE("an array as a view") {
  matrix a = from_view<matrix>(filled<right>());
  auto v = to_view(a);
  CHECK(v.data() == a.data());
  CHECK(is_filled(v));
  rows named = a;
  CHECK(to_view(named).extent(0) == 16);
  array<double> one(3.0);
  CHECK(to_view(one)() == 3);
}
TEST_CASE("spans, vectors and arrays") {
  std::vector<float> x(100, 2.5f);
  auto a = borrow<array<float, 100>>(x);
  CHECK(a.data() == x.data());
  CHECK(a(99) == 2.5f);
  auto n = from_span<array<float, "n"_n>>(std::span<float const>(x).first(7));
  CHECK(n.shape()[0] == 7);
  CHECK(to_span(a).data() == a.data());
  CHECK(to_span(n).size() == 7);
  std::array<int, 3> three{1, 2, 3};
  CHECK(from_span<array<int, 3>>(three)(2) == 3);
  copy_to(x, a + a);
  CHECK(x[5] == 5.0f);
  CHECK(raised([&] { (void)from_span<array<float, 99>>(x); }) == 112);
}
TEST_CASE("xtensor, fixed and not, and its other layout") {
  xt::xtensor<double, 2> x = xt::xtensor<double, 2>::from_shape({16, 8});
  xt::xtensor<double, 2, xt::layout_type::column_major> y =
      xt::xtensor<double, 2, xt::layout_type::column_major>::from_shape({16, 8});
  matrix a = from_view<matrix>(filled<right>());
  copy_to(x, a);
  copy_to(y, a);
  CHECK(is_filled(x));
  CHECK(is_filled(y));
  CHECK(borrow<matrix>(x).data() == x.data());
  CHECK(is_filled(borrow<matrix>(y)));
  xt::xtensor_fixed<double, xt::xshape<16, 8>> f = x;
  CHECK(borrow<matrix>(f).data() == f.data());
  CHECK(is_filled(from_xtensor<matrix>(f)));
}
TEST_CASE("mdspan") {
  std::vector<double> v(128);
  namespace md = interop::md;
  md::mdspan<double, md::extents<int, 16, md::dynamic_extent>> r(v.data(), 8);
  copy_to(r, from_view<matrix>(filled<right>()));
  CHECK(v[26] == 32);
  matrix a = borrow<matrix>(r);
  CHECK(a.data() == v.data());
  CHECK(is_filled(a));
  std::vector<double> w(128);
  md::mdspan<double, md::dextents<int, 2>, md::layout_left> l(w.data(), 16, 8);
  copy_to(l, a);
  CHECK(w[2 * 16 + 3] == 32);
  matrix own = from_mdspan<matrix>(l);
  CHECK(is_filled(own));
  auto seen = to_mdspan(own);
  static_assert(decltype(seen)::static_extent(0) == 16);
  CHECK(seen.data_handle() == own.data());
}
TEST_CASE_TEMPLATE("elements of two bytes and unsigned ones of eight, in all of these", T, bfloat16, float16,
                   std::uint64_t) {
  test::with_kokkos();
  using table = array<T, "n"_n, 8>;
  Kokkos::View<T**, Kokkos::LayoutRight, Kokkos::HostSpace> v("v", 32, 8);
  for (int i = 0; i < 256; ++i) v.data()[i] = T(i);
  Kokkos::View<T**, Kokkos::LayoutLeft, Kokkos::HostSpace> columns("columns", 32, 8);
  xt::xtensor<T, 2> x = xt::xtensor<T, 2>::from_shape({32, 8});
  auto a = borrow<table>(v);
  CHECK(a.data() == v.data());
  copy_to(columns, a);
  copy_to(x, from_view<table>(columns));
  CHECK(x(3, 2) == T(26));
  interop::md::mdspan<T, interop::md::dextents<int, 2>> m(x.data(), 32, 8);
  CHECK(from_mdspan<table>(m)(3, 2) == T(26));
  CHECK(from_span<array<T, 256>>(std::span<T const>(x.data(), 256))(26) == T(26));
  CHECK(to_view(a)(31, 7) == T(255));
  T const* at = x.data();
  table own = from_xtensor<table>(std::move(x));
  CHECK(own.data() == at);
  CHECK(to_xtensor(own)(31, 7) == T(255));
  CHECK(jit([](table const& y) { return y + y; })(v)(3, 2) == T(52));
}
TEST_CASE("shapes that differ are refused") {
  auto v = filled<right>();
  CHECK(raised([&] { (void)borrow<array<double, 8, 16>>(v); }) == 112);
  CHECK(raised([&] { copy_to(v, array<double, 8, 16>()); }) == 112);
}
TEST_CASE("a jitted function takes all of these as they are") {
  auto v = filled<right>();
  CHECK(interop::guest<right>::as<rows>(v).data() == v.data());
  CHECK(twice(v)(3, 2) == 64);
  CHECK(twice(filled<left>())(3, 2) == 64);
  Kokkos::View<double[16][8], Kokkos::HostSpace> fixed("fixed");
  Kokkos::deep_copy(fixed, 2.5);
  CHECK(jit([](auto const& x) { return sum(x); })(fixed) == 320);  // its type tells its sizes
  interop::md::mdspan<double const, interop::md::extents<int, 16, interop::md::dynamic_extent>> m(v.data(), 8);
  CHECK(twice(m)(3, 2) == 64);
  constexpr auto total = jit([](array<float, "n"_n> const& x) { return sum(x); });
  std::vector<float> x(100, 2.5f);
  CHECK(total(x) == 250);
  CHECK(total(std::span<float const>(x).first(10)) == 25);
  CHECK(total(std::array<float, 3>{1, 2, 3}) == 6);
  // a tree of numbers stays one where no parameter says array
  CHECK(jit([](auto const& t) { return t[0] * 10.0f + t[2]; })(std::array<float, 3>{1, 2, 3}) == 13);
  // in buckets, explained, and where a transform follows another argument
  CHECK(bucket<16, 128>([](array<float, "n"_n> const& y) { return sum(y); })(x) == 250);
  CHECK(explain(total, x).call_seconds > 0);
  CHECK(raised([&] { (void)twice(Kokkos::View<double**, Kokkos::HostSpace>("v", 15, 8)); }) == 112);
}
