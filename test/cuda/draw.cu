// SPDX-License-Identifier: BSD-3-Clause
// Random draws, dropout, activations and norms as device kernels.
#include <etna/etna.hpp>
using namespace etna;
struct draw_t {
  constexpr auto operator()(random::prng_key const& k, array<float, 64, 8> const& x) const {
    auto [a, b] = random::split(k);
    return std::tuple{dropout(a, gelu(x), 0.25), random::normal<float, 64, 8>(b), random::normal<double, 16>(b), random::randint<int, 16>(a, 0, 10), layer_norm(x) + floor(x % 2) + arctan2(x, x)};
  }
};
auto run(random::prng_key const& k, array<float, 64, 8> const& x) { return jit(draw_t{})(k, x); }
