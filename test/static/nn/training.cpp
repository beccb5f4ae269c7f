// SPDX-License-Identifier: BSD-3-Clause
// A step of training of a network of convolutions, pools and attention has a plan with each compiler: rules that write
// other equations (windows of a gradient, pools written out) are evaluated by all of them.
#include <etna/compiler/program.hpp>
#include <etna/language.hpp>
#include <etna/nn/attention_layer.hpp>
#include <etna/nn/convolution_layer.hpp>
#include <etna/nn/loss.hpp>
#include <etna/nn/norm_layers.hpp>
#include <etna/nn/pooling.hpp>

using namespace etna;

namespace {

struct network {
  nn::conv<float, 1, 8, 3, 3> c1;
  nn::conv<float, 8, 16, 3, 3, window_strides<2, 2>> c2;
  nn::layer_norm<float, 16> norm;
  nn::multi_head_attention<float, 16, 2> attention;
  nn::dense<float, 64, 10> head;
  constexpr auto operator()(array<float, 8, 8, 1> const& x) const {
    auto h = reshape<4, 16>(c2(max_pool<2, 2>(relu(c1(x)))));
    return head(ravel(h + attention(norm(h))));
  }
};
struct step {
  template <class X, class Y> constexpr auto operator()(network const& p, X const& x, Y const& y) const {
    auto loss = [](network const& p, auto const& x, auto const& y) {
      auto one = [](network const& p, auto const& x) { return p(x); };
      return mean(softmax_cross_entropy(vmap<none, 0>(one)(p, x), y));
    };
    return tree::map([](auto const& a, auto const& g) { return a - 0.1f * g; }, p, grad(loss)(p, x, y));
  }
};
using program = compiler::program<step, network, array<float, 4, 8, 8, 1>, array<int, 4>>;
static_assert(program::value.n_steps > 0 && program::value.is_static);

}  // namespace
