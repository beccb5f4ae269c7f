// SPDX-License-Identifier: BSD-3-Clause
// BERT of examples/models against Hugging Face's: a small one with numbers by a formula, and MiniLM where it is there.
#include <doctest/doctest.h>

#include "../../../examples/models/bert.hpp"
#include "../../data/bert.inc.hpp"
#include "../../data/minilm.inc.hpp"
#include "../data/file.hpp"
#include "near.hpp"

using namespace etna;

namespace {

constexpr models::bert_config small{13, 7, 2, 8, 12, 2, 2};
using bert = models::bert<double, small>;

}  // namespace

TEST_CASE("a small BERT with Hugging Face's names gives its results") {
  test_data::folder f;
  huggingface::write_checkpoint(f / "x", huggingface::bert::entries);
  bert p{};
  CHECK(test_data::error_of([&] { data::load(p, f / "x", models::bert_names); }) == 122);  // the pooler
  data::load(p, f / "x", models::bert_names, {.ignore_extra = true});
  array<int, 6> const ids{3, 7, 1, 12, 0, 0};
  array<int> const length(4);
  auto all = [](bert const& p, array<int, 6> const& ids, array<int> const& length) {
    return std::pair{p(ids, length), models::embed_sentence(p, ids, length)};
  };
  for (auto const& [hidden, embedding] : {all(p, ids, length), jit(all)(p, ids, length)}) {
    CHECK(models::distance(hidden, huggingface::bert::hidden) < 1e-11);
    CHECK(models::distance(embedding, huggingface::bert::embedding) < 1e-11);
  }
}

/// MiniLM's sentences, padded: where its file is, which ETNA_MINILM names the folder of.
TEST_CASE("all-MiniLM-L6-v2 gives its sentence embeddings") {
  char const* folder = std::getenv("ETNA_MINILM");
  if (!folder) return;
  models::bert<float, models::minilm_l6> p{};
  data::load(p, std::filesystem::path(folder) / "model.safetensors", models::bert_names, {.ignore_extra = true});
  for (std::size_t k = 0; k < minilm::ids.size(); ++k) {
    auto const& ids = minilm::ids[k];
    REQUIRE(ids.size() <= 32);
    auto x = array<int, 32>::build([&](int* out) { std::fill(std::copy(ids.begin(), ids.end(), out), out + 32, 0); });
    auto y = jit(models::embed_sentence)(p, x, array<int>(int(ids.size())));
    double worst = 0;
    for (std::size_t i = 0; i < 384; ++i)
      worst = std::max(worst, std::abs(y.data()[i] - minilm::embeddings[k][i] * 1e-7));
    CHECK(worst < 1e-5);
  }
}
