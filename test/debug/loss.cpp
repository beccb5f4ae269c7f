// SPDX-License-Identifier: BSD-3-Clause
// For breakpoint.sh: a debugger stops inside the loss, while value_and_grad runs it, and reads z.
#include <cstdio>
#include <etna/language.hpp>

using namespace etna;
using vec = array<float, 3>;

static array<float> loss(vec w, vec x) {
  vec z = w * x;
  return sum(z * z);  // stop here
}

int main() {
  auto [value, g] = value_and_grad(loss)(vec{1, 2, 3}, vec{2, 2, 2});
  std::printf("%g %g\n", double(value.item()), double(g.data()[2]));
}
