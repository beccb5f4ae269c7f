// SPDX-License-Identifier: BSD-3-Clause
// The line search, step by step. Read next: lbfgs.hpp.
#pragma once
#include "line_search.hpp"

namespace etna::optim {

namespace detail {

/// The search behind one more evaluation, at p with gradient g: outside of an interval, and inside.
template <class P, class R> constexpr auto searched(wolfe<R> const& w, line_search<P, R> const& s,
                                                    line_point<R> const& p, P const& g, array<bool> const& at_the_end) {
  auto const decrease = w.decrease_error(p), curvature = w.curvature_error(p), error = maximum(decrease, curvature);
  auto enough = decrease <= w.o.tol;
  auto too_far = logical_or(decrease > 0, logical_and(p.value >= s.at.value, s.count > 0));
  auto turned = logical_and(p.slope >= 0, logical_not(too_far));
  auto fine = error <= w.o.tol;
  auto found = logical_or(logical_or(too_far, turned), fine);
  auto done = logical_or(fine, logical_and(at_the_end, logical_not(found)));
  auto low = nn::select_tree(turned, p, s.at);
  return line_search<P, R>{s.count + 1,
                           p,
                           g,
                           decrease,
                           curvature,
                           found,
                           done,
                           logical_and(s.count + 1 >= w.o.max_linesearch_steps, logical_not(done)),
                           low,
                           nn::select_tree(turned, s.at, p),
                           low,
                           nn::select_tree(enough, p, s.safe),
                           nn::select_tree(enough, g, s.safe_grad)};
}
template <class P, class R>
constexpr auto zoomed(wolfe<R> const& w, line_search<P, R> const& s, line_point<R> const& p, P const& g) {
  auto const decrease = w.decrease_error(p), curvature = w.curvature_error(p), error = maximum(decrease, curvature);
  auto better = logical_and(decrease <= w.o.tol, p.value < s.safe.value);
  auto safe = nn::select_tree(better, p, s.safe);
  auto done = error <= w.o.tol;
  auto high_is_p = logical_or(decrease > 0, p.value >= s.low.value);
  auto high_is_low = logical_and(p.slope * (s.high.step - s.low.step) >= 0, logical_not(high_is_p));
  auto high = nn::select_tree(high_is_low, s.low, nn::select_tree(high_is_p, p, s.high));
  auto too_short = logical_and(abs(s.high.step - s.low.step) <= w.o.stepsize_precision, safe.step > 0);
  auto over = logical_or(s.count + 1 >= w.o.max_linesearch_steps, too_short);
  return line_search<P, R>{s.count + 1,
                           p,
                           g,
                           decrease,
                           curvature,
                           s.found,
                           done,
                           logical_and(over, logical_not(done)),
                           nn::select_tree(high_is_p, s.low, p),
                           high,
                           nn::select_tree(logical_or(high_is_p, high_is_low), s.high, s.low),
                           safe,
                           nn::select_tree(better, g, s.safe_grad)};
}

/// A search whose function is evaluated once more. One that has failed takes the best safe point.
template <class P, class R, class U, class F> constexpr auto search_on(wolfe<R> const& w, line_search<P, R> const& s,
                                                                       P const& from, U const& direction,
                                                                       array<R> const& guess, F const& value_fn) {
  auto longer = where(equal(s.count, 0), guess, w.o.increase_factor * s.at.step);
  auto at_the_end = logical_and(longer >= w.o.max_learning_rate, logical_not(s.found));
  array<R> step = where(s.found, step_within(s.low, s.high, s.third), minimum(longer, w.o.max_learning_rate));
  auto there = each([&](auto const& x, auto const& u) { return x + beside(x, step) * u; }, from, direction);
  auto [value, gradient] = value_and_grad(value_fn)(there);
  P const g = each([](auto const& x, auto const& y) { return beside(x, y); }, from, gradient);
  line_point<R> const p{step, astype<R>(value), inner_product(g, direction)};
  auto next = nn::select_tree(s.found, zoomed(w, s, p, g), searched(w, s, p, g, at_the_end));
  auto safe = logical_and(next.failed, logical_or(next.safe.step > 0, logical_not(isfinite(next.decrease_error))));
  next.at = nn::select_tree(safe, next.safe, next.at);
  next.grad = nn::select_tree(safe, next.safe_grad, next.grad);
  return next;
}

}  // namespace detail

/// A rule that makes the step along the updates as long as Wolfe's conditions ask. Its update takes the value and the
/// gradient at the parameters, and the function of parameters that gives the value:
/// update(updates, state, parameters, value, gradient, value_fn).
///
/// source  Nocedal and Wright, Numerical Optimization, 2006, algorithms 3.5 and 3.6; Hager and Zhang, CG_DESCENT, 2006;
/// Optax scale_by_zoom_linesearch
struct scale_by_zoom_linesearch final {
  zoom_linesearch_options options{};

  template <class P> constexpr auto init(P const& parameters) const {
    using R = detail::real_of<P>;
    R const inf = std::numeric_limits<R>::infinity();
    auto zero = detail::filled(parameters);
    return scale_by_zoom_linesearch_state<decltype(zero), R>{array<R>(1),   array<R>(inf), zero,
                                                             array<int>(0), array<R>(inf), array<R>(inf)};
  }
  template <class U, class P, class R, class Q, class V, class F>
  constexpr auto update(U const& updates, scale_by_zoom_linesearch_state<P, R> const& state, Q const& parameters,
                        V const& value, P const& gradient, F const& value_fn) const {
    P const from = transform::lift(parameters);
    R const inf = std::numeric_limits<R>::infinity();
    array<R> const zero(0), first = astype<R>(transform::as_array(value)), no(inf);
    detail::line_point<R> const start{zero, first, detail::inner_product(gradient, updates)};
    detail::wolfe<R> const w{options, start.value, start.slope};
    array<R> guess(1);
    if (options.keep_learning_rate) guess = state.learning_rate;
    array<bool> const not_yet(false);
    detail::line_search<P, R> s{array<int>(0), start, gradient, no,    no,    not_yet, not_yet,
                                not_yet,       start, start,    start, start, gradient};
    s = while_loop([](auto const& s) { return logical_not(logical_or(s.done, s.failed)); },
                   [&](auto const& s) { return detail::search_on(w, s, from, updates, guess, value_fn); }, s);
    auto step = [&](auto const& u) { return detail::beside(u, s.at.step) * u; };
    return std::pair{detail::each(step, updates),
                     scale_by_zoom_linesearch_state<P, R>{s.at.step, s.at.value, s.grad, s.count, s.decrease_error,
                                                          s.curvature_error}};
  }
};

}  // namespace etna::optim
