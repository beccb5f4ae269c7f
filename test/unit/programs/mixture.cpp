// SPDX-License-Identifier: BSD-3-Clause
// A mixture density network with dropout: weights and choices are drawn from one key, as in JAX.
#include "as_jax.hpp"

using namespace test;

namespace {

struct layer_in {
  array<double, 2, 16> w;
  array<double, 16> b;
};
struct layer_out {
  array<double, 16, 12> w;
  array<double, 12> b;
};
struct network {
  layer_in first;
  layer_out second;
};
using inputs = array<double, 10, 2>;
using targets = array<double, 10>;
using random::prng_key;

constexpr auto loss = [](auto const& net, auto const& key, auto const& x, auto const& y) {
  auto h = dropout(key, tanh(dot(x, net.first.w) + net.first.b), 0.25);
  auto [logits, means, scales] = split<3, 1>(dot(h, net.second.w) + net.second.b);
  auto sigma = softplus(scales) + 0.1;
  auto z = (expand_dims<1>(y) - means) / sigma;
  constexpr double half_log_two_pi = 0.91893853320467274178;
  auto parts = log_softmax(logits) - 0.5 * square(z) - log(sigma) - half_log_two_pi;
  return -mean(logsumexp<1>(parts));
};

constexpr auto drawn = [](prng_key const& key) {
  auto [k1, k2] = random::split(key);
  return network{{random::normal<double, 2, 16>(k1), numbers<array<double, 16>>(14)},
                 {0.25 * random::normal<double, 16, 12>(k2), numbers<array<double, 12>>(15)}};
};
constexpr auto step = [](network net, prng_key key, inputs x, targets y) {
  return tree::map([](auto const& p, auto const& g) { return p - 0.1 * g; }, net, grad(loss)(net, key, x, y));
};

}  // namespace

TEST_CASE("programs: a mixture density network with dropout under fixed keys") {
  auto [start, drop] = random::split(random::key(0));
  auto net = drawn(start);
  auto x = numbers<inputs>(16);
  auto y = numbers<targets>(17, 1. / 8);
  auto f = [](network net, prng_key key, inputs x, targets y) { return value_and_grad(loss)(net, key, x, y); };
  both_as_jax("mixture", 1e-12, f, net, drop, x, y);
  auto over_keys = [](network net, random::keys<3> keys, inputs x, targets y) {
    return value_and_grad([](auto const& net, auto const& keys, auto const& x, auto const& y) {
      return mean(vmap<none, 0, none, none>(loss)(net, keys, x, y));
    })(net, keys, x, y);
  };
  both_as_jax("mixture_over_keys", 1e-12, over_keys, net, random::split_batch<3>(drop), x, y);
  auto plain = net;
  for (int i = 0; i < 5; ++i) {
    net = jit(step)(net, random::fold_in(drop, i), x, y);
    plain = step(plain, random::fold_in(drop, i), x, y);
  }
  as_jax("mixture_trained", net);
  as_jax("mixture_trained", plain);
}
