// SPDX-License-Identifier: BSD-3-Clause
// Texts that were read and approved: test/golden/NAME.txt.
#pragma once
#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include <etna/etna.hpp>

inline void compare(std::string const& name, std::string const& text) {
  std::string const path = std::string(ETNA_TEST_FOLDER) + "/golden/" + name + ".txt";
  if (std::getenv("ETNA_WRITE_GOLDEN")) std::ofstream(path) << text;
  std::stringstream file;
  file << std::ifstream(path).rdbuf();
  INFO(path);
  CHECK(file.str() == text);
}
