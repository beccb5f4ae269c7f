// SPDX-License-Identifier: BSD-3-Clause
// What a program prints with debug::print, as one text: a line ends in |.
#pragma once
#include <etna/etna.hpp>
#include <string>

namespace {
std::string lines;
void keep_line(std::string_view line) { lines += std::string(line) + "|"; }
template <class F> std::string printed(F const& f) {
  lines.clear();
  etna::debug::sink before = etna::debug::set_sink(keep_line);
  (void)f();
  etna::debug::set_sink(before);
  return lines;
}
}  // namespace
