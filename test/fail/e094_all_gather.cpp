// SPDX-License-Identifier: BSD-3-Clause
// expect: E094
#include <etna/etna.hpp>

using namespace etna;

auto z(array<float, 3, 2> const& x) {
  return jit([](array<float, 3, 2> x) {
    return vmap<0>([](auto const& r) { return all_gather<"i"_n, 4>(r); }, axis_name<"i"_n>)(x);
  })(x);
}
