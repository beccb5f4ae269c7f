// SPDX-License-Identifier: BSD-3-Clause
// 90 layers of width 256, a batch of 64, one step of Adam.
#include <etna/optim/adam.hpp>

#include "job.hpp"

namespace {

using namespace bench;

struct layer {
  array<float, 256, 256> w;
  array<float, 256> b;
};
using net = std::array<layer, 90>;
using batch = array<float, 64, 256>;
constexpr auto loss = [](net const& p, batch x) {
  batch h = x;
  for (auto const& l : p) h = relu(dot(h, l.w) + l.b);
  return mean(h * h);
};
constexpr auto optimizer = optim::adam(0.001);
constexpr auto step = jit([](net p, optim::state_of<optimizer, net> s, batch x) {
  auto [value, g] = value_and_grad(loss)(p, x);
  auto [updates, next] = optimizer.update(g, s);
  return std::tuple{optim::apply_updates(p, updates), next, value};
});

net start() {
  net p;
  for (std::size_t i = 0; i < p.size(); ++i)
    p[i] = {filled<array<float, 256, 256>>(100 + i, 0.25), array<float, 256>()};
  return p;
}
struct training {
  net p = start();
  optim::state_of<optimizer, net> s = optimizer.init(p);
};

entry const a1("etna", "adam90", [] {
  auto t = std::make_shared<training>();
  auto one = [t, x = filled<batch>(14, 2)] {
    flush_denormals as_xla_does;  // gradients of the first layers are some 1e-20, and Adam squares them
    auto [p, s, value] = step(std::move(t->p), std::move(t->s), x);
    t->p = std::move(p);
    t->s = std::move(s);
  };
  return job{one, [t, one] {
               *t = training();
               one();
               one();
               return numbers(t->p);
             }};
});

}  // namespace
