// SPDX-License-Identifier: BSD-3-Clause
// expect: E096
#include <etna/etna.hpp>

using namespace etna;

using norm = nn::batch_norm<float, 3>;
auto z(norm const& layer, array<float, 5, 4, 3> const& x) {
  return jit([](norm const& layer, array<float, 5, 4, 3> const& x) {
    return vmap<none, 0>([](norm const& layer, auto const& x) { return layer(x, {}, nn::training).first; })(layer, x);
  })(layer, x);
}
