// SPDX-License-Identifier: BSD-3-Clause
// The trainer: reads the command line and the images, and trains. Whatever goes wrong is one line
// on the error output and the exit status 2.
// Start with model.hpp, which holds all the mathematics; the page is docs/examples/mnist.md.
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>

#include <Kokkos_Core.hpp>

#include "session.hpp"

namespace example {

// A run that goes on has the optimizer and the seed that it began with.
void adopt(options& o) {
  auto words = data::read_safetensors(o.resume_file).metadata;
  std::string const optimizer = words["optimizer"], seed = words["seed"];
  double const rate = std::strtod(words["rate"].c_str(), nullptr);
  std::uint64_t first = 0;
  auto const [end, wrong] = std::from_chars(seed.data(), seed.data() + seed.size(), first);
  bool const number = wrong == std::errc() && end == seed.data() + seed.size();
  if (!number || !(rate > 0) || !words.count("history") ||
      (optimizer != "adam" && optimizer != "sgd"))
    etna::message::raise<121>(o.resume_file + ": it is not a training run's resume.safetensors");
  if (o.optimizer.value_or(optimizer) != optimizer)
    throw std::runtime_error(o.resume_file + " is a run with " + optimizer +
                             "; leave --optimizer out");
  if (o.seed.value_or(first) != first)
    throw std::runtime_error(o.resume_file + " is a run with seed " + seed + "; leave --seed out");
  if (!o.rate) o.rate = rate;
  o.optimizer = optimizer;
  o.seed = first;
}

data::mnist load(std::string const& folder) {
  auto set = data::load_mnist(folder);
  if (set.train.pixels != 784)
    etna::message::raise<111>(folder + " has images of " + std::to_string(set.first.rows) + " x " +
                              std::to_string(set.first.columns) + ", the network takes 28 x 28");
  if (set.train.size() < 32 || set.validation.size() < 1 || set.test.size() < 1)
    etna::message::raise<111>(folder + " has under 32 images to train on, or none to test with");
  std::printf("%s: %lld images to train, %lld to validate, %lld to test\n", folder.c_str(),
              static_cast<long long>(set.train.size()),
              static_cast<long long>(set.validation.size()),
              static_cast<long long>(set.test.size()));
  return set;
}

template <class Rule> void run(options const& o) {
  if (o.plan) {
    std::puts(Rule::plan().c_str());
    return;
  }
  auto const set = load(o.data);
  session<Rule> s(o, o.seed.value_or(0));
  if (o.resume) s.resume(o.resume_file);
  s.train(set);
  s.finish(set);
}

}  // namespace example

int main(int argc, char** argv) try {
  example::options o;
  if (auto const status = example::read_options(argc, argv, o)) return *status;
  if (o.resume) example::adopt(o);
  setenv("OMP_PROC_BIND", "false", 0);  // others may use the cores too; Kokkos warns when not told
  Kokkos::InitializationSettings settings;
  if (o.threads > 0) settings.set_num_threads(o.threads);
  Kokkos::ScopeGuard const kokkos(settings);
  o.optimizer.value_or("adam") == "sgd" ? example::run<example::sgd_rule>(o)
                                        : example::run<example::adam_rule>(o);
  return 0;
} catch (std::bad_alloc const&) {
  std::fputs("mnist: E107: there is too little memory for the data set\n", stderr);
  return 2;
} catch (std::exception const& e) {
  std::fprintf(stderr, "mnist: %s\n", e.what());
  return 2;
}
