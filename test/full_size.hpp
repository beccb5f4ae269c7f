// SPDX-License-Identifier: BSD-3-Clause
// The largest network of the tests and benches: 378,526,058 parameters; input 1,024, 90 layers of 2,056, output 10, a
// batch of 6,912, the mean squared error, a step of Adam. With and without recomputation. What its plan needs is known
// while it compiles.
#pragma once
#include <etna/nn/loss.hpp>
#include <etna/optim/adam.hpp>

namespace test::full_size {

using namespace etna;

inline constexpr int inputs = 1024, width = 2056, outputs = 10, examples = 6912;
template <int In, int Out> struct layer {
  array<float, In, Out> w;
  array<float, Out> b;
};
struct net {
  layer<inputs, width> in;
  std::array<layer<width, width>, 89> inner;
  layer<width, outputs> out;
};
using batch = array<float, examples, inputs>;
using targets = array<float, examples, outputs>;

constexpr auto through = [](auto h, auto const& layers) {
  for (auto const& l : layers) h = relu(dot(h, l.w) + l.b);
  return h;
};
template <int At, int N> constexpr auto layers(net const& p) {
  std::array<layer<width, width>, N> some;
  for (int i = 0; i < N; ++i) some[i] = p.inner[At + i];
  return some;
}
/// All inner layers. Again: reverse mode keeps what each ten begin with, and runs them once more.
template <bool Again, int At = 0, class H> constexpr auto through_all(net const& p, H h) {
  if constexpr (!Again) return through(h, p.inner);
  else if constexpr (At == 89) return h;
  else {
    constexpr int n = At == 0 ? 9 : 10;
    return through_all<Again, At + n>(p, checkpoint(through)(h, layers<At, n>(p)));
  }
}
template <bool Again> constexpr auto loss = [](net const& p, batch x, targets y) {
  auto h = through_all<Again>(p, relu(dot(x, p.in.w) + p.in.b));
  return mean(squared_error(dot(h, p.out.w) + p.out.b, y));
};
constexpr auto optimizer = optim::adam(0.001);
template <bool Again> constexpr auto step = jit([](net p, optim::state_of<optimizer, net> s, batch x, targets y) {
  auto [value, g] = value_and_grad(loss<Again>)(p, x, y);
  auto [updates, next] = optimizer.update(g, s);
  return std::tuple{optim::apply_updates(p, updates), next, value};
});

}  // namespace test::full_size
