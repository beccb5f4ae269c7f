// SPDX-License-Identifier: BSD-3-Clause
// expect: E078
#include <etna/etna.hpp>

#include <etna/dist/pmap.hpp>

using namespace etna;

auto z(array<float, 12> const& x) {
  return dist::pmap<"i"_n>([](auto const& t) { return all_gather<"j"_n, 4>(t); })(x);
}
