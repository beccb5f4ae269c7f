// SPDX-License-Identifier: BSD-3-Clause
// A Kokkos program with its own initialisation, views and loop: a derivative inside its kernel, a compiled gradient
// between kernels, both on its memory. Page: docs/examples/09_embed_kokkos.md
#include <Kokkos_Core.hpp>
#include <cmath>
#include <cstdio>

#include <etna/etna.hpp>
#include <etna/interop/kokkos_view.hpp>

using etna::array;

constexpr int cells = 256;
using field = array<double, cells, 2>;
using view = Kokkos::View<double* [2], Kokkos::LayoutRight, Kokkos::HostSpace>;
using space = Kokkos::DefaultHostExecutionSpace;

// One cell of a Brusselator, one implicit step: zero where w is the next state.
struct residual {
  constexpr auto operator()(array<double, 2> w, array<double, 2> before, array<double> dt) const {
    auto x = etna::take(w, array<int>(0)), y = etna::take(w, array<int>(1));
    auto rate = etna::where(etna::arange<int, 2>() == 0, 1.0 + x * x * y - 2.5 * x, 1.5 * x - x * x * y);
    return w - before - dt * rate;
  }
};
// What diffusion lowers: differences between neighbours in a ring.
constexpr auto roughness = [](field u, array<int, cells> next) {
  return 0.5 * etna::sum(etna::square(etna::take(u, next) - u));
};
constexpr auto slope = etna::jit(etna::value_and_grad(roughness));

int main(int argc, char** argv) {
  Kokkos::ScopeGuard guard(argc, argv);  // the program's own; etna uses what it finds
  view u("u", cells);
  Kokkos::parallel_for(
      "start", Kokkos::RangePolicy<space>(0, cells), KOKKOS_LAMBDA(int i) {
        u(i, 0) = 1 + 0.5 * std::sin(0.1 * i);
        u(i, 1) = 1.5 + 0.5 * std::cos(0.3 * i);
      });
  auto next = array<int, cells>::build([](int* out) {
    for (int i = 0; i < cells; ++i) out[i] = (i + 1) % cells;
  });

  double const dt = 0.02, diffusion = 5;
  auto value = etna::point(residual{});
  auto jacobian = etna::point<array<double, 2>, array<double, 2>, array<double>>(etna::jacfwd(residual{}));
  double first = 0, last = 0, worst = 0;
  for (int step = 0; step < 500; ++step) {
    // Newton in each cell, inside the program's kernel: nothing is allocated, nothing is called
    double left = 0;
    Kokkos::parallel_reduce(
        "react", Kokkos::RangePolicy<space>(0, cells),
        KOKKOS_LAMBDA(int i, double& most) {
          double before[2] = {u(i, 0), u(i, 1)}, w[2] = {u(i, 0), u(i, 1)};
          for (int k = 0; k < 4; ++k) {
            auto r = value(w, before, dt);
            auto j = jacobian(w, before, dt);
            double det = j(0, 0) * j(1, 1) - j(0, 1) * j(1, 0);
            w[0] -= (r(0) * j(1, 1) - r(1) * j(0, 1)) / det;
            w[1] -= (r(1) * j(0, 0) - r(0) * j(1, 0)) / det;
          }
          auto r = value(w, before, dt);
          most = Kokkos::max(most, Kokkos::max(Kokkos::abs(r(0)), Kokkos::abs(r(1))));
          for (int k = 0; k < 2; ++k) u(i, k) = w[k];
        },
        Kokkos::Max<double>(left));
    worst = std::fmax(worst, left);

    // the compiled gradient reads the view where it lies; its result is seen as a view
    auto [rough, g] = slope(etna::borrow<field>(u), next);
    auto down = etna::to_view(g);
    Kokkos::parallel_for(
        "diffuse", Kokkos::RangePolicy<space>(0, cells), KOKKOS_LAMBDA(int i) {
          for (int k = 0; k < 2; ++k) u(i, k) -= dt * diffusion * down(i, k);
        });
    if (step == 0) first = rough.item();
    last = rough.item();
  }
  std::printf("roughness %.4f at first, %.6f at last; largest residual %.1e\n", first, last, worst);
  return worst < 1e-10 && last < 0.1 * first ? 0 : 1;
}
