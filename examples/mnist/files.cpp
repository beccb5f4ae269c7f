// SPDX-License-Identifier: BSD-3-Clause
#include "files.hpp"

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include <etna/train/checkpoint_folder.hpp>

namespace example {

using words = std::map<std::string, std::string>;

words words_of(char const* optimizer, std::uint64_t seed, float rate) {
  char text[40];
  std::snprintf(text, sizeof text, "%.9g", double(rate));
  return {{"optimizer", optimizer}, {"seed", std::to_string(seed)}, {"rate", text}};
}

// The words of the file that is named, or of the folder's checkpoint that the loop will take.
static words words_to_go_on_from(options const& o) {
  if (!o.resume_file.empty()) return data::read_safetensors(o.resume_file).metadata;
  auto const found = etna::train::checkpoint_folder(std::filesystem::path(o.out) / "checkpoints").words();
  if (!found) etna::message::raise<120>(o.out + "/checkpoints");
  return *found;
}

void adopt(options& o) {
  auto words = words_to_go_on_from(o);
  auto const from = o.resume_file.empty() ? o.out : o.resume_file;
  std::string const optimizer = words["optimizer"], seed = words["seed"];
  double const rate = std::strtod(words["rate"].c_str(), nullptr);
  std::uint64_t first = 0;
  auto const [end, wrong] = std::from_chars(seed.data(), seed.data() + seed.size(), first);
  bool const number = wrong == std::errc() && end == seed.data() + seed.size();
  if (!number || !(rate > 0) || (optimizer != "adam" && optimizer != "sgd"))
    etna::message::raise<121>(from + ": it is no checkpoint of this trainer");
  if (o.optimizer.value_or(optimizer) != optimizer)
    throw std::runtime_error(from + " is a run with " + optimizer + "; leave --optimizer out");
  if (o.seed.value_or(first) != first)
    throw std::runtime_error(from + " is a run with seed " + seed + "; leave --seed out");
  if (!o.rate) o.rate = rate;
  o.optimizer = optimizer;
  o.seed = first;
}

data::mnist load_images(std::string const& folder) {
  auto set = data::load_mnist(folder);
  if (set.train.pixels != 784)
    etna::message::raise<111>(folder + " has images of " + std::to_string(set.first.rows) + " x " +
                              std::to_string(set.first.columns) + ", the network takes 28 x 28");
  if (set.train.size() < 32 || set.validation.size() < 1 || set.test.size() < 1)
    etna::message::raise<111>(folder + " has under 32 images to train on, or none to test with");
  std::printf("%s: %lld images to train, %lld to validate, %lld to test\n", folder.c_str(),
              static_cast<long long>(set.train.size()), static_cast<long long>(set.validation.size()),
              static_cast<long long>(set.test.size()));
  return set;
}

}  // namespace example
