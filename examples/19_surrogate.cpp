// SPDX-License-Identifier: BSD-3-Clause
// A network in the place of the dear part of a simulation of the user's: trained before, called between his kernels on
// his views, and fine-tuned in place while the simulation runs. Page: docs/examples/19_surrogate.md
#include <Kokkos_Core.hpp>
#include <chrono>
#include <cmath>
#include <cstdio>

#include <etna/etna.hpp>
#include <etna/interop/kokkos_view.hpp>
#include <etna/optim/adam.hpp>
#include <etna/optim/schedules.hpp>

using etna::array;
using space = Kokkos::DefaultHostExecutionSpace;

constexpr int cells = 4096, checked = 256, steps = 200, every = 10;
using field = array<float, cells, 2>;
using sample = array<float, checked, 2>;
using view = Kokkos::View<float* [2], Kokkos::LayoutRight, Kokkos::HostSpace>;
constexpr float dt = 0.05f;

// What the simulation has: a cell's reaction (a Brusselator) over dt, in many small steps.
KOKKOS_INLINE_FUNCTION void react(float& x, float& y) {
  for (int k = 0; k < 200; ++k) {
    float const a = x * x * y;
    x += dt / 200 * (1 + a - 2.8f * x);
    y += dt / 200 * (1.8f * x - a);
  }
}
void react_all(view const& u) {
  Kokkos::parallel_for(
      "react", Kokkos::RangePolicy<space>(0, int(u.extent(0))), KOKKOS_LAMBDA(int i) { react(u(i, 0), u(i, 1)); });
}
void diffuse(view const& u, view const& out) {
  Kokkos::parallel_for(
      "diffuse", Kokkos::RangePolicy<space>(0, cells), KOKKOS_LAMBDA(int i) {
        for (int k = 0; k < 2; ++k)
          out(i, k) = u(i, k) + 0.2f * (u((i + 1) % cells, k) + u((i + cells - 1) % cells, k) - 2 * u(i, k));
      });
  Kokkos::deep_copy(u, out);
}

// What stands for it: the change over dt, of a small network.
struct net {
  etna::nn::dense<float, 2, 32> first;
  etna::nn::dense<float, 32, 32> second;
  etna::nn::dense<float, 32, 2> last;
  constexpr auto operator()(auto const& u) const {
    return u + last(etna::tanh(second(etna::tanh(first(u - 1.6f))))) * 0.1f;
  }
};
constexpr auto surrogate = etna::jit([](net const& p, field u) { return p(u); });
constexpr auto loss = [](net const& p, sample u, sample after) { return etna::mean(etna::square(p(u) - after)); };
constexpr auto optimizer = etna::optim::adam(etna::optim::exponential_decay(0.005f, 1000, 0.4f));
constexpr auto train = etna::jit([](net p, etna::optim::state_of<optimizer, net> s, sample u, sample after) {
  auto [value, g] = etna::value_and_grad(loss)(p, u, after);
  auto [updates, next] = optimizer.update(g, s);
  return std::tuple{etna::optim::apply_updates(p, updates), next, value};
});
struct learner {
  net p = etna::nn::init<net>(etna::random::key(0));
  decltype(optimizer.init(net{})) s = optimizer.init(p);
  float learn(view const& before, view const& after) {
    auto [parameters, state, value] =
        train(std::move(p), std::move(s), etna::borrow<sample>(before), etna::borrow<sample>(after));
    p = std::move(parameters);
    s = std::move(state);
    return value.item();
  }
};

double difference(view const& a, view const& b) {
  double sum = 0;
  Kokkos::parallel_reduce(
      "difference", Kokkos::RangePolicy<space>(0, cells),
      KOKKOS_LAMBDA(int i, double& s) {
        for (int k = 0; k < 2; ++k) s += (a(i, k) - b(i, k)) * (a(i, k) - b(i, k));
      },
      sum);
  return std::sqrt(sum / (2 * cells));
}

int main(int argc, char** argv) {
  Kokkos::ScopeGuard guard(argc, argv);
  view before("before", checked), after("after", checked), truth("truth", cells), u("u", cells), other("other", cells);
  // Offline: states of all kinds, and what the solver makes of them.
  learner l;
  float value = 0;
  for (int i = 0; i < 3000; ++i) {
    auto drawn = etna::random::uniform<float, checked, 2>(etna::random::fold_in(etna::random::key(1), i), 0.2f, 3.f);
    Kokkos::deep_copy(before, etna::to_view(drawn));
    Kokkos::deep_copy(after, before);
    react_all(after);
    value = l.learn(before, after);
  }
  std::printf("trained before: mean squared error %.1e\n", value);

  for (int i = 0; i < cells; ++i) {
    truth(i, 0) = u(i, 0) = 1 + 0.5f * std::sin(0.01f * float(i));
    truth(i, 1) = u(i, 1) = 1.8f + 0.5f * std::cos(0.03f * float(i));
  }
  double solver = 0, network = 0;
  auto timed = [](double& seconds, auto const& work) {
    auto const begin = std::chrono::steady_clock::now();
    work();
    seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  for (int step = 1; step <= steps; ++step) {
    timed(solver, [&] { react_all(truth); });
    diffuse(truth, other);
    timed(network, [&] {
      if (step % every == 0) {  // some cells by the solver, to learn from where the simulation is now
        for (int i = 0; i < checked; ++i)
          for (int k = 0; k < 2; ++k) before(i, k) = after(i, k) = u(i * (cells / checked), k);
        react_all(after);
        for (int k = 0; k < 4; ++k) value = l.learn(before, after);
      }
      auto next = surrogate(l.p, etna::borrow<field>(u));
      Kokkos::deep_copy(u, etna::to_view(next));
    });
    diffuse(u, other);
  }
  double const away = difference(u, truth);
  std::printf("after %d steps: root mean square difference %.1e; the solver took %.0f ms, the network %.0f\n", steps,
              away, 1e3 * solver, 1e3 * network);
  return away < 0.05 ? 0 : 1;
}
