// SPDX-License-Identifier: BSD-3-Clause
// Heat on a plate, one explicit step: its Jacobians by state and coefficients, and a direction pushed through ten
// steps.
#include "as_jax.hpp"

using namespace test;

namespace {

using plate = array<double, 6, 7>;

constexpr auto step = [](auto const& u, auto const& k) {
  auto inner = slice<range{1, -1}, range{1, -1}>(u);
  auto around = slice<range{2, rest}, range{1, -1}>(u) + slice<range{0, -2}, range{1, -1}>(u) +
                slice<range{1, -1}, range{2, rest}>(u) + slice<range{1, -1}, range{0, -2}>(u);
  auto flow = slice<range{1, -1}, range{1, -1}>(k) * (around - 4 * inner) + 0.01 * (inner * inner * inner);
  return u.template at<range{1, -1}, range{1, -1}>().add(0.2 * flow);
};

plate const u = numbers<plate>(24);
plate const k = 1 + numbers<plate>(25, 1. / 32);

constexpr auto steps = [](auto const& u, auto const& k) {
  return fori_loop<0, 10>([&](auto const&, auto const& u) { return step(u, k); }, u);
};

}  // namespace

TEST_CASE("programs: the Jacobian of a step of heat") {
  both_as_jax("heat", 1e-13, step, u, k);
  // every fifth column of the Jacobian as a matrix
  both_as_jax(
      "heat_jacobian", 1e-13,
      [](plate u, plate k) {
        return slice<every, range{0, rest, 5}>(reshape<42, 42>(jacfwd(step)(u, k)));
      },
      u, k);
  both_as_jax(
      "heat_jacobian", 1e-13,
      [](plate u, plate k) {
        return slice<every, range{0, rest, 5}>(reshape<42, 42>(jacrev(step)(u, k)));
      },
      u, k);
  both_as_jax(
      "heat_jacobian_k", 1e-13, [](plate u, plate k) { return sum<2, 3>(jacfwd<1>(step)(u, k)); }, u, k);
}

TEST_CASE("programs: a direction pushed through ten steps of heat, and their gradient by the coefficients") {
  both_as_jax(
      "heat_steps_jvp", 1e-12,
      [](plate u, plate k, plate t) { return jvp([&](auto const& u) { return steps(u, k); }, u, t); }, u, k,
      numbers<plate>(26));
  both_as_jax(
      "heat_steps_grad", 1e-12,
      [](plate u, plate k) {
        return grad<1>([](auto const& u, auto const& k) { return sum(square(steps(u, k))); })(u, k);
      },
      u, k);
}
