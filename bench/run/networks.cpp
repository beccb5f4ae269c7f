// SPDX-License-Identifier: BSD-3-Clause
// Convolutional networks, a step of SGD on 64 images: two convolutions of 5 x 5 with pools (cnn), and three residual
// blocks of 3 x 3 with batch statistics (resnet8).
#include <etna/nn/convolution_layer.hpp>
#include <etna/nn/dense.hpp>
#include <etna/nn/loss.hpp>
#include <etna/nn/pooling.hpp>

#include "job.hpp"

namespace {

using namespace bench;

constexpr extent images = 64;
using classes_of = array<int, images>;

struct cnn {
  nn::conv<float, 1, 32, 5, 5> c1;
  nn::conv<float, 32, 64, 5, 5> c2;
  nn::dense<float, 3136, 128> d1;
  nn::dense<float, 128, 10> d2;
  using pictures = array<float, images, 28, 28, 1>;
  constexpr auto operator()(pictures const& x) const {
    auto h = max_pool<2, 2>(relu(c2(max_pool<2, 2>(relu(c1(x))))));
    return d2(relu(d1(reshape<images, 3136>(h))));
  }
};

template <extent C> struct statistics {
  array<float, C> scale, shift;
  constexpr auto operator()(auto const& x) const {
    auto c = x - mean<0, 1, 2>(x, keepdims);
    return c * rsqrt(mean<0, 1, 2>(square(c), keepdims) + 1e-5f) * scale + shift;
  }
};
template <extent In, extent Out, extent Stride> struct residual {
  nn::conv<float, In, Out, 3, 3, window_strides<Stride, Stride>, nn::no_bias> a;
  statistics<Out> first;
  nn::conv<float, Out, Out, 3, 3, nn::no_bias> b;
  statistics<Out> second;
  nn::conv<float, In, Out, 1, 1, window_strides<Stride, Stride>, nn::no_bias> across;
  constexpr auto operator()(auto const& x) const {
    auto r = second(b(relu(first(a(x)))));
    if constexpr (Stride == 1) return relu(r + x);
    else return relu(r + across(x));
  }
};
struct resnet8 {
  nn::conv<float, 3, 16, 3, 3, nn::no_bias> in;
  statistics<16> first;
  residual<16, 16, 1> b1;
  residual<16, 32, 2> b2;
  residual<32, 64, 2> b3;
  nn::dense<float, 64, 10> head;
  using pictures = array<float, images, 32, 32, 3>;
  constexpr auto operator()(pictures const& x) const { return head(mean<1, 2>(b3(b2(b1(relu(first(in(x)))))))); }
};

template <class Net> struct training {
  Net p{};
  training() {
    std::uint64_t stream = 300;
    tree::for_each([&](auto& x) { x = filled<std::remove_cvref_t<decltype(x)>>(stream++, 0.25); }, p);
  }
};
template <class Net> constexpr auto step = jit([](Net p, typename Net::pictures x, classes_of labels) {
  auto loss = [](Net const& p, auto const& x, auto const& labels) { return mean(softmax_cross_entropy(p(x), labels)); };
  auto [value, g] = value_and_grad(loss)(p, x, labels);
  return std::pair{tree::map([](auto const& w, auto const& d) { return w - 0.001f * d; }, p, g), value};
});
template <class Net> job trained() {
  auto t = std::make_shared<training<Net>>();
  auto one = [t, x = filled<typename Net::pictures>(17, 2)] {
    auto labels = classes_of::build([](int* o) {
      for (int i = 0; i < images; ++i) o[i] = i * 7 % 10;
    });
    auto [p, value] = step<Net>(std::move(t->p), x, labels);
    t->p = std::move(p);
  };
  return {one, [t, one] {
            *t = {};
            one();
            one();
            return numbers(t->p);
          }};
}
entry const a1("etna", "cnn", [] { return trained<cnn>(); });
entry const a2("etna", "resnet8", [] { return trained<resnet8>(); });

}  // namespace
