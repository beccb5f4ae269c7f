// SPDX-License-Identifier: BSD-3-Clause
// What hides behind a step: twelve layers with Adam, whose gradients are reduced by a group that comes 10 ms late, and
// by one that does not, by turns. One process, so that nothing else differs. (Compiled once more without the pass
// `meanwhile`, as contrast.)
#include <algorithm>
#include <cstdio>

#include <etna/dist/delayed_group.hpp>
#include <etna/dist/pmap.hpp>
#include <etna/etna.hpp>
#include <etna/group/one_process.hpp>
#include <etna/optim/adam.hpp>

#include "../timing.hpp"

using namespace etna;

constexpr int width = 1024, batch = 64;
struct layer {
  array<float, width, width> w;
  array<float, width> b;
};
using net = std::array<layer, 12>;
using rows = array<float, batch, width>;
constexpr auto optimizer = optim::adam(1e-3);
constexpr auto loss = [](net const& p, rows const& x) {
  rows h = x;
  for (auto const& l : p) h = tanh(matmul(h, l.w) + l.b);
  return mean(square(h));
};
constexpr auto gradient = jit([](net const& p, rows const& x) { return value_and_grad(loss)(p, x); });
constexpr auto step = dist::pmap<"i"_n>([](net p, optim::state_of<optimizer, net> s, rows const& x) {
  auto const [value, g] = value_and_grad(loss)(p, x);
  auto const [updates, next] = optimizer.update(pmean<"i"_n>(g), s);
  return std::tuple{optim::apply_updates(p, updates), next, pmean<"i"_n>(value)};
});

int main() {
  net p{};
  for (auto& l : p) l.w = full<float, width, width>(0.002f), l.b = full<float, width>(0.01f);
  auto s = optimizer.init(p);
  rows const x = full<float, batch, width>(0.5f);
  array<float> value;
  std::vector<double> prompt, late, both;
  dist::one_process alone;
  for (int turn = 0; turn < 31; ++turn) {
    auto timed = [&](dist::process_group& g) {
      dist::mesh<"i"_n> const m(g);
      auto const begin = bench::clock_type::now();
      std::tie(p, s, value) = step(std::move(p), std::move(s), x);
      return bench::since(begin) * 1e3;
    };
    dist::delayed_group delayed(alone, std::chrono::milliseconds(10));
    bool const first = turn % 2 == 0;
    double const one = timed(first ? alone : static_cast<dist::process_group&>(delayed));
    double const two = timed(first ? static_cast<dist::process_group&>(delayed) : alone);
    auto const begin = bench::clock_type::now();
    auto const g = gradient(p, x);
    if (turn == 0) continue;  // memory is new
    prompt.push_back(first ? one : two), late.push_back(first ? two : one), both.push_back(bench::since(begin) * 1e3);
  }
  double const a = bench::middle(prompt), b = bench::middle(late);
  std::printf(
      "a step: %.1f ms, of which value and gradient %.1f; with all collectives 10 ms late: %.1f ms, %.3f of it\n", a,
      bench::middle(both), b, b / a);
  std::printf("the least: %.1f and %.1f ms\n", *std::min_element(prompt.begin(), prompt.end()),
              *std::min_element(late.begin(), late.end()));
}
