// SPDX-License-Identifier: BSD-3-Clause
// Convolutions against JAX.
#include <etna/etna.hpp>

#include "windowed.hpp"

using namespace etna;
using test::windowed::check;
using test::windowed::check_batched;

namespace {

template <int N> using in = array<double, 2, N>;
constexpr auto last1 = dimension_numbers<"NWC", "WIO", "NWC">;
constexpr auto last = dimension_numbers<"NHWC", "HWIO", "NHWC">;

TEST_CASE("Convolutions of one and two axes are JAX's") {
  check<array<double, 2, 3, 7>, array<double, 4, 3, 3>>("one_axis", [](auto x, auto k) { return conv(x, k); });
  check<array<double, 2, 9, 3>, array<double, 3, 3, 2>>(
      "one_axis_last", [](auto x, auto k) { return conv_general(x, k, last1, padding_same, window_strides<2>); });
  check<array<double, 2, 3, 5, 6>, array<double, 4, 3, 2, 3>>("plain", [](auto x, auto k) { return conv(x, k); });
  check<array<double, 2, 5, 6, 3>, array<double, 2, 3, 3, 4>>("last",
                                                              [](auto x, auto k) { return conv_general(x, k, last); });
  check<array<double, 2, 5, 6, 3>, array<double, 3, 2, 3, 4>>(
      "same", [](auto x, auto k) { return conv_general(x, k, last, padding_same); });
  check_batched<true, array<double, 2, 7, 6, 2>, array<double, 3, 3, 2, 3>>(
      "strides", [](auto x, auto k) { return conv_general(x, k, last, padding_same, window_strides<2, 3>); });
  check<array<double, 1, 5, 6, 2>, array<double, 3, 2, 2, 3>>(
      "padding", [](auto x, auto k) { return conv_general(x, k, last, padding<1, 2, 3, -1>); });
  check<array<double, 2, 7, 8, 2>, array<double, 3, 2, 2, 3>>(
      "dilated_kernel", [](auto x, auto k) { return conv_general(x, k, padding_same, rhs_dilation<2, 3>, last); });
  check_batched<true, array<double, 2, 4, 3, 2>, array<double, 3, 2, 2, 3>>("dilated_input", [](auto x, auto k) {
    return conv_general(x, k, lhs_dilation<2, 3>, padding<2, 1, 0, 2>, last);
  });
  check<array<double, 2, 5, 4, 2>, array<double, 2, 3, 2, 3>>("all_at_once", [](auto x, auto k) {
    return conv_general(x, k, last, lhs_dilation<2, 1>, rhs_dilation<3, 2>, window_strides<2, 3>, padding<1, 0, 2, 3>);
  });
}

TEST_CASE("Convolutions of groups, of few elements, in any order of axes, are JAX's") {
  check_batched<true, array<double, 2, 5, 4, 6>, array<double, 3, 2, 2, 9>>(
      "groups", [](auto x, auto k) { return conv_general(x, k, last, feature_group_count<3>, padding_same); });
  check<array<double, 2, 4, 5, 4>, array<double, 6, 2, 3, 2>>(
      "groups_first", [](auto x, auto k) { return conv(x, k, feature_group_count<2>, window_strides<2, 1>); });
  check<array<double, 2, 5, 4, 3>, array<double, 3, 2, 1, 6>>(
      "depthwise", [](auto x, auto k) { return conv_general(x, k, last, feature_group_count<3>); });
  check<array<double, 4, 5, 4, 3>, array<double, 2, 2, 3, 6>>(
      "batch_groups", [](auto x, auto k) { return conv_general(x, k, last, batch_group_count<2>); });
  check<array<double, 2, 5, 4, 3>, array<double, 1, 1, 3, 2>>(
      "one_element", [](auto x, auto k) { return conv_general(x, k, last, window_strides<2, 2>); });
  check<array<double, 2, 6, 5, 2>, array<double, 3, 2, 2, 3>>(
      "side_by_side", [](auto x, auto k) { return conv_general(x, k, last, window_strides<3, 2>); });
  check<array<double, 1, 8, 7, 2>, array<double, 2, 2, 2, 3>>(
      "gaps", [](auto x, auto k) { return conv_general(x, k, last, window_strides<3, 4>); });
  check<array<double, 5, 2, 6, 3>, array<double, 3, 4, 2, 3>>("letters", [](auto x, auto k) {
    return conv_general(x, k, dimension_numbers<"HNWC", "IOWH", "CWNH">, padding_same);
  });
  check<array<double, 1, 4, 5, 3, 2>, array<double, 2, 3, 2, 2, 3>>("three_axes", [](auto x, auto k) {
    return conv_general(x, k, dimension_numbers<"NDHWC", "DHWIO", "NDHWC">, padding_same, window_strides<1, 2, 1>);
  });
}

TEST_CASE("Transposed convolutions are JAX's") {
  check<array<double, 2, 3, 4, 2>, array<double, 3, 3, 2, 3>>(
      "transposed_same", [](auto x, auto k) { return conv_transpose(x, k, window_strides<2, 2>, padding_same); });
  check<array<double, 2, 3, 4, 2>, array<double, 2, 3, 2, 3>>(
      "transposed_valid", [](auto x, auto k) { return conv_transpose(x, k, window_strides<3, 1>); });
  check<array<double, 1, 3, 4, 2>, array<double, 2, 5, 2, 3>>("transposed_dilated", [](auto x, auto k) {
    return conv_transpose(x, k, window_strides<2, 3>, padding_same, rhs_dilation<2, 1>);
  });
  check<array<double, 1, 3, 4, 2>, array<double, 3, 2, 2, 3>>("transposed_padding", [](auto x, auto k) {
    return conv_transpose(x, k, window_strides<2, 1>, padding<1, 2, 0, 1>);
  });
}

TEST_CASE("Sequences are convolved and correlated as by NumPy") {
  using long_one = array<double, 9>;
  using short_one = array<double, 4>;
  check<long_one, short_one>("convolve_full", [](auto x, auto v) { return convolve(x, v); });
  check<long_one, short_one>("convolve_same", [](auto x, auto v) { return convolve<"same">(x, v); });
  check<long_one, short_one>("convolve_valid", [](auto x, auto v) { return convolve<"valid">(x, v); });
  check<array<double, 3>, array<double, 8>>("convolve_swapped_full", [](auto x, auto v) { return convolve(x, v); });
  check<array<double, 3>, array<double, 8>>("convolve_swapped_same",
                                            [](auto x, auto v) { return convolve<"same">(x, v); });
  check<array<double, 3>, array<double, 8>>("convolve_swapped_valid",
                                            [](auto x, auto v) { return convolve<"valid">(x, v); });
  check<long_one, short_one>("correlate_full", [](auto x, auto v) { return correlate<"full">(x, v); });
  check<long_one, short_one>("correlate_same", [](auto x, auto v) { return correlate<"same">(x, v); });
  check<long_one, short_one>("correlate_valid", [](auto x, auto v) { return correlate(x, v); });
  check<array<double, 3>, array<double, 8>>("correlate_swapped_full",
                                            [](auto x, auto v) { return correlate<"full">(x, v); });
  check<array<double, 3>, array<double, 8>>("correlate_swapped_same",
                                            [](auto x, auto v) { return correlate<"same">(x, v); });
  check<array<double, 3>, array<double, 8>>("correlate_swapped_valid", [](auto x, auto v) { return correlate(x, v); });
}

}  // namespace
