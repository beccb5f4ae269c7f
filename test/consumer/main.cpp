// SPDX-License-Identifier: BSD-3-Clause
// What a user of an installed etna writes first: a jitted function, called.
#include <etna/etna.hpp>

constexpr auto squares = etna::jit([](etna::array<float, 4> x) { return etna::sum(x * x); });

int main() {
  etna::array<float, 4> x{1, 2, 3, 4};
  return static_cast<float>(squares(x)) == 30 ? 0 : 1;
}
