// SPDX-License-Identifier: BSD-3-Clause
// BERT (Devlin et al., arXiv 1810.04805) as Hugging Face's BertModel has it, and sentence embeddings of it: the mean of
// its results, of length 1.
#pragma once
#include <etna/data/naming.hpp>
#include <etna/etna.hpp>

namespace models {

using namespace etna;

struct bert_config {
  extent words, positions, types, width, hidden, heads;
  int depth;
};
/// sentence-transformers/all-MiniLM-L6-v2, and bert-base-uncased.
inline constexpr bert_config minilm_l6{30522, 512, 2, 384, 1536, 12, 6}, bert_base{30522, 512, 2, 768, 3072, 12, 12};

template <class T, bert_config C> struct bert_layer {
  nn::multi_head_attention<T, C.width, C.heads> attention;
  nn::layer_norm<T, C.width, 1e-12> attention_norm;
  nn::dense<T, C.width, C.hidden> intermediate;
  nn::dense<T, C.hidden, C.width> output;
  nn::layer_norm<T, C.width, 1e-12> output_norm;

  /// x [t, width]; seen [t]: which places are looked at.
  template <class X, class Mask> constexpr X operator()(X const& x, Mask const& seen) const {
    X h = attention_norm(x + attention(x, seen));
    return output_norm(h + output(gelu(intermediate(h), false)));
  }
};

template <class T, bert_config C> struct bert {
  nn::embed<T, C.words, C.width> word_embeddings;
  nn::embed<T, C.positions, C.width> position_embeddings;
  nn::embed<T, C.types, C.width> token_type_embeddings;
  nn::layer_norm<T, C.width, 1e-12> norm;
  nn::stacked<bert_layer<T, C>, C.depth> layer;

  /// Tokens [t], of which `length` are there and the rest is padding -> [t, width].
  template <any_array Ids, any_array Length> constexpr auto operator()(Ids const& ids, Length const& length) const {
    constexpr extent t = Ids::type.e[0];
    auto place = arange<int, t>();
    auto seen = less(place, length);
    auto h = norm(word_embeddings(ids) + position_embeddings(place) + slice<0>(token_type_embeddings.embedding));
    return layer
        .scan(
            [&](auto const& block, auto const& h, auto const&) {
              return std::pair{block(h, seen), std::tuple<>{}};
            },
            h, std::tuple<>{})
        .first;
  }
};

/// The mean of what a model gives for the tokens that are there, of length 1: [width].
inline constexpr auto embed_sentence = [](auto const& model, auto const& ids, auto const& length) {
  auto y = model(ids, length);
  constexpr extent t = decltype(y)::type.e[0];
  auto mean = sum<0>(where(expand_dims<1>(less(arange<int, t>(), length)), y, 0)) / length;
  return mean * rsqrt(sum(square(mean)));
};

/// Where Hugging Face's files have the leaves.
inline data::torch_names const bert_names{{{"^(word|position|token_type)_embeddings", "embeddings.$&"},
                                           {"^norm", "embeddings.LayerNorm"},
                                           {"^layer", "encoder.layer.#"},
                                           {"attention\\.(query|key|value)", "attention.self.$1"},
                                           {"attention\\.out\\b", "attention.output.dense"},
                                           {"attention_norm", "attention.output.LayerNorm"},
                                           {"intermediate", "intermediate.dense"},
                                           {"\\boutput\\.(kernel|bias)", "output.dense.$1"},
                                           {"output_norm", "output.LayerNorm"}}};

}  // namespace models
