// SPDX-License-Identifier: BSD-3-Clause
// GPT-2 (Radford et al., 2019) as Hugging Face's GPT2LMHeadModel has it: a whole text at once, or token by token with a
// cache of keys and values.
#pragma once
#include <etna/data/naming.hpp>
#include <etna/etna.hpp>

namespace models {

using namespace etna;

struct gpt2_config {
  extent words, positions, width, heads;
  int depth;
};
inline constexpr gpt2_config gpt2_124m{50257, 1024, 768, 12, 12};

template <class T, gpt2_config C> struct gpt2_layer {
  using attention = nn::multi_head_attention<T, C.width, C.heads>;
  nn::layer_norm<T, C.width, 1e-5> ln_1;
  attention attn;
  nn::layer_norm<T, C.width, 1e-5> ln_2;
  nn::dense<T, C.width, 4 * C.width> fc;
  nn::dense<T, 4 * C.width, C.width> proj;

  template <class X> constexpr X operator()(X const& x) const { return behind(x + attn(ln_1(x), causal)); }
  /// The next positions, and the cache with them.
  template <class X, class Cache> constexpr auto decode(X const& x, Cache const& so_far) const {
    auto [y, cache] = attn.decode(ln_1(x), so_far);
    return std::pair{behind(x + y), cache};
  }

 private:
  template <class X> constexpr X behind(X const& h) const { return h + proj(gelu(fc(ln_2(h)))); }
};

template <class T, gpt2_config C> struct gpt2 {
  static constexpr extent head_size = C.width / C.heads;
  nn::embed<T, C.words, C.width> wte;
  nn::embed<T, C.positions, C.width> wpe;
  nn::stacked<gpt2_layer<T, C>, C.depth> h;
  nn::layer_norm<T, C.width, 1e-5> ln_f;
  static constexpr auto initial =
      nn::initial(&gpt2::wte, nn::initializers::normal{0.02}, &gpt2::wpe, nn::initializers::normal{0.02});

  /// Tokens [t] -> logits of those that follow each, [t, words].
  template <any_array Ids> constexpr auto operator()(Ids const& ids) const {
    constexpr extent t = Ids::type.e[0];
    return wte.attend(ln_f(h(wte(ids) + slice<range{0, t}>(wpe.embedding))));
  }

  /// Keys and values of the positions so far, of all layers.
  template <extent Length> struct cache {
    array<T, C.depth, Length, C.heads, head_size> key, value;
    array<int> length;
  };
  /// The next tokens [t] -> {logits [t, words], the cache with them}.
  template <any_array Ids, extent Length> constexpr auto decode(Ids const& ids, cache<Length> const& so_far) const {
    constexpr extent t = Ids::type.e[0];
    using one = typename gpt2_layer<T, C>::attention::template cache<Length>;
    auto const at = so_far.length;
    auto [x, kept] = h.scan(
        [&](auto const& block, auto const& x, auto const& of_block) {
          auto [y, cache] = block.decode(x, one{of_block.first, of_block.second, at});
          return std::pair{y, std::pair{cache.key, cache.value}};
        },
        wte(ids) + wpe(at + arange<int, t>()), std::pair{so_far.key, so_far.value});
    return std::pair{wte.attend(ln_f(x)), cache<Length>{kept.first, kept.second, at + int(t)}};
  }
};

/// The mean loss of each text's tokens but the first, from those before them: texts [b, t].
inline constexpr auto gpt2_loss = [](auto const& p, auto const& texts) {
  constexpr extent b = std::remove_cvref_t<decltype(texts)>::type.e[0],
                   t = std::remove_cvref_t<decltype(texts)>::type.e[1];
  auto logits = vmap<none, 0>([](auto const& p, auto const& ids) { return p(ids); })(p, texts);
  constexpr extent words = decltype(logits)::type.e[2];
  return mean(softmax_cross_entropy(reshape<b*(t - 1), words>(slice<every, range{0, t - 1}>(logits)),
                                    reshape<b*(t - 1)>(slice<every, range{1, t}>(texts))));
};

/// Where Hugging Face's files have the leaves, which keep kernels as [In, Out]. The file that OpenAI published has no
/// prefix.
inline data::torch_names gpt2_names(std::string const& prefix = "transformer.") {
  return data::torch_names({{"^h\\.", "h.#."},
                            {"attn\\.query", "attn.c_attn", 0, 3},
                            {"attn\\.key", "attn.c_attn", 1, 3},
                            {"attn\\.value", "attn.c_attn", 2, 3},
                            {"attn\\.out\\b", "attn.c_proj"},
                            {"\\.(fc|proj)\\.", ".mlp.c_$1."},
                            {"^", prefix}},
                           data::layout::in_out);
}

}  // namespace models
