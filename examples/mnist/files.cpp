// SPDX-License-Identifier: BSD-3-Clause
#include "files.hpp"

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include <etna/data/checkpoint.hpp>

namespace example {

void adopt(options& o) {
  auto words = data::read_safetensors(o.resume_file).metadata;
  std::string const optimizer = words["optimizer"], seed = words["seed"];
  double const rate = std::strtod(words["rate"].c_str(), nullptr);
  std::uint64_t first = 0;
  auto const [end, wrong] = std::from_chars(seed.data(), seed.data() + seed.size(), first);
  bool const number = wrong == std::errc() && end == seed.data() + seed.size();
  if (!number || !(rate > 0) || !words.count("history") || (optimizer != "adam" && optimizer != "sgd"))
    etna::message::raise<121>(o.resume_file + ": it is not a training run's resume.safetensors");
  if (o.optimizer.value_or(optimizer) != optimizer)
    throw std::runtime_error(o.resume_file + " is a run with " + optimizer + "; leave --optimizer out");
  if (o.seed.value_or(first) != first)
    throw std::runtime_error(o.resume_file + " is a run with seed " + seed + "; leave --seed out");
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

void store(mlp const& parameters, std::filesystem::path const& file, words const& beside) {
  data::save(parameters, file, beside);
}
template <class State> void store(saved<State> const& run, std::filesystem::path const& file, words const& beside) {
  data::save(run, file, beside);
}
template <class State> words restore(saved<State>& run, std::filesystem::path const& file) {
  return data::load(run, file);
}

template void store(saved<sgd_state> const&, std::filesystem::path const&, words const&);
template void store(saved<adam_state> const&, std::filesystem::path const&, words const&);
template words restore(saved<sgd_state>&, std::filesystem::path const&);
template words restore(saved<adam_state>&, std::filesystem::path const&);

}  // namespace example
