// SPDX-License-Identifier: BSD-3-Clause
// Heat in a plate whose rows are cut over processes: halos are exchanged inside of a scan, and the diffusivity is found
// from what is measured at the end, by the adjoint across processes. Page: docs/examples/26_heat.md
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include <etna/dist/collectives.hpp>
#include <etna/dist/pmap.hpp>
#include <etna/dist/world.hpp>
#include <etna/etna.hpp>
#include <etna/optim/adam.hpp>

#include "26_heat.hpp"

using namespace etna;

constexpr int n = 96, steps = 100;
constexpr double dt = 0.2;

/// With a process for each n / Ranks rows.
template <int Ranks> struct plate {
  static constexpr int rows = n / Ranks;
  using part = array<double, rows, n>;

  // With the neighbours' rows above and below (zeros at the ends), and zeros at the sides.
  static constexpr auto widen = [](part const& u) {
    auto const above = pshift<"rows"_n, 1>(slice<range{rows - 1, rows}>(u));
    auto const below = pshift<"rows"_n, -1>(slice<range{0, 1}>(u));
    return pad<0, 0, 1, 1>(concatenate<0>(above, u, below));
  };
  // Of the widened, what lies so many rows below and columns to the right.
  template <int Down, int Right> static constexpr auto moved = [](auto const& wide) {
    return slice<range{1 + Down, 1 + Down + rows}, range{1 + Right, 1 + Right + n}>(wide);
  };
  static constexpr auto solve = [](part const& u0, part const& k) {
    auto const wide_k = widen(k);
    auto const step = [wide_k](part const& u) {
      auto const wide_u = widen(u);
      auto const from = [&](auto const& at) { return (at(wide_k) + moved<0, 0>(wide_k)) * (at(wide_u) - u); };
      auto const all = from(moved<-1, 0>) + from(moved<1, 0>) + from(moved<0, -1>) + from(moved<0, 1>);
      return std::pair{u + dt / 2 * all, std::tuple<>{}};
    };
    return scan<steps>(step, u0).first;
  };
  // This process's part of the loss, by this process's part of k: what goes through halos comes back through them, so
  // the gradient has what the others' losses say of k too.
  static constexpr auto misfit = [](part const& k, part const& u0, part const& seen) {
    return sum(square(solve(u0, k) - seen)) / double(n * n);
  };
  static constexpr auto adam = optim::adam(0.02);
  static constexpr auto gradient = [](part const& k, part const& u0, part const& seen) {
    auto const [value, g] = value_and_grad(misfit)(k, u0, seen);
    return std::pair{psum<"rows"_n>(value), g};
  };
  static constexpr auto forward = dist::pmap<"rows"_n>(solve);
  static constexpr auto slope = dist::pmap<"rows"_n>(gradient);
  static constexpr auto learn =
      dist::pmap<"rows"_n>([](part k, optim::state_of<adam, part> s, part const& u0, part const& seen) {
        auto const [value, g] = gradient(k, u0, seen);
        auto const [updates, next] = adam.update(g, s);
        return std::tuple{optim::apply_updates(k, updates), next, value};
      });

  /// What f says of each place of the whole.
  template <class F> static part of(int rank, F const& f) {
    return part::build([&](double* x) {
      for (int i = 0; i < rows * n; ++i) x[i] = f(double(rank * rows + i / n) / n, double(i % n) / n);
    });
  }
};

template <int Ranks> int run(dist::process_group& ranks, int rounds) {
  using p = plate<Ranks>;
  dist::mesh<"rows"_n> const all(ranks);
  int const me = ranks.rank();
  auto const u0 = p::of(me, [](double y, double x) { return std::sin(7 * x) * std::sin(5 * y) + (x > y); });
  auto const k = p::of(me, [](double y, double x) { return 0.6 + 0.3 * std::sin(9 * x * y); });
  auto const seen = p::forward(u0, k);
  field by_hand(p::rows, n, u0), with(p::rows, n, k);
  double const start = seconds();
  solve_by_hand(by_hand, with, steps, dt);
  double const middle = seconds();
  p::forward(u0, k);
  double const end = seconds();
  double const differs = dist::all_reduce(ranks, largest_difference(by_hand, seen), dist::reduction::max);

  // k is found from a plain one; first the derivative along a direction, beside a difference
  auto guess = p::of(me, [](double, double) { return 0.6; });
  auto const along = p::of(me, [](double y, double x) { return std::cos(3 * x + 4 * y); });
  auto const [value, g] = p::slope(guess, u0, seen);
  double const by_adjoint = dist::all_reduce(ranks, sum(g * along).item());
  auto const moved = [&](double by) { return p::slope(guess + by * along, u0, seen).first.item(); };
  double const by_differences = (moved(1e-4) - moved(-1e-4)) / 2e-4;
  auto s = p::adam.init(guess);
  double loss = 0, begun = seconds();
  for (int i = 0; i < rounds; ++i) {
    auto [next, state, now] = p::learn(std::move(guess), std::move(s), u0, seen);
    guess = std::move(next), s = std::move(state), loss = now.item();
  }
  if (me == 0) {
    std::printf("%d ranks: %.1f ms, by hand %.1f ms, largest difference %.1e\n", Ranks, 1e3 * (end - middle),
                1e3 * (middle - start), differs);
    std::printf("slope %.10e, by differences %.10e\nloss %.10e, after %d rounds of %.1f ms %.10e\n", by_adjoint,
                by_differences, value.item(), rounds, 1e3 * (seconds() - begun) / rounds, loss);
  }
  return differs < 1e-12 && std::abs(by_differences / by_adjoint - 1) < 1e-5 && loss < value.item() ? 0 : 1;
}

int main(int argc, char** argv) try {
  dist::session const mpi(&argc, &argv);
  auto const ranks = dist::world();
  int const rounds = argc > 1 ? std::atoi(argv[1]) : 20;
  if (ranks->size() > 4) return std::fputs("1 to 4 ranks\n", stderr), 2;
  int (*const with_ranks[])(dist::process_group&, int) = {run<1>, run<2>, run<3>, run<4>};
  return with_ranks[ranks->size() - 1](*ranks, rounds);
} catch (error const& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 2;
}
