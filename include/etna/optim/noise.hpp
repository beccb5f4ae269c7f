// SPDX-License-Identifier: BSD-3-Clause
// Gradients with noise, whose key stands in the state. Read next: muon.hpp.
#pragma once
#include <etna/random/draw.hpp>

#include "scale.hpp"

namespace etna::optim {

/// The number of steps, and the key of the next one.
struct add_noise_state {
  array<int> count;
  random::prng_key rng_key;
};

namespace detail {
template <class K> concept key_or_seed = random::one_key<K> || std::is_integral_v<K>;
template <key_or_seed K> constexpr auto key_of(K const& key) {
  if constexpr (std::is_integral_v<K>) return random::key(key);
  else return key;
}
}  // namespace detail

/// Updates plus normal noise of variance eta / n^gamma in step n. The key, or its seed, is that of the first step.
///
/// source  Neelakantan et al., Adding Gradient Noise Improves Learning for Very Deep Networks, arXiv 1511.06807; Optax
/// add_noise
template <detail::key_or_seed K> constexpr auto add_noise(double eta, double gamma, K const& key) {
  auto start = [=](auto const&) { return add_noise_state{array<int>(0), detail::key_of(key)}; };
  return detail::rule_of(start, [=](auto const& updates, auto const& state, auto const&) {
    using U = std::remove_cvref_t<decltype(updates)>;
    auto count = state.count + 1;
    auto deviation = sqrt(eta / pow(astype<detail::real_of<U>>(count), gamma));
    auto [next, now] = random::split(state.rng_key);
    auto keys = random::split<tree::size<U>()>(now);
    std::size_t leaf = 0;
    auto one = [&](auto const& u) { return u + detail::beside(u, deviation) * random::normal_like(keys[leaf++], u); };
    return std::pair{detail::each(one, updates), add_noise_state{count, next}};
  });
}
/// Gradient descent with noise.
///
/// source  Optax noisy_sgd
template <rate R, detail::key_or_seed K>
constexpr auto noisy_sgd(R const& learning_rate, K const& key, double eta = 0.01, double gamma = 0.55) {
  return chain(add_noise(eta, gamma, key), scale_by_learning_rate(learning_rate));
}

}  // namespace etna::optim
