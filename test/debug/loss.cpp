// SPDX-License-Identifier: BSD-3-Clause
// For breakpoint.sh: the program of docs/debugging.md, whose gdb session stops inside the loss and reads numbers.
#include <cstdio>
#include <etna/language.hpp>

using namespace etna;
using vec = array<float, 3>;

static array<float> loss(vec w, vec x) {
  vec z = w * x;
  vec y = sqrt(z);
  return sum(y * y * z);
}

int main() {
  auto [value, g] = value_and_grad(loss)(vec{1, 2, 3}, vec{2, 2, 2});
  std::printf("%g %g\n", double(value.item()), double(g.data()[2]));
  std::fflush(stdout);
  try {
    debug::check_nan(grad(loss))(vec{1, 2, 3}, vec{2, -2, 2});
  } catch (error const& e) { std::printf("%s\n", e.what()); }
}
