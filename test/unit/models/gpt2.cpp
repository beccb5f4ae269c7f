// SPDX-License-Identifier: BSD-3-Clause
// GPT-2 of examples/models against Hugging Face's: logits, at once and token by token, and losses of 50 steps.
#include <doctest/doctest.h>

#include <cstdlib>

#include <etna/interop/npy.hpp>

#include "../../../examples/models/gpt2.hpp"
#include "../../data/gpt2.inc.hpp"
#include "../data/file.hpp"
#include "near.hpp"

using namespace etna;

namespace {

using gpt2 = models::gpt2<double, models::gpt2_config{11, 8, 8, 2, 2}>;

constexpr auto logits = jit([](gpt2 const& p, array<int, 2, 8> const& texts) {
  return vmap<none, 0>([](gpt2 const& p, auto const& ids) { return p(ids); })(p, texts);
});
constexpr auto step = jit([](gpt2 const& p, array<int, 2, 8> const& texts) {
  auto [loss, gradient] = value_and_grad(models::gpt2_loss)(p, texts);
  return std::pair{tree::map([](auto const& a, auto const& g) { return a - 0.05 * g; }, p, gradient), loss};
});
constexpr auto next =
    jit([](gpt2 const& p, array<int, 1> const& token, gpt2::cache<8> const& cache) { return p.decode(token, cache); });
constexpr auto first_three = jit(
    [](gpt2 const& p, array<int, 3> const& tokens, gpt2::cache<8> const& cache) { return p.decode(tokens, cache); });

constexpr int texts[2][8]{{3, 7, 1, 10, 4, 4, 0, 2}, {9, 8, 7, 6, 5, 4, 3, 2}};
gpt2 loaded() {
  test_data::folder f;
  huggingface::write_checkpoint(f / "x", huggingface::gpt2::entries);
  gpt2 p{};
  data::load(p, f / "x", models::gpt2_names());
  return p;
}
double worst_row(std::size_t text, std::size_t row, double const* is) {
  double worst = 0;
  for (std::size_t i = 0; i < 11; ++i)
    worst = std::max(worst, std::abs(is[i] - huggingface::gpt2::logits[(text * 8 + row) * 11 + i]));
  return worst;
}

}  // namespace

TEST_CASE("a small GPT-2 with Hugging Face's names gives its logits, and its losses in 50 steps") {
  auto p = loaded();
  array<int, 2, 8> x = array<int, 2, 8>::build([](int* out) { std::copy(&texts[0][0], &texts[0][0] + 16, out); });
  CHECK(models::distance(logits(p, x), huggingface::gpt2::logits) < 1e-11);
  for (double const wanted : huggingface::gpt2::losses) {
    auto [next, loss] = step(p, x);
    p = next;
    CHECK(std::abs(loss.item() - wanted) < 1e-11);
  }
}

TEST_CASE("token by token with a cache it gives the same logits") {
  auto const p = loaded();
  for (std::size_t text : {0u, 1u}) {
    int const* ids = texts[text];
    auto [rows, cache] = first_three(p, array<int, 3>{ids[0], ids[1], ids[2]}, gpt2::cache<8>{});
    for (std::size_t k = 0; k < 3; ++k) CHECK(worst_row(text, k, rows.data() + 11 * k) < 1e-11);
    for (std::size_t k = 3; k < 8; ++k) {
      auto [row, grown] = next(p, array<int, 1>{ids[k]}, cache);
      CHECK(worst_row(text, k, row.data()) < 1e-11);
      cache = grown;
    }
    CHECK(cache.length.item() == 8);
  }
}

/// What huggingface.py full has written, where ETNA_GPT2 names its folder.
TEST_CASE("GPT-2 of 124 million parameters gives PyTorch's logits") {
  char const* told = std::getenv("ETNA_GPT2");
  if (!told) return;
  std::filesystem::path const folder = told;
  using full = models::gpt2<float, models::gpt2_124m>;
  full p{};
  data::load(p, folder / "model.safetensors", models::gpt2_names());
  auto const ids = array<int, 64>::build([](int* out) {
    for (int i = 0; i < 64; ++i) out[i] = i * 7919 % 50257;
  });
  auto const is = jit([](full const& p, array<int, 64> const& ids) { return p(ids); })(p, ids);
  auto const wanted = load_npy<array<double, 64, 50257>>(folder / "logits.npy");
  double worst = 0, largest = 0;
  for (std::size_t i = 0; i < std::size_t(wanted.size()); ++i) {
    worst = std::max(worst, std::abs(double(is.data()[i]) - wanted.data()[i]));
    largest = std::max(largest, std::abs(wanted.data()[i]));
  }
  CHECK(worst < 1e-5 * largest);
}
