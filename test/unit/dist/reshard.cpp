// SPDX-License-Identifier: BSD-3-Clause
// On one process; test/ranks/placement.cpp has several.
#include <doctest/doctest.h>

#include <etna/dist/reshard.hpp>
#include <numeric>

using namespace etna;
using namespace etna::dist::detail;

TEST_CASE("interchange of axes") {
  char const in[] = "aabbccddeeff";  // [2, 3] of two bytes
  char out[13]{};
  interchange(reinterpret_cast<std::byte const*>(in), reinterpret_cast<std::byte*>(out), 2, 3, 2);
  CHECK(std::string(out) == "aaddbbeeccff");
}
TEST_CASE("parts along an axis") {
  int in[2 * 6 * 2];
  std::iota(in, in + 24, 0);
  extent const shape[] = {2, 6, 2};
  block const b = sliced(block_of(in, sizeof in), {shape, sizeof(int), 1}, 3, 2);
  CHECK(b.size() == 8 * sizeof(int));
  int out[8];
  std::memcpy(out, b.data(), sizeof out);
  int const should[] = {8, 9, 10, 11, 20, 21, 22, 23};
  CHECK(std::equal(out, out + 8, should));
}
TEST_CASE("the part of another process") {
  mesh_here m;
  m.axes = 2;
  m.size[0] = m.size[1] = 2;
  std::int8_t in[16];
  std::iota(in, in + 16, 0);
  extent const shape[] = {4, 4};
  int const places[] = {1, 0};
  block const b = part_of(block_of(in, 16), shape, 1, m, places, {{1, 0, -1, -1}});
  std::int8_t const should[] = {2, 3, 6, 7};
  CHECK(b.size() == 4);
  CHECK(std::memcmp(b.data(), should, 4) == 0);
}
