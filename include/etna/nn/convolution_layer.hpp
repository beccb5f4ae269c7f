// SPDX-License-Identifier: BSD-3-Clause
// Layers that are convolutions, channels last. Read next: norm_layers.hpp.
#pragma once
#include "layer.hpp"
#include "pooling.hpp"

namespace etna::nn {

namespace detail {

/// What stands behind the channels in the arguments of a layer, told apart: sizes of the kernel, options, no_bias.
template <class Sizes, class Options, bias_option Bias> struct convolution_words {
  using options = Options;
  static constexpr bias_option bias = Bias;
};
template <class Sizes, class Options, bias_option Bias> constexpr auto sort_words() {
  return convolution_words<Sizes, Options, Bias>{};
}
template <class S, extent K> struct one_more;
template <extent... S, extent K> struct one_more<shape<S...>, K> {
  using type = shape<S..., K>;
};
template <class Sizes, class Options, bias_option Bias, auto Word, auto... Rest> constexpr auto sort_words() {
  using word = std::remove_cvref_t<decltype(Word)>;
  if constexpr (std::is_integral_v<word>)
    return sort_words<typename one_more<Sizes, Word>::type, Options, Bias, Rest...>();
  else if constexpr (std::is_same_v<word, bias_option>) return sort_words<Sizes, Options, Word, Rest...>();
  else
    return sort_words<Sizes, decltype(std::tuple_cat(std::declval<Options>(), std::declval<std::tuple<word>>())), Bias,
                      Rest...>();
}

template <int N> constexpr auto channels_last() {
  if constexpr (N == 1) return dimension_numbers<"NWC", "WIO", "NWC">;
  else if constexpr (N == 2) return dimension_numbers<"NHWC", "HWIO", "NHWC">;
  else return dimension_numbers<"NDHWC", "DHWIO", "NDHWC">;
}
template <bool Transposed, int N, class X, class K, class... O>
constexpr auto convolve_batch(X const& x, K const& kernel, O const&... option) {
  auto const run = [&](auto const&... o) {
    if constexpr (Transposed) return conv_transpose(x, kernel, channels_last<N>(), o...);
    else return conv_general(x, kernel, channels_last<N>(), o...);
  };
  if constexpr (numpy::choice_of<O...>().has_padding) return run(option...);
  else return run(padding_same, option...);
}
/// The convolution of a batch, or of one example without its axis, and the bias, if there is one.
template <bool Transposed, int N, class X, class K, class B, class... O>
constexpr auto convolve_layer(X const& x, K const& kernel, B const& bias, O const&... option) {
  if constexpr (X::rank == N + 1)
    return squeeze<0>(convolve_layer<Transposed, N>(expand_dims<0>(x), kernel, bias, option...));
  else {
    auto y = convolve_batch<Transposed, N>(x, kernel, option...);
    constexpr extent out = K::type.e[K::rank - 1];
    if constexpr (decltype(y)::rank != X::rank) return y;
    else if constexpr (decltype(y)::type.e[N + 1] != out) return refused<1, out>(x);
    else if constexpr (any_array<B>) return y + bias;
    else return y;
  }
}

/// The layer itself: conv and conv_transpose are its names. Kernel: its channels, in and out, behind its sizes.
template <bool Transposed, element T, class Kernel, extent Out, class Options, bias_option Bias>
struct convolution_layer;
template <bool Transposed, element T, extent... K, extent Out, class... O>
struct convolution_layer<Transposed, T, shape<K...>, Out, std::tuple<O...>, with_bias> {
  template <element U> using with_element =
      convolution_layer<Transposed, U, shape<K...>, Out, std::tuple<O...>, with_bias>;
  array<T, K..., Out> kernel;
  array<T, Out> bias;
  static constexpr auto initial = nn::initial(&convolution_layer::kernel, initializers::lecun_normal());

  template <any_array A> constexpr auto operator()(A const& x) const {
    return convolve_layer<Transposed, int(sizeof...(K)) - 1>(x, kernel, bias, O{}...);
  }
};
template <bool Transposed, element T, extent... K, extent Out, class... O>
struct convolution_layer<Transposed, T, shape<K...>, Out, std::tuple<O...>, no_bias> {
  template <element U> using with_element =
      convolution_layer<Transposed, U, shape<K...>, Out, std::tuple<O...>, no_bias>;
  array<T, K..., Out> kernel;
  static constexpr auto initial = nn::initial(&convolution_layer::kernel, initializers::lecun_normal());

  template <any_array A> constexpr auto operator()(A const& x) const {
    return convolve_layer<Transposed, int(sizeof...(K)) - 1>(x, kernel, no_bias, O{}...);
  }
};

template <class Words> struct kernel_of;
template <extent... K, class O, bias_option B> struct kernel_of<convolution_words<shape<K...>, O, B>> {
  template <extent In> using type = shape<K..., In>;
};
template <class Options> struct groups_of;
template <class... O> struct groups_of<std::tuple<O...>> {
  static constexpr extent value = numpy::choice_of<O...>().groups;
};
template <auto... Word> using words_of = decltype(sort_words<shape<>, std::tuple<>, with_bias, Word...>());
template <bool Transposed, element T, extent In, extent Out, class Words> using convolution_of =
    convolution_layer<Transposed, T,
                      typename kernel_of<Words>::template type<In / groups_of<typename Words::options>::value>, Out,
                      typename Words::options, Words::bias>;

}  // namespace detail

/// A convolution with a bias, channels last, padded so that its result is as large as x unless an option says
/// otherwise. Behind the channels stand the sizes of the kernel, then options: nn::conv<float, 3, 16, 3, 3,
/// window_strides<2, 2>, nn::no_bias>. With feature_group_count<In> each channel has kernels of its own (depthwise).
///
/// shape   x [h, w, In], or with a batch in front -> [h, w, Out]; one to three axes of space
/// init    kernel [kh, kw, In / groups, Out] lecun_normal, bias zeros
/// errors  E057 x has other channels or axes, E059 options, a kernel larger than x and its padding
/// source  flax Conv
template <element T, extent In, extent Out, auto... Word> using conv =
    detail::convolution_of<false, T, In, Out, detail::words_of<Word...>>;
/// A transposed convolution: window_strides say how many results there are for an element; else as conv.
///
/// source  flax ConvTranspose
template <element T, extent In, extent Out, auto... Word> using conv_transpose =
    detail::convolution_of<true, T, In, Out, detail::words_of<Word...>>;

}  // namespace etna::nn
