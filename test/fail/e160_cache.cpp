// SPDX-License-Identifier: BSD-3-Clause
// expect: E160
#include <etna/etna.hpp>

#include <etna/data/pipeline.hpp>

using namespace etna;

auto z(std::vector<int> const& set) {
  return set | data::map([](int x, data::generator& random) { return x + int(random.integer(3)); }) | data::cache();
}
