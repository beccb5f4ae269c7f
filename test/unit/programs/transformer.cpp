// SPDX-License-Identifier: BSD-3-Clause
// A vision transformer of two layers: patches, layer norm, attention of two heads, gelu; the loss and all its
// gradients.
#include "as_jax.hpp"

using namespace test;

namespace {

template <class T> struct block {
  array<T, 8> scale1, shift1;
  array<T, 8, 8> query, key, value, out;
  array<T, 8> scale2, shift2;
  array<T, 8, 12> wide;
  array<T, 12> wide_bias;
  array<T, 12, 8> narrow;
  array<T, 8> narrow_bias;
};
template <class T> struct transformer {
  array<T, 4, 8> embed;
  array<T, 9, 8> place;
  std::array<block<T>, 2> layers;
  array<T, 8, 3> head;
};

// 3 by 3 patches of 2 by 2 points
constexpr auto patches = [](auto const& images) {
  return reshape<2, 9, 4>(transpose<0, 1, 3, 2, 4>(reshape<2, 3, 2, 3, 2>(images)));
};
constexpr auto mixed = [](auto const& x, auto const& layer) {
  auto h = layer_norm(x, layer.scale1, layer.shift1);
  auto heads = [&](auto const& w) { return reshape<2, 9, 2, 4>(dot(h, w)); };
  auto seen = dot_product_attention(heads(layer.query), heads(layer.key), heads(layer.value));
  return x + dot(reshape<2, 9, 8>(seen), layer.out);
};
constexpr auto thought = [](auto const& x, auto const& layer) {
  auto h = layer_norm(x, layer.scale2, layer.shift2);
  return x + dot(gelu(dot(h, layer.wide) + layer.wide_bias), layer.narrow) + layer.narrow_bias;
};
constexpr auto loss = [](auto const& model, auto const& images, auto const& labels) {
  auto x = dot(patches(images), model.embed) + model.place;
  for (auto const& layer : model.layers) x = thought(mixed(x, layer), layer);
  return mean(softmax_cross_entropy(dot(mean<1>(x), model.head), labels));
};

template <class T> block<T> start_of_layer(int s) {
  using row = array<T, 8>;
  using square = array<T, 8, 8>;
  return {row(1 + numbers<row>(s, 1. / 64)),         numbers<row>(s + 1, 1. / 64),
          numbers<square>(s + 2, 1. / 32),           numbers<square>(s + 3, 1. / 32),
          numbers<square>(s + 4, 1. / 32),           numbers<square>(s + 5, 1. / 32),
          row(1 + numbers<row>(s + 6, 1. / 64)),     numbers<row>(s + 7, 1. / 64),
          numbers<array<T, 8, 12>>(s + 8, 1. / 32),  numbers<array<T, 12>>(s + 9, 1. / 64),
          numbers<array<T, 12, 8>>(s + 10, 1. / 32), numbers<row>(s + 11, 1. / 64)};
}
template <class T> transformer<T> start() {
  return {numbers<array<T, 4, 8>>(20),
          numbers<array<T, 9, 8>>(21, 1. / 64),
          {start_of_layer<T>(30), start_of_layer<T>(50)},
          numbers<array<T, 8, 3>>(22)};
}

template <class T> void check(double tolerance) {
  using image = array<T, 2, 6, 6>;
  auto f = [](transformer<T> model, image images, array<int, 2> labels) {
    return value_and_grad(loss)(model, images, labels);
  };
  both_as_jax("vit", tolerance, f, start<T>(), numbers<image>(23, 1. / 8), array<int, 2>{2, 0});
}

}  // namespace

TEST_CASE("programs: a two-layer vision transformer and its gradients") {
  check<double>(1e-12);
  check<float>(1e-5);
}
