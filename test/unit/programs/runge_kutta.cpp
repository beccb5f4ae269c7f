// SPDX-License-Identifier: BSD-3-Clause
// Runge and Kutta's steps by scan: the path, and its gradient by the initial state and the rates.
#include "species.hpp"

using namespace test;

namespace {

constexpr auto rk4 = [](auto const& start, auto const& p) {
  constexpr double h = 0.05;
  return scan<40>(
             [&](auto const& y) {
               auto k1 = species(y, p);
               auto k2 = species(y + 0.5 * h * k1, p);
               auto k3 = species(y + 0.5 * h * k2, p);
               auto k4 = species(y + h * k3, p);
               auto next = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
               return std::pair{next, next};
             },
             start)
      .second;
};

}  // namespace

TEST_CASE("programs: Runge-Kutta by scan, the path and its gradient") {
  both_as_jax(
      "rk4", 1e-12,
      [](state y, rates p) {
        return slice<range{0, rest, 8}>(rk4(y, p));
      },
      start, known);
  both_as_jax(
      "rk4_grad", 1e-12,
      [](state y, rates p) {
        return value_and_grad<0, 1>([](auto const& y, auto const& p) { return mean(sin(rk4(y, p))); })(y, p);
      },
      start, known);
}
