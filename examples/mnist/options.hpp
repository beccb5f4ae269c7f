// SPDX-License-Identifier: BSD-3-Clause
// What the trainer can be told, and what it does when it is told nothing.
// Read next: files.hpp.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

namespace example {

struct options {
  std::string data, out = "mnist-run", resume_file;
  int epochs = 10, threads = 0;
  std::optional<std::string> optimizer;
  std::optional<double> rate;
  std::optional<std::uint64_t> seed;
  bool plan = false, resume = false;
};

/// Read the command line. An answer is the exit status of a program that has nothing more to do.
std::optional<int> read_options(int argc, char** argv, options& o);

}  // namespace example
