// SPDX-License-Identifier: BSD-3-Clause
// Convolutions as layers, against flax.linen.
#include "data/layers.inc.hpp"
#include "layers.hpp"

using namespace test;

TEST_CASE("conv is flax's") {
  against<nn::conv<double, 3, 4, 3, 2>, array<double, 2, 4, 5, 3>>(reference::layer_conv);
  against<nn::conv<double, 3, 4, 3, 3, window_strides<2, 1>, padding<1, 1, 0, 2>, nn::no_bias>,
          array<double, 2, 4, 5, 3>>(reference::layer_conv_strides);
  against<nn::conv<double, 3, 6, 2, 2, feature_group_count<3>, window_dilation<1, 2>, padding_valid>,
          array<double, 2, 4, 5, 3>>(reference::layer_conv_groups);
  against<nn::conv<double, 3, 4, 3>, array<double, 2, 5, 3>>(reference::layer_conv_one_axis);
}

TEST_CASE("conv_transpose is flax's") {
  against<nn::conv_transpose<double, 3, 4, 3, 2, window_strides<2, 2>>, array<double, 2, 3, 4, 3>>(
      reference::layer_conv_transpose);
}

TEST_CASE("One example is one of a batch, without its axis and under vmap") {
  auto p = filled<nn::conv<double, 3, 4, 3, 2>>();
  auto x = some<array<double, 2, 4, 5, 3>>(50);
  near(stack(p(take<0>(x, array<int>(0))), p(take<0>(x, array<int>(1)))), p(x));
  near(vmap<none, 0>([](auto const& p, auto const& x) { return p(x); })(p, x), p(x));
}

static_assert(tree::paths<nn::conv<float, 3, 16, 3, 3>>()[0] == "kernel");
static_assert(nn::parameter_count<nn::conv<float, 16, 32, 3, 3, feature_group_count<4>>>() == 3 * 3 * 4 * 32 + 32);
