// SPDX-License-Identifier: BSD-3-Clause
#include "moving.hpp"

using namespace test::moving;
using a3 = etna::array<double, 3, 4, 5>;
using a2 = etna::array<double, 4, 6>;
using a1 = etna::array<double, 7>;
using etna::range, etna::rest, etna::every, etna::newaxis;
template <etna::extent... E> using d = etna::array<double, E...>;

TEST_CASE("slices are JAX's") {
  check<a3>("slice", [](auto const& x) { return slice<1, range{0, 3}, range{rest, rest, 2}>(x); });
  check<a3>("slice_back", [](auto const& x) { return slice<range{rest, rest, -1}, range{3, 0, -2}, range{-4}>(x); });
  check<a2>("slice_new", [](auto const& x) { return slice<every, newaxis, -1>(x); });
  check<a2>("slice_empty", [](auto const& x) { return slice<every, range{4, 2}>(x); });
  check<a2>("slice_twice", [](auto const& x) {
    return slice<every, range{rest, rest, -1}>(
        slice<range{rest, rest, 2}, range{1, 4}>(slice<range{1}, range{rest, rest, -1}>(x)));
  });
  check<a1>("stencil", [](auto const& x) {
    return slice<range{2}>(x) - 2 * slice<range{1, -1}>(x) + slice<range{0, -2}>(x);
  });
  check<a3>("sum_of_slice", [](auto const& x) {
    return sum<1>(slice<every, range{1, 3}, range{rest, rest, -1}>(x) * slice<every, range{0, 2}>(x));
  });
  check<a2>("dot_of_slices", [](auto const& x) {
    return matmul(slice<range{rest, rest, -1}, range{0, 4}>(x), slice<every, range{2}>(x));
  });
  check<a2>("transpose_slice", [](auto const& x) {
    return reshape<2, 8>(slice<range{1, 5}, range{rest, rest, -1}>(transpose(x))) * 2;
  });
  check<a3>("flip", [](auto const& x) { return flip(x); });
  check<a3>("flip_axis", [](auto const& x) { return flip<1>(x) * x; });
}

TEST_CASE("places set and changed are JAX's") {
  check<a2, d<2, 3>>("at_set", [](auto const& x, auto const& y) {
    return x.template at<range{1, 3}, range{rest, rest, -2}>().set(y);
  });
  check<a2, d<6>>("at_set_row", [](auto const& x, auto const& y) { return x.template at<2>().set(y); });
  check<a2>("at_add", [](auto const& x) { return x.template at<every, 1>().add(slice<every, 0>(x) * 3); });
  check<a2>("at_multiply", [](auto const& x) { return x.template at<range{1}, range{2, 4}>().multiply(2.5); });
  check<a2>("at_min", [](auto const& x) { return x.template at<0>().min(0.3).template at<1>().max(-0.2); });
}
