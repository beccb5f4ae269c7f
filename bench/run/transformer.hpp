// SPDX-License-Identifier: BSD-3-Clause
// A vision transformer of any size, and its loss, computed in any element type.
#pragma once
#include <etna/nn/attention_layer.hpp>
#include <etna/nn/loss.hpp>
#include <etna/nn/norm_layers.hpp>
#include <etna/nn/policy.hpp>

namespace bench {

using namespace etna;

template <element T, extent D, extent Heads> struct block {
  nn::layer_norm<T, D, 1e-5> first;
  nn::multi_head_attention<T, D, Heads> attention;
  nn::layer_norm<T, D, 1e-5> second;
  nn::dense<T, D, 4 * D> up;
  nn::dense<T, 4 * D, D> down;
  constexpr auto operator()(auto const& x, auto const&... option) const {
    auto h = x + attention(first(x), option...);
    return h + down(gelu(up(second(h))));
  }
};

template <element T, extent Images, extent Side, extent Patch, extent Channels, extent D, int Depth, extent Heads,
          extent Classes>
struct vit {
  static constexpr extent across = Side / Patch, tokens = across * across, pixels = Patch * Patch * Channels;
  using input = array<float, Images, Side, Side, Channels>;
  using labels = array<int, Images>;
  nn::dense<T, pixels, D> patches;
  array<T, 1, D> token;
  array<T, tokens + 1, D> position;
  std::array<block<T, D, Heads>, std::size_t(Depth)> blocks;
  nn::layer_norm<T, D, 1e-5> norm;
  nn::dense<T, D, Classes> head;
  template <element U> using with_element = vit<U, Images, Side, Patch, Channels, D, Depth, Heads, Classes>;

  constexpr auto operator()(auto const& x) const {
    auto cut = reshape<Images, tokens, pixels>(
        transpose<0, 1, 3, 2, 4, 5>(reshape<Images, across, Patch, across, Patch, Channels>(x)));
    array<T, Images, tokens + 1, D> h = concatenate<1>(broadcast_to<Images, 1, D>(token), patches(cut)) + position;
    for (auto const& b : blocks) h = b(h);
    return head(norm(h.template at<every, 0>().get()));
  }
};

using vit_small = vit<float, 64, 28, 7, 1, 128, 4, 4, 10>;
using vit_b16 = vit<float, 2, 224, 16, 3, 768, 12, 12, 1000>;

/// Any element type of what is computed: the parameters are f32.
template <class Compute> constexpr auto network_loss = [](auto const& p, auto const& x, auto const& labels) {
  if constexpr (std::is_same_v<Compute, float>) return mean(softmax_cross_entropy(p(x), labels));
  else {
    using mixed = nn::policy<float, Compute, float>;
    auto logits = mixed::cast_to_compute(p)(mixed::cast_to_compute(x));
    return mean(softmax_cross_entropy(mixed::cast_to_output(logits), labels));
  }
};

}  // namespace bench
