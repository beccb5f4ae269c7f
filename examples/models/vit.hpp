// SPDX-License-Identifier: BSD-3-Clause
// The vision transformer (Dosovitskiy et al., arXiv 2010.11929) as Hugging Face's ViTForImageClassification has it, and
// its published sizes (g and G: Zhai et al., arXiv 2106.04560).
#pragma once
#include <etna/data/naming.hpp>
#include <etna/etna.hpp>

namespace models {

using namespace etna;

struct vit_config {
  extent image, patch, channels, width, hidden, heads;
  int depth;
  extent labels;
};
inline constexpr vit_config vit_b16{224, 16, 3, 768, 3072, 12, 12, 1000}, vit_l16{224, 16, 3, 1024, 4096, 16, 24, 1000},
    vit_h14{224, 14, 3, 1280, 5120, 16, 32, 1000}, vit_g14{224, 14, 3, 1408, 6144, 16, 40, 1000},
    vit_gigantic14{224, 14, 3, 1664, 8192, 16, 48, 1000};

template <class T, vit_config C> struct vit_layer {
  nn::layer_norm<T, C.width, 1e-12> layernorm_before;
  nn::multi_head_attention<T, C.width, C.heads> attention;
  nn::layer_norm<T, C.width, 1e-12> layernorm_after;
  nn::dense<T, C.width, C.hidden> intermediate;
  nn::dense<T, C.hidden, C.width> output;

  template <class X> constexpr X operator()(X const& x) const {
    X h = x + attention(layernorm_before(x));
    return h + output(gelu(intermediate(layernorm_after(h)), false));
  }
};

template <class T, vit_config C> struct vit {
  static constexpr extent patch_count = (C.image / C.patch) * (C.image / C.patch);
  nn::conv<T, C.channels, C.width, C.patch, C.patch, window_strides<C.patch, C.patch>, padding_valid> patches;
  array<T, 1, C.width> cls_token;
  array<T, patch_count + 1, C.width> position_embeddings;
  nn::stacked<vit_layer<T, C>, C.depth> layer;
  nn::layer_norm<T, C.width, 1e-12> layernorm;
  nn::dense<T, C.width, C.labels> classifier;
  static constexpr auto initial = nn::initial(&vit::cls_token, nn::initializers::normal{0.02},
                                              &vit::position_embeddings, nn::initializers::normal{0.02});

  /// A picture [image, image, channels] -> [labels]. keep: what reverse mode keeps of the blocks (keep_none: each
  /// block's argument).
  template <control::one_scan Keep = keep_all_t>
  constexpr auto operator()(array<T, C.image, C.image, C.channels> const& x, Keep keep = {}) const {
    return classifier(slice<0>(layernorm(layer(tokens(x), keep))));
  }

 private:
  constexpr array<T, patch_count + 1, C.width> tokens(array<T, C.image, C.image, C.channels> const& x) const {
    return concatenate(cls_token, reshape<patch_count, C.width>(patches(x))) + position_embeddings;
  }
};

/// The mean loss of a batch of pictures.
inline constexpr auto vit_loss = [](auto const& p, auto const& images, auto const& labels) {
  auto logits = vmap<none, 0>([](auto const& p, auto const& x) { return p(x); })(p, images);
  return mean(softmax_cross_entropy(logits, labels));
};

/// Where Hugging Face's files have the leaves.
inline data::torch_names const vit_names{{{"^patches", "vit.embeddings.patch_embeddings.projection"},
                                          {"^(cls_token|position_embeddings)", "vit.embeddings.$1"},
                                          {"^layer\\.", "vit.encoder.layer.#."},
                                          {"attention\\.(query|key|value)", "attention.attention.$1"},
                                          {"attention\\.out\\b", "attention.output.dense"},
                                          {"\\b(intermediate|output)\\.(kernel|bias)", "$1.dense.$2"},
                                          {"^layernorm", "vit.layernorm"}}};

}  // namespace models
