// SPDX-License-Identifier: BSD-3-Clause
// Primitives of one's own under every transform: the gradient of a smoothness penalty, mapped and jitted.
// Page: docs/examples/08_own_primitive.md
#include "08_own_primitive.hpp"

#include <cstdio>
#include <etna/etna.hpp>

using etna::array;

// The names for users.
namespace own {
template <etna::any_array A> constexpr auto softsign(A const& x) { return etna::numpy::real_of<softsign_p>(x); }
template <etna::any_array A> constexpr auto laplacian(A const& x) { return etna::numpy::real_of<laplacian_p>(x); }
}  // namespace own

constexpr int n = 64, curves = 8;

// How rough is the curve softsign(x)?
constexpr auto roughness = [](array<double, n> const& x) {
  return etna::sum(etna::square(own::laplacian(own::softsign(x))));
};

// Curves become smoother by gradient descent, all at once.
constexpr auto smoother = etna::jit([](array<double, curves, n> x) {
  auto [value, slope] = etna::vmap(etna::value_and_grad(roughness))(x);
  return std::pair{x - 0.02 * slope, etna::mean(value)};
});

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos(argc, argv);  // for the loop of laplacian; etna needs none
  auto x = etna::random::normal<double, curves, n>(etna::random::key(0));
  // the gradient, against a difference
  auto first = etna::slice<0>(x), along = etna::cos(etna::arange<double, n>());
  double by = 1e-6, slope = etna::sum(etna::grad(roughness)(first) * along).item();
  double difference = (roughness(first + by * along).item() - roughness(first - by * along).item()) / (2 * by);
  std::printf("slope %.6f  difference %.6f\n", slope, difference);
  double start = 0, now = 0;
  for (int i = 0; i <= 200; ++i) {
    auto [next, value] = smoother(x);
    x = next;
    now = value.item();
    if (i == 0) start = now;
    if (i % 50 == 0) std::printf("step %3d  roughness %.5f\n", i, now);
  }
  return std::abs(slope - difference) < 1e-5 * std::abs(slope) && now < 0.05 * start ? 0 : 1;
}
