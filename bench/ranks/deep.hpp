// SPDX-License-Identifier: BSD-3-Clause
// A network of many layers, and its step of Adam in three ways: on one device; written for the whole batch, which is
// cut over two processes (dist::jit); and for the batch of each (pmap).
#pragma once
#include <array>
#include <tuple>

#include <etna/dist/pmap.hpp>
#include <etna/dist/sharded_jit.hpp>
#include <etna/etna.hpp>
#include <etna/nn/loss.hpp>
#include <etna/optim/adam.hpp>

namespace bench {

using namespace etna;

inline constexpr int outputs = 10;
template <int In, int Out> struct layer {
  array<float, In, Out> w;
  array<float, Out> b;
};
template <int Inputs, int Width, int Depth> struct deep {
  layer<Inputs, Width> in;
  std::array<layer<Width, Width>, Depth - 1> inner;
  layer<Width, outputs> out;
  template <int N> using batch = array<float, N, Inputs>;
};
template <int N> using targets = array<float, N, outputs>;

constexpr auto deep_loss = [](auto const& p, auto const& x, auto const& y) {
  auto h = relu(dot(x, p.in.w) + p.in.b);
  for (auto const& l : p.inner) h = relu(dot(h, l.w) + l.b);
  return mean(squared_error(dot(h, p.out.w) + p.out.b, y));
};
inline constexpr auto optimizer = optim::adam(1e-4);
template <class Net> using state = optim::state_of<optimizer, Net>;

/// N examples, all of them.
template <class Net, int N>
constexpr auto whole_step = [](Net p, state<Net> s, typename Net::template batch<N> const& x, targets<N> const& y) {
  auto const [value, g] = value_and_grad(deep_loss)(p, x, y);
  auto const [updates, next] = optimizer.update(g, s);
  return std::tuple{optim::apply_updates(p, updates), next, value};
};
using two = dist::mesh<dist::axis("data"_n, 2)>;
template <class A> using half = dist::sharded<A, two, dist::spec<"data"_n>>;
template <class Net, int N> constexpr auto on_one = jit(whole_step<Net, N>);
template <class Net, int N> constexpr auto cut_in_two = dist::jit<two>(whole_step<Net, N>);
/// N examples of each.
template <class Net, int N> constexpr auto of_each =
    dist::pmap<"i"_n>([](Net p, state<Net> s, typename Net::template batch<N> const& x, targets<N> const& y) {
      auto const [value, g] = pmean<"i"_n>(value_and_grad(deep_loss)(p, x, y));
      auto const [updates, next] = optimizer.update(g, s);
      return std::tuple{optim::apply_updates(p, updates), next, value};
    });

}  // namespace bench
