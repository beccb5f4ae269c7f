// SPDX-License-Identifier: BSD-3-Clause
// The trainer: reads the command line and the images, and trains. Whatever goes wrong is one line
// on the error output and the exit status 2.
// Start with model.hpp, which holds all the mathematics; the page is docs/examples/mnist.md.
#include <cstdio>
#include <cstdlib>
#include <exception>

#include <Kokkos_Core.hpp>

#include "session.hpp"

namespace example {

template <class Rule> void run(options const& o) {
  if (o.plan) {
    std::puts(Rule::plan().c_str());
    return;
  }
  train_on<Rule>(load_images(o.data), o);
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
  // Adam's moments of pixels that are always 0 fall below the normal numbers, each of which costs some processors a
  // hundred cycles.
  etna::flush_denormals const small_is_zero;
  o.optimizer.value_or("adam") == "sgd" ? example::run<example::sgd_rule>(o) : example::run<example::adam_rule>(o);
  return 0;
} catch (std::bad_alloc const&) {
  std::fputs("mnist: E107: there is too little memory for the data set\n", stderr);
  return 2;
} catch (std::exception const& e) {
  std::fprintf(stderr, "mnist: %s\n", e.what());
  return 2;
}
