// SPDX-License-Identifier: BSD-3-Clause
// Loops and branches compiled by nvcc to an object: their plans, and the kernels of their frames as device code.
#include <etna/etna.hpp>

using namespace etna;

struct recurrent {
  constexpr auto operator()(array<float, 4> const& h0, array<float, 10, 4> const& xs, array<float, 4, 4> const& w) const {
    return value_and_grad<0, 2>([](auto const& h0, auto const& xs, auto const& w) {
      auto [h, ys] = scan([&](auto const& h, auto const& x) {
        auto next = cond(sum(h) < 1.f, [&](auto const& a) { return tanh(dot(a, w) + x); }, [](auto const& a) { return sin(a); }, h);
        return std::pair{next, sum(next)};
      }, h0, xs);
      return sum(h) + sum(ys);
    })(h0, xs, w);
  }
};
struct root {
  constexpr auto operator()(array<float, 16> const& a) const {
    return vmap([](auto const& a) { return while_loop([&](auto const& x) { return abs(x * x - a) > 1e-5f; }, [&](auto const& x) { return 0.5f * (x + a / x); }, array<float>(1.f)); })(a);
  }
};

auto one_recurrent(array<float, 4> const& h, array<float, 10, 4> const& xs, array<float, 4, 4> const& w) { return jit(recurrent{})(h, xs, w); }
auto one_root(array<float, 16> const& a) { return jit(root{})(a); }
