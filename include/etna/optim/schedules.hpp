// SPDX-License-Identifier: BSD-3-Clause
// Schedules: numbers that depend on how many steps were taken. Read next: joined_schedules.hpp.
#pragma once
#include <optional>

#include <etna/numpy/division.hpp>
#include <etna/numpy/elementary.hpp>

#include "update.hpp"

namespace etna::optim {

namespace detail {

/// A schedule of etna's own: f of the count as a floating array of one, whose element type is that of its results.
template <class F> struct schedule_of {
  [[no_unique_address]] F f;

  template <numpy::scalar_operand N> constexpr auto operator()(N const& count) const {
    if constexpr (!any_array<N>) return f(array<float>(float(count)));
    else if constexpr (is_floating(N::type.d)) return f(count);
    else return f(astype<float>(count));
  }
};
template <class F> schedule_of(F) -> schedule_of<F>;
template <class S> inline constexpr bool is_own = false;
template <class F> inline constexpr bool is_own<schedule_of<F>> = true;

/// What a schedule gives for a count, in element type R. Of a schedule of the user's the count is an integer.
template <class R, class S, any_array N> constexpr array<R> value_at(S const& schedule, N const& count) {
  if constexpr (is_own<S>) return schedule.f(astype<R>(count));
  else return astype<R>(transform::as_array(schedule(astype<int>(count))));
}

constexpr double at_least_0(int n) { return n < 0 ? 0 : n; }

}  // namespace detail

/// A schedule: a function of the number of steps taken, an array<int>, to an array of one or a number. Those of etna
/// compute in f32, and in f64 for f64 parameters (or a count that is an array<double>).
///
/// source  Optax Schedule
template <class S> concept schedule = std::is_class_v<S> && !any_array<S> && !transformation<S> &&
                                      requires(S const& s, array<int> const& count) { s(count); };

/// A learning rate, or its like: a number, an array of one, or a schedule.
template <class R> concept rate = numpy::scalar_operand<R> || schedule<R>;

/// The same at every count.
///
/// source  Optax constant_schedule
constexpr auto constant_schedule(double value) {
  return detail::schedule_of{[=](auto const& t) { return full_like(t, value); }};
}

/// From init_value to end_value along a power, over transition_steps steps from transition_begin on; init_value always
/// where transition_steps is not positive.
///
/// source  Optax polynomial_schedule
constexpr auto polynomial_schedule(double init_value, double end_value, double power, int transition_steps,
                                   int transition_begin = 0) {
  double const steps = transition_steps, begin = detail::at_least_0(transition_begin);
  return detail::schedule_of{[=](auto const& t) {
    if (steps <= 0) return full_like(t, init_value);
    auto left = 1 - clip(t - begin, 0, steps) / steps;
    if (power != 1) left = pow(left, power);
    return (init_value - end_value) * left + end_value;
  }};
}
/// From init_value to end_value in a line.
///
/// source  Optax linear_schedule
constexpr auto linear_schedule(double init_value, double end_value, int transition_steps, int transition_begin = 0) {
  return polynomial_schedule(init_value, end_value, 1, transition_steps, transition_begin);
}
/// From init_value to peak_value in a line, and there it stays.
///
/// source  Optax warmup_constant_schedule
constexpr auto warmup_constant_schedule(double init_value, double peak_value, int warmup_steps) {
  return linear_schedule(init_value, peak_value, warmup_steps);
}

/// transition_begin  the steps before the decay begins
/// staircase         only whole powers of the rate
/// end_value         the value never goes beyond it
struct exponential_decay_options {
  int transition_begin = 0;
  bool staircase = false;
  std::optional<double> end_value{};
};
/// init_value * decay_rate^(count / transition_steps); init_value where decay_rate is 0, or transition_steps not
/// positive.
///
/// source  Optax exponential_decay
constexpr auto exponential_decay(double init_value, int transition_steps, double decay_rate,
                                 exponential_decay_options options = {}) {
  double const steps = transition_steps, begin = detail::at_least_0(options.transition_begin);
  return detail::schedule_of{[=](auto const& t) {
    if (steps <= 0 || decay_rate == 0) return full_like(t, init_value);
    auto since = t - begin;
    auto exponent = since / steps;
    if (options.staircase) exponent = floor(exponent);
    auto r = where(since <= 0, init_value, init_value * pow(decay_rate, exponent));
    if (options.end_value && decay_rate < 1) return maximum(r, *options.end_value);
    if (options.end_value) return minimum(r, *options.end_value);
    return r;
  }};
}

/// init_value times a half wave of cosine, to a share alpha of it after decay_steps steps.
///
/// errors  E145 decay_steps is not positive
/// source  Loshchilov and Hutter, SGDR, arXiv 1608.03983; Optax cosine_decay_schedule
constexpr auto cosine_decay_schedule(double init_value, int decay_steps, double alpha = 0, double exponent = 1) {
  if (decay_steps <= 0) message::raise<145>("cosine_decay_schedule");
  double const steps = decay_steps;
  return detail::schedule_of{[=](auto const& t) {
    auto wave = 0.5 * (1 + cos(minimum(t, steps) * (3.14159265358979323846 / steps)));
    if (exponent != 1) wave = pow(wave, exponent);
    return init_value * ((1 - alpha) * wave + alpha);
  }};
}

}  // namespace etna::optim
