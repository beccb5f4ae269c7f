// SPDX-License-Identifier: BSD-3-Clause
// wide NAME [SECONDS | plan]
#include <cstring>

#include "program.hpp"

int main(int argc, char** argv) {
  auto const found = argc > 1 ? wide::table().find(argv[1]) : wide::table().end();
  if (found == wide::table().end()) {
    std::fprintf(stderr, "usage: wide NAME [SECONDS | plan]; programs:");
    for (auto const& [name, run] : wide::table()) std::fprintf(stderr, " %s", name.c_str());
    std::fprintf(stderr, "\n");
    return 2;
  }
  found->second(argc < 3 ? 1 : std::strcmp(argv[2], "plan") == 0 ? -1 : std::atof(argv[2]));
}
