// SPDX-License-Identifier: BSD-3-Clause
// Muon against Optax, and what it makes of a matrix.
#include "optim.hpp"

using namespace test;

namespace {
constexpr auto muon = optim::muon(0.1);
constexpr auto options = optim::muon(
    0.1, {.muon = {.beta = 0.9, .nesterov = false, .adaptive = true}, .weight_decay = 0.05, .adam_b2 = 0.95}, 0.05);
}  // namespace

TEST_CASE("muon is Optax's") {
  is_optax<muon>(reference::optim_muon, 1e-3);
  is_optax<options>(reference::optim_muon_options, 1e-3);
}

TEST_CASE("its matrices are nearly orthogonal") {
  auto check = [](auto const& x) {
    auto const y = optim::orthogonalize_via_newton_schulz(x);
    auto const s = linalg::norm(dot(y, transpose(y)));
    CHECK(s.item() > 0.5 * std::sqrt(3.));  // singular values are between 0.7 and 1.2
    CHECK(s.item() < 1.5 * std::sqrt(3.));
  };
  check(some<array<double, 3, 5>>(1));
  check(some<array<double, 5, 3>>(1));
}
