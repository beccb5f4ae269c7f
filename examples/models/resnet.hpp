// SPDX-License-Identifier: BSD-3-Clause
// Residual networks (He et al., arXiv 1512.03385) for CIFAR's pictures: a stem of 3 x 3, stages of basic blocks, the
// mean over the picture, a dense layer. Blocks, and where they stand, are torchvision's.
#pragma once
#include <etna/data/naming.hpp>
#include <etna/etna.hpp>

namespace models {

using namespace etna;

struct resnet_config {
  int stages;
  std::array<extent, 4> widths;
  int blocks;  // of a stage
  extent channels, labels;
};
inline constexpr resnet_config resnet8{3, {16, 32, 64}, 1, 3, 10}, resnet18{4, {64, 128, 256, 512}, 2, 3, 10};

/// Layers with a state, one after another: {x, what the layers' states have become}.
template <class... Layer> struct in_turn {
  std::tuple<Layer...> layers;
  static constexpr auto names = tree::names("");  // of paths: 0.conv1.kernel
  struct state {
    std::tuple<typename Layer::state...> layers;
    static constexpr auto names = tree::names("");
  };
  template <any_array X, nn::call_mode M> constexpr auto operator()(X const& x, state const& s, M const& mode) const {
    return from<0>(x, s, mode, std::tuple<>{});
  }

 private:
  template <std::size_t Nth, class X, class M, class Done>
  constexpr auto from(X const& x, state const& s, M const& mode, Done const& done) const {
    if constexpr (Nth == sizeof...(Layer)) return std::pair{x, state{done}};
    else {
      auto [y, after] = std::get<Nth>(layers)(x, std::get<Nth>(s.layers), mode);
      return from<Nth + 1>(y, s, mode, std::tuple_cat(done, std::tuple{after}));
    }
  }
};

/// A convolution, and batch_norm with torch's momentum, behind it: {y, state}.
template <class T, extent In, extent Out, extent Stride, extent K = 3> struct conv_norm {
  static constexpr extent around = K / 2;
  using norm = nn::batch_norm<T, Out, 0, 0.9>;
  nn::conv<T, In, Out, K, K, window_strides<Stride, Stride>, padding<around, around, around, around>, nn::no_bias> conv;
  norm bn;
  static constexpr auto initial = nn::initial(&conv_norm::conv, nn::initializers::he_normal());
  using state = typename norm::state;

  template <any_array X, nn::call_mode M> constexpr auto operator()(X const& x, state const& s, M const& mode) const {
    return bn(conv(x), s, mode);
  }
};
/// What a block adds to: x, or where its shape changes a convolution of 1 x 1.
struct same_shortcut {
  struct state {};
  constexpr auto operator()(auto const& x, state const&, auto const&) const { return std::pair{x, state{}}; }
};

template <class T, extent In, extent Out, extent Stride> struct basic_block {
  using projection = std::conditional_t<In == Out && Stride == 1, same_shortcut, conv_norm<T, In, Out, Stride, 1>>;
  conv_norm<T, In, Out, Stride> first;
  conv_norm<T, Out, Out, 1> second;
  projection shortcut;
  struct state {
    typename conv_norm<T, In, Out, Stride>::state first;
    typename conv_norm<T, Out, Out, 1>::state second;
    typename projection::state shortcut;
  };
  template <any_array X, nn::call_mode M> constexpr auto operator()(X const& x, state const& s, M const& mode) const {
    auto [h, after_first] = first(x, s.first, mode);
    auto [y, after_second] = second(relu(h), s.second, mode);
    auto [z, after_shortcut] = shortcut(x, s.shortcut, mode);
    return std::pair{relu(y + z), state{after_first, after_second, after_shortcut}};
  }
};

namespace detail {

template <class T, resnet_config C, std::size_t Stage, class Blocks> struct stage_of;
template <class T, resnet_config C, std::size_t Stage, std::size_t... Block>
struct stage_of<T, C, Stage, std::index_sequence<Block...>> {
  static constexpr extent out = C.widths[Stage], in = C.widths[Stage > 0 ? Stage - 1 : 0];
  using type = in_turn<basic_block<T, Block == 0 ? in : out, out, (Block == 0 && Stage > 0) ? 2 : 1>...>;
};
template <class T, resnet_config C, class Stages> struct stages_of;
template <class T, resnet_config C, std::size_t... Stage> struct stages_of<T, C, std::index_sequence<Stage...>> {
  using type = in_turn<typename stage_of<T, C, Stage, std::make_index_sequence<std::size_t(C.blocks)>>::type...>;
};

}  // namespace detail

template <class T, resnet_config C> struct resnet {
  using stages = typename detail::stages_of<T, C, std::make_index_sequence<std::size_t(C.stages)>>::type;
  static constexpr extent features = C.widths[std::size_t(C.stages - 1)];
  conv_norm<T, C.channels, C.widths[0], 1> stem;
  stages layer;
  nn::dense<T, features, C.labels> fc;
  struct state {
    typename conv_norm<T, C.channels, C.widths[0], 1>::state stem;
    typename stages::state layer;
  };
  /// Pictures [b, h, w, channels], running means -> {logits [b, labels], running means}.
  template <any_array X, nn::call_mode M> constexpr auto operator()(X const& x, state const& s, M const& mode) const {
    auto [h, after_stem] = stem(x, s.stem, mode);
    auto [y, after_layer] = layer(relu(h), s.layer, mode);
    return std::pair{fc(mean<1, 2>(y)), state{after_stem, after_layer}};
  }
};

/// The mean loss of a batch in training: {loss, running means}, for value_and_grad(resnet_loss, has_aux).
inline constexpr auto resnet_loss = [](auto const& p, auto const& s, auto const& images, auto const& labels) {
  auto [logits, after] = p(images, s, nn::training);
  return std::pair{mean(softmax_cross_entropy(logits, labels)), after};
};

/// Where a torch module with torchvision's names has the parameters, and the running means.
inline data::torch_names const resnet_names{{{"^stem\\.conv", "conv1"},
                                             {"^stem\\.(bn\\.)?", "bn1."},
                                             {"^layer\\.3", "layer4"},
                                             {"^layer\\.2", "layer3"},
                                             {"^layer\\.1", "layer2"},
                                             {"^layer\\.0", "layer1"},
                                             {"\\bfirst\\.conv", "conv1"},
                                             {"\\bfirst\\.(bn\\.)?", "bn1."},
                                             {"\\bsecond\\.conv", "conv2"},
                                             {"\\bsecond\\.(bn\\.)?", "bn2."},
                                             {"\\bshortcut\\.conv", "downsample.0"},
                                             {"\\bshortcut\\.(bn\\.)?", "downsample.1."},
                                             {"(mean|var)$", "running_$1"}}};

}  // namespace models
