// SPDX-License-Identifier: BSD-3-Clause
// Three convolutions of 7 taps over 32 sequences of 512; gradient by the parameters.
#include <etna/numpy/convolution.hpp>

#include "program.hpp"

namespace {

using namespace wide;
struct net {
  array<float, 7, 1, 16> w1;
  array<float, 16> b1;
  array<float, 7, 16, 16> w2;
  array<float, 16> b2;
  array<float, 7, 16, 16> w3;
  array<float, 16> b3;
  array<float, 16, 5> wo;
  array<float, 5> bo;
};
using sequences = array<float, 32, 512, 1>;
constexpr auto loss = [](net const& p, sequences x, array<int, 32> y) {
  auto layer = [](auto const& h, auto const& w, auto const& b) {
    return relu(conv_general(h, w, padding_same, dimension_numbers<"NWC", "WIO", "NWC">) + b);
  };
  auto h = layer(layer(layer(x, p.w1, p.b1), p.w2, p.b2), p.w3, p.b3);
  auto logits = dot(mean<1>(h), p.wo) + p.bo;
  return mean(softmax_cross_entropy(logits, y));
};
constexpr auto f = jit([](net p, sequences x, array<int, 32> y) { return grad(loss)(p, x, y); });
entry const e("conv1d", [](double seconds) {
  net p{fill<array<float, 7, 1, 16>>(1, 0.7),  fill<array<float, 16>>(2, 0.1),
        fill<array<float, 7, 16, 16>>(3, 0.2), fill<array<float, 16>>(4, 0.1),
        fill<array<float, 7, 16, 16>>(5, 0.2), fill<array<float, 16>>(6, 0.1),
        fill<array<float, 16, 5>>(7),          fill<array<float, 5>>(8)};
  run_or_show(seconds, f, p, fill<sequences>(9), fill_int<array<int, 32>>(10, 5));
});

}  // namespace
