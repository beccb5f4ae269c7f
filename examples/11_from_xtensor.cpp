// SPDX-License-Identifier: BSD-3-Clause
// A program of xtensor's made differentiable step by step: a decay is fitted to measurements.
// Page: docs/xtensor_users.md, whose parts of code are these.
#include <cmath>
#include <cstdio>

#include <etna/etna.hpp>
#include <etna/interop/xtensor.hpp>
#include <xtensor/containers/xfixed.hpp>
#include <xtensor/core/xmath.hpp>
#include <xtensor/generators/xbuilder.hpp>
#include <xtensor/views/xview.hpp>

// 0: as it was, with derivatives by differences: two evaluations for each parameter, and half of the digits.
using numbers = xt::xtensor<double, 1>;
using parameters = xt::xtensor_fixed<double, xt::xshape<3>>;

double loss_before(parameters const& p, numbers const& t, numbers const& y) {
  return xt::mean(xt::square(p(0) * xt::exp(-p(1) * t) + p(2) - y))();
}
parameters slope_before(parameters const& p, numbers const& t, numbers const& y) {
  parameters g;
  for (std::size_t k = 0; k < 3; ++k) {
    double const h = 1e-6;
    parameters above = p, below = p;
    above(k) += h;
    below(k) -= h;
    g(k) = (loss_before(above, t, y) - loss_before(below, t, y)) / (2 * h);
  }
  return g;
}

// 1: the same formula under etna's names. The parameters of the function say its types; xtensor's objects go in.
using etna::array, etna::operator""_n;

constexpr auto loss = [](array<double, 3> const& p, array<double, "n"_n> const& t, array<double, "n"_n> const& y) {
  auto const [a, b, c] = etna::unstack<0>(p);
  return etna::mean(etna::square(a * etna::exp(-b * t) + c - y));
};
constexpr auto loss_after = etna::jit(loss);

// 2: its value and its gradient, by the first argument, in one pass over the numbers.
constexpr auto value_and_slope = etna::jit(etna::value_and_grad(loss));

// 3: what differences are hardly good for: second derivatives, for Newton's method.
constexpr auto curvature = etna::jit(etna::hessian(loss));

int main() {
  numbers const t = xt::linspace(0.0, 4.0, 400);
  numbers const y = 2.5 * xt::exp(-1.3 * t) + 0.5 + 0.01 * xt::sin(40.0 * t);
  parameters p{1.0, 1.0, 0.0};

  double const before = loss_before(p, t, y), after = loss_after(p, t, y);
  std::printf("loss      xtensor %.12f  etna %.12f\n", before, after);

  auto [value, g] = value_and_slope(p, t, y);
  auto slope = etna::to_xtensor(std::move(g));  // xtensor's again, without a copy where it is large
  double const apart = xt::amax(xt::abs(slope - slope_before(p, t, y)))();
  std::printf("gradient  %.6f %.6f %.6f, differences are off by less than 1e-8: %s\n", slope(0), slope(1), slope(2),
              apart < 1e-8 ? "yes" : "no");

  // a part of the measurements: a view is an argument like any other
  double const early = loss_after(p, xt::view(t, xt::range(0, 100)), xt::view(y, xt::range(0, 100)));
  std::printf("loss of the first hundred: %.6f\n", early);

  for (int step = 0; step < 4000; ++step) p -= 0.3 * etna::to_xtensor(std::get<1>(value_and_slope(p, t, y)));
  std::printf("fitted    %.3f exp(-%.3f t) + %.3f\n", p(0), p(1), p(2));
  auto h = curvature(p, t, y);
  std::printf("curvature %.4f %.4f %.4f\n", h(0, 0), h(1, 1), h(2, 2));

  bool const right = std::fabs(before - after) < 1e-14 && apart < 1e-8 && std::fabs(p(1) - 1.3) < 0.01;
  return right ? 0 : 1;
}
