// SPDX-License-Identifier: BSD-3-Clause
// How long a step along a direction is, so that a function decreases enough and its slope does too (Wolfe's
// conditions): an interval is found, then zoomed into. Read next: zoom.hpp.
#pragma once
#include <limits>

#include <etna/control/loop.hpp>
#include <etna/nn/loss_scale.hpp>
#include <etna/transform/grad.hpp>

#include "update.hpp"

namespace etna::optim {

/// max_linesearch_steps  evaluations of the function, at the most
/// max_learning_rate     the longest step
/// tol                   by how much the conditions may be missed
/// increase_factor       how much longer a step is than the one before, until an interval is found
/// slope_rtol            the decrease that is wanted, as a share of the slope's
/// curv_rtol             the slope that may be left
/// approx_dec_rtol       where a value changes by less than this share of it, the slope alone tells the decrease
/// stepsize_precision    an interval as short as this is given up
/// keep_learning_rate    the first guess is the step before, not 1
struct zoom_linesearch_options {
  int max_linesearch_steps = 20;
  double max_learning_rate = std::numeric_limits<double>::infinity();
  double tol = 0, increase_factor = 2, slope_rtol = 1e-4, curv_rtol = 0.9, approx_dec_rtol = 1e-6;
  double stepsize_precision = 1e-5;
  bool keep_learning_rate = false;
};

/// What a line search did: the step that it took, value and gradient there, evaluations, how far the two conditions are
/// missed.
template <class P, class R> struct scale_by_zoom_linesearch_state {
  array<R> learning_rate, value;
  P grad;
  array<int> num_linesearch_steps;
  array<R> decrease_error, curvature_error;
};

namespace detail {

template <class P> struct sum_of_products {
  template <class A, class B> static constexpr auto of(A const& a, B const& b) {
    using R = real_of<P>;
    auto each_one = tree::map(
        [](auto const& x, auto const& y) {
          return sum(astype<R>(transform::as_array(x)) * astype<R>(transform::as_array(y)));
        },
        a, b);
    return tree::reduce([](auto const& before, auto const& x) -> array<R> { return before + x; }, each_one,
                        array<R>(0));
  }
};
/// The sum of products of all elements.
template <class A, class B> constexpr auto inner_product(A const& a, B const& b) {
  return sum_of_products<A>::of(a, b);
}

/// A step along the line, with the function's value there and its slope.
template <class R> struct line_point {
  array<R> step, value, slope;
};
/// A search: the last point and its gradient; whether an interval was found, and the search is over; its ends; a third
/// point for cubics; the best point that decreases enough.
template <class P, class R> struct line_search {
  array<int> count;
  line_point<R> at;
  P grad;
  array<R> decrease_error, curvature_error;
  array<bool> found, done, failed;
  line_point<R> low, high, third, safe;
  P safe_grad;
};

/// Where a cubic through three points, with the slope at the first, is least; and a parabola through two.
template <class R>
constexpr auto least_of_cubic(line_point<R> const& a, line_point<R> const& b, line_point<R> const& c) {
  auto db = b.step - a.step, dc = c.step - a.step;
  auto rest_b = b.value - a.value - a.slope * db, rest_c = c.value - a.value - a.slope * dc;
  auto scale = square(db * dc) * (db - dc);
  auto cubic = (dc * dc * rest_b - db * db * rest_c) / scale;
  auto quadratic = (db * db * db * rest_c - dc * dc * dc * rest_b) / scale;
  return a.step + (-quadratic + sqrt(quadratic * quadratic - 3 * cubic * a.slope)) / (3 * cubic);
}
template <class R> constexpr auto least_of_parabola(line_point<R> const& a, line_point<R> const& b) {
  auto db = b.step - a.step;
  return a.step - a.slope / (2 * ((b.value - a.value - a.slope * db) / (db * db)));
}
/// The next step in an interval: a cubic's, a parabola's, or the middle, the first that is not near the ends.
template <class R>
constexpr array<R> step_within(line_point<R> const& low, line_point<R> const& high, line_point<R> const& third) {
  auto left = minimum(low.step, high.step), right = maximum(low.step, high.step), length = right - left;
  auto within = [&](auto const& x, double share) {
    return logical_and(x > left + share * length, x < right - share * length);
  };
  auto cubic = least_of_cubic(low, high, third), parabola = least_of_parabola(low, high);
  auto middle = (low.step + high.step) / 2;
  return where(within(cubic, 0.2), cubic, where(within(parabola, 0.1), parabola, middle));
}

template <class R> struct wolfe {
  zoom_linesearch_options o;
  array<R> value, slope;  // at the start

  static constexpr auto missed(array<R> const& by) {
    auto r = maximum(by, 0);
    return where(isnan(r), std::numeric_limits<double>::infinity(), r);
  }
  constexpr auto decrease_error(line_point<R> const& p) const {
    auto exact = p.value - value - o.slope_rtol * p.step * slope;
    auto by_slope = maximum(p.slope - (2 * o.slope_rtol - 1) * slope, p.value - value - o.approx_dec_rtol * abs(value));
    return missed(minimum(by_slope, exact));
  }
  constexpr auto curvature_error(line_point<R> const& p) const {
    return missed(abs(p.slope) - o.curv_rtol * abs(slope));
  }
};

}  // namespace detail

}  // namespace etna::optim
