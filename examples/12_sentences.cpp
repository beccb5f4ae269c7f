// SPDX-License-Identifier: BSD-3-Clause
// Sentence embeddings of a published checkpoint, loaded by names. Page: docs/examples/12_sentences.md
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <sstream>

#include "models/bert.hpp"

using namespace etna;

using bert = models::bert<float, models::minilm_l6>;
using embedding = array<float, models::minilm_l6.width>;

// A sentence filled up to N tokens: two lengths are two programs.
template <extent N> embedding embed(bert const& p, std::vector<int> const& ids) {
  auto padded = array<int, N>::build([&](int* out) { std::fill(std::copy(ids.begin(), ids.end(), out), out + N, 0); });
  return jit(models::embed_sentence)(p, padded, array<int>(int(ids.size())));
}
embedding embed(bert const& p, std::vector<int> const& ids) {
  return ids.size() <= 16 ? embed<16>(p, ids) : embed<32>(p, ids);
}

// Token ids, a sentence a line.
std::vector<std::vector<int>> read_sentences(std::istream& in) {
  std::vector<std::vector<int>> all;
  for (std::string line; std::getline(in, line) && !line.empty();) {
    std::istringstream words(line);
    all.emplace_back();
    for (int id; words >> id && all.back().size() < 32;) all.back().push_back(id);
  }
  return all;
}

// 12_sentences [MODEL.safetensors [IDS.txt]]: without a model its numbers are drawn.
int main(int argc, char** argv) try {
  std::istringstream few(
      "101 1996 4937 7719 2006 1996 13523 1012 102\n"       // The cat sits on the mat.
      "101 1037 4937 2003 3564 2006 1037 20452 1012 102\n"  // A cat is sitting on a rug.
      "101 2048 4606 2048 2003 2176 1012 102\n");           // Two plus two is four.
  std::ifstream file(argc > 2 ? argv[2] : "");
  auto const sentences = argc > 2 ? read_sentences(file) : read_sentences(few);
  auto p = argc > 1 ? bert{} : nn::init<bert>(random::key(0));
  if (argc > 1) data::load(p, argv[1], models::bert_names, {.ignore_extra = true});

  std::vector<embedding> all;
  for (auto const& ids : sentences) all.push_back(embed(p, ids));
  bool good = !all.empty();
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t k = 0; k < all.size(); ++k) std::printf(" %6.3f", dot(all[i], all[k]).item());
    good = good && std::fabs(dot(all[i], all[i]).item() - 1) < 1e-5;
    std::printf("\n");
  }
  auto const start = std::chrono::steady_clock::now();
  for (auto const& ids : sentences) all[0] = embed(p, ids);
  double const seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::printf("%.2f ms a sentence\n", 1e3 * seconds / double(sentences.size()));
  return good ? 0 : 1;
} catch (error const& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 2;
}
