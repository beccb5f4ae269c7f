// SPDX-License-Identifier: BSD-3-Clause
// expect: E023
// expect: vector
// remedy: std::array
#include <etna/etna.hpp>
#include <vector>

using namespace etna;

struct parameters {
  std::vector<array<float, 3>> w;
};
auto g(parameters const& p) {
  return grad([](parameters const& q) { return sum(q.w[0]); })(p);
}
