// SPDX-License-Identifier: BSD-3-Clause
// Optimizers against their formulas, written out in plain C++.
#include <doctest/doctest.h>

#include <cmath>

#include <etna/language.hpp>
#include <etna/optim/adam.hpp>
#include <etna/optim/sgd.hpp>

using namespace etna;

namespace {
struct line {
  array<double, 2> slope;
  array<double> at_zero;
};
line const start{{1.0, -2.0}, 0.5};
line const gradient{{0.25, 4.0}, -1.0};
}  // namespace

TEST_CASE("sgd subtracts the scaled gradient") {
  for (auto const& p : {optim::apply_updates(start, optim::sgd{0.1}.update(gradient)),
                        optim::apply_updates(start, optim::sgd{array<double>(0.1)}.update(gradient))}) {
    CHECK(p.slope(0) == doctest::Approx(0.975));
    CHECK(p.slope(1) == doctest::Approx(-2.4));
    CHECK(p.at_zero.item() == doctest::Approx(0.6));
  }
}

TEST_CASE("adam agrees with the formula") {
  line p = start;
  auto state = optim::adam<double>::init(p);
  double q = 1.0, m = 0, v = 0;
  for (int step = 1; step <= 20; ++step) {
    double const g = std::sin(double(step));
    line const now{{g, 2 * g}, g};
    auto [updates, next] = optim::adam{0.01}.update(now, state);
    p = optim::apply_updates(p, updates);
    state = next;
    m = 0.9 * m + 0.1 * g;
    v = 0.999 * v + 0.001 * g * g;
    q -= 0.01 * (m / (1 - std::pow(0.9, step))) / (std::sqrt(v / (1 - std::pow(0.999, step))) + 1e-8);
    CHECK(p.slope(0) == doctest::Approx(q).epsilon(1e-6));  // the correction is computed in f32
  }
  CHECK(state.count.item() == 20);
}

TEST_CASE("adam's first step is its rate, whatever the gradient's size") {
  auto [updates, state] = optim::adam{0.01}.update(gradient, optim::adam<double>::init(start));
  CHECK(updates.slope(0) == doctest::Approx(-0.01).epsilon(1e-5));
  CHECK(updates.slope(1) == doctest::Approx(-0.01).epsilon(1e-5));
  CHECK(updates.at_zero.item() == doctest::Approx(0.01).epsilon(1e-5));
}

TEST_CASE("parameters keep their element type") {
  struct one {
    array<float, 2> x;
  };
  auto const p = optim::apply_updates(one{{1, 2}}, optim::sgd{array<double>(0.5)}.update(one{{1, 1}}));
  static_assert(std::is_same_v<decltype(p), one const>);
  CHECK(p.x(1) == 1.5f);
}
