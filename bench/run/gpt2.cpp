// SPDX-License-Identifier: BSD-3-Clause
// GPT-2 of 124 million parameters, four sequences of 64 words, a step of AdamW.
#include "training.hpp"

namespace {

using namespace bench;

struct gpt2 {
  static constexpr extent words = 50257, length = 1024, batch = 4, tokens = 64, width = 768;
  using input = array<int, batch, tokens>;
  using labels = input;
  nn::embed<float, words, width> word;
  array<float, length, width> position;
  std::array<block<float, width, 12>, 12> blocks;
  nn::layer_norm<float, width, 1e-5> norm;

  constexpr auto operator()(input const& x) const {
    array<float, batch, tokens, width> h = word(x) + slice<range{0, tokens}>(position);
    for (auto const& b : blocks) h = b(h, causal);
    return word.attend(norm(h));
  }
};

entry const a1("etna", "gpt2", [] { return by_adamw<gpt2>(0.1f); });

}  // namespace
