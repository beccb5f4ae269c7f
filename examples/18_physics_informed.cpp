// SPDX-License-Identifier: BSD-3-Clause
// A network that solves Poisson's equation on a square: what it minimises has its second derivatives in it, and the
// gradient of that is the third. Page: docs/examples/18_physics_informed.md
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numbers>

#include <etna/etna.hpp>
#include <etna/optim/adam.hpp>
#include <etna/optim/schedules.hpp>

using etna::array;

constexpr double pi = std::numbers::pi;
constexpr int places = 512, steps = 2000;

struct net {
  etna::nn::dense<double, 2, 32> first;
  etna::nn::dense<double, 32, 32> second;
  etna::nn::dense<double, 32, 1> last;
};
// u(x, y): zero on the border by its form, so that the loss need not say it.
constexpr auto solution = [](net const& p, array<double, 2> at) {
  auto x = etna::slice<0>(at), y = etna::slice<1>(at);
  auto h = etna::tanh(p.second(etna::tanh(p.first(at))));
  return x * (1.0 - x) * y * (1.0 - y) * etna::slice<0>(p.last(h));
};
// Poisson's equation u_xx + u_yy = f, whose solution is sin(pi x) sin(pi y).
constexpr auto exact = [](auto const& x, auto const& y) { return etna::sin(pi * x) * etna::sin(pi * y); };
constexpr auto loss = [](net const& p, array<double, places, 2> at) {
  auto residual = [&](array<double, 2> here) {
    auto h = etna::hessian([&](array<double, 2> z) { return solution(p, z); })(here);
    auto f = -2 * pi * pi * exact(etna::slice<0>(here), etna::slice<1>(here));
    return etna::slice<0, 0>(h) + etna::slice<1, 1>(h) - f;
  };
  return etna::mean(etna::square(etna::vmap(residual)(at)));
};

constexpr auto optimizer = etna::optim::adam(etna::optim::cosine_decay_schedule(0.01, steps));
constexpr auto train = etna::jit([](net p, etna::optim::state_of<optimizer, net> s, etna::random::prng_key key) {
  auto at = etna::random::uniform<double, places, 2>(key);
  auto [value, g] = etna::value_and_grad(loss)(p, at);
  auto [updates, next] = optimizer.update(g, s);
  return std::tuple{etna::optim::apply_updates(p, updates), next, value};
});
// The largest error on a grid.
constexpr auto error = etna::jit([](net const& p) {
  auto k = etna::astype<double>(etna::arange<int, 41>()) / 40.0;
  auto x = etna::broadcast_to<41, 41>(etna::expand_dims<1>(k)), y = etna::broadcast_to<41, 41>(k);
  auto at = etna::reshape<41 * 41, 2>(etna::stack<2>(x, y));
  auto u = etna::vmap<etna::none, 0>(solution)(p, at);
  return etna::max(etna::abs(u - etna::ravel(exact(x, y))));
});

int main(int argc, char** argv) {
  int const n = argc > 1 ? std::atoi(argv[1]) : steps;
  auto p = etna::nn::init<net>(etna::random::key(0));
  auto s = optimizer.init(p);
  for (int i = 0; i <= n; ++i) {
    auto [parameters, state, value] = train(std::move(p), std::move(s), etna::random::fold_in(etna::random::key(1), i));
    p = std::move(parameters);
    s = std::move(state);
    if (i % 500 == 0) std::printf("step %4d  loss %10.3e  largest error %.1e\n", i, value.item(), error(p).item());
  }
  return n < steps || error(p).item() < 2e-3 ? 0 : 1;
}
