// SPDX-License-Identifier: BSD-3-Clause
// wide NAME [SECONDS | plan | explain | bytes]; and what runs outside jit, once for all of these files
#define ETNA_EAGER_HERE
#include <cstring>

#include "program.hpp"

int main(int argc, char** argv) {
  auto const found = argc > 1 ? wide::table().find(argv[1]) : wide::table().end();
  if (found == wide::table().end()) {
    std::fprintf(stderr, "usage: wide NAME [SECONDS | plan | explain | bytes]; programs:");
    for (auto const& [name, run] : wide::table()) std::fprintf(stderr, " %s", name.c_str());
    std::fprintf(stderr, "\n");
    return 2;
  }
  auto const is = [&](char const* word) { return std::strcmp(argv[2], word) == 0; };
  found->second(argc < 3        ? 1
                : is("plan")    ? wide::show_steps
                : is("explain") ? wide::show_kernels
                : is("bytes")   ? wide::show_bytes
                                : std::atof(argv[2]));
}
