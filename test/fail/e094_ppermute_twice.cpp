// SPDX-License-Identifier: BSD-3-Clause
// expect: E094
#include <etna/etna.hpp>

using namespace etna;

auto z(array<float, 3, 2> const& x) {
  return jit([](array<float, 3, 2> x) {
    return vmap<0>(
        [](auto const& r) {
          return ppermute<"i"_n>(r, std::array<std::array<int, 2>, 2>{{{0, 2}, {1, 2}}});
        },
        axis_name<"i"_n>)(x);
  })(x);
}
