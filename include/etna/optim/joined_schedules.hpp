// SPDX-License-Identifier: BSD-3-Clause
// Schedules of several parts: one after another, piecewise, with a warm-up, in cycles. Read next: scale.hpp.
#pragma once
#include <algorithm>

#include <etna/array/fixed_string.hpp>

#include "schedules.hpp"

namespace etna::optim {

namespace detail {

template <class... S> struct joined_parts {
  std::tuple<S...> parts;
  std::array<double, sizeof...(S)> begin;  // that of the first is not read

  template <any_array N> constexpr N operator()(N const& t) const {
    N r = value_at<typename N::value_type>(std::get<0>(parts), t);
    [&]<std::size_t... Nth>(std::index_sequence<Nth...>) {
      ((r = where(t < begin[Nth + 1], r,
                  value_at<typename N::value_type>(std::get<Nth + 1>(parts), t - begin[Nth + 1]))),
       ...);
    }(std::make_index_sequence<sizeof...(S) - 1>{});
    return r;
  }
};

template <std::size_t N> constexpr auto in_order_of_steps(std::pair<int, double> const (&boundaries)[N]) {
  std::array<std::pair<double, double>, N> r{};
  for (std::size_t i = 0; i < N; ++i) r[i] = {double(boundaries[i].first), boundaries[i].second};
  std::sort(r.begin(), r.end());
  return r;
}

template <class R> constexpr R between(bool cosine, double from, double to, R const& share) {
  if (cosine) return to + (from - to) / 2 * (cos(3.14159265358979323846 * share) + 1);
  return (to - from) * share + from;
}

}  // namespace detail

/// Schedules one after another: join_schedules(std::tuple{a, b, c}, {100, 300}) is a before step 100, then b, which
/// counts from 0, and c from step 300 on.
///
/// source  Optax join_schedules
template <schedule First, schedule... More>
constexpr auto join_schedules(std::tuple<First, More...> const& schedules,
                              std::array<int, sizeof...(More)> const& boundaries) {
  std::array<double, sizeof...(More) + 1> begin{};
  for (std::size_t i = 0; i < sizeof...(More); ++i) begin[i + 1] = boundaries[i];
  return detail::schedule_of{detail::joined_parts<First, More...>{schedules, begin}};
}

/// init_value, multiplied at each boundary: piecewise_constant_schedule(0.1, {{200, 0.1}, {400, 0.5}}).
///
/// source  Optax piecewise_constant_schedule
template <std::size_t N>
constexpr auto piecewise_constant_schedule(double init_value,
                                           std::pair<int, double> const (&boundaries_and_scales)[N]) {
  return detail::schedule_of{[=, steps = detail::in_order_of_steps(boundaries_and_scales)](auto const& t) {
    auto r = full_like(t, init_value);
    for (auto const& [begin, scale] : steps) r = where(t < begin, r, r * scale);
    return r;
  }};
}

/// Between values that init_value and the products of scales make, in lines or half waves:
/// piecewise_interpolate_schedule<"cosine">(0.1, {{200, 2}, {400, 0.5}}). Before step 0 it is 0.
///
/// errors  E146 it is neither "linear" nor "cosine"
/// source  Optax piecewise_interpolate_schedule
template <fixed_string How, std::size_t N>
constexpr auto piecewise_interpolate_schedule(double init_value,
                                              std::pair<int, double> const (&boundaries_and_scales)[N]) {
  constexpr bool cosine = tree::detail::view_of(How) == "cosine",
                 known = cosine || tree::detail::view_of(How) == "linear";
  if constexpr (!known) message::fail<message::E146_how_to_interpolate<message::size<extent(N)>>>();
  return detail::schedule_of{[=, ends = detail::in_order_of_steps(boundaries_and_scales)](auto const& t) {
    double begin = 0, value = init_value;
    auto r = full_like(t, 0);
    for (auto const& [end, scale] : ends) {
      double const length = end - begin, next = value * scale;
      auto part = detail::between(cosine, value, next, (t - begin) / (length < 1 ? 1 : length));
      r = where(logical_and(begin <= t, t < end), part, r);
      begin = end;
      value = next;
    }
    return where(begin <= t, value, r);
  }};
}

/// One cycle in lines: up to peak_value, down again, and further down.
///
/// errors  E145 transition_steps is not positive
/// source  Smith and Topin, Super-Convergence, arXiv 1708.07120; Optax linear_onecycle_schedule
constexpr auto linear_onecycle_schedule(int transition_steps, double peak_value, double pct_start = 0.3,
                                        double pct_final = 0.85, double div_factor = 25,
                                        double final_div_factor = 1e4) {
  if (transition_steps <= 0) message::raise<145>("linear_onecycle_schedule");
  return piecewise_interpolate_schedule<"linear">(peak_value / div_factor,
                                                  {{int(pct_start * transition_steps), div_factor},
                                                   {int(pct_final * transition_steps), 1 / div_factor},
                                                   {transition_steps, 1 / final_div_factor}});
}
/// One cycle in half waves: up to peak_value, and down.
///
/// errors  E145 transition_steps is not positive
/// source  Optax cosine_onecycle_schedule
constexpr auto cosine_onecycle_schedule(int transition_steps, double peak_value, double pct_start = 0.3,
                                        double div_factor = 25, double final_div_factor = 1e4) {
  if (transition_steps <= 0) message::raise<145>("cosine_onecycle_schedule");
  return piecewise_interpolate_schedule<"cosine">(
      peak_value / div_factor,
      {{int(pct_start * transition_steps), div_factor}, {transition_steps, 1 / (div_factor * final_div_factor)}});
}

/// A line up to peak_value, then a half wave down to end_value; decay_steps counts the warm-up too.
///
/// errors  E145 decay_steps is not above warmup_steps
/// source  Optax warmup_cosine_decay_schedule
constexpr auto warmup_cosine_decay_schedule(double init_value, double peak_value, int warmup_steps, int decay_steps,
                                            double end_value = 0, double exponent = 1) {
  double const alpha = peak_value == 0 ? 0 : end_value / peak_value;
  return join_schedules(std::tuple{linear_schedule(init_value, peak_value, warmup_steps),
                                   cosine_decay_schedule(peak_value, decay_steps - warmup_steps, alpha, exponent)},
                        {warmup_steps});
}
/// A line up to peak_value, then exponential_decay from there.
///
/// source  Optax warmup_exponential_decay_schedule
constexpr auto warmup_exponential_decay_schedule(double init_value, double peak_value, int warmup_steps,
                                                 int transition_steps, double decay_rate,
                                                 exponential_decay_options options = {}) {
  return join_schedules(std::tuple{linear_schedule(init_value, peak_value, warmup_steps),
                                   exponential_decay(peak_value, transition_steps, decay_rate, options)},
                        {warmup_steps});
}

/// What warmup_cosine_decay_schedule takes, as one cycle of sgdr_schedule.
struct sgdr_cycle {
  double init_value, peak_value;
  int warmup_steps, decay_steps;
  double end_value = 0, exponent = 1;
};
/// Cycles of warmup_cosine_decay_schedule: sgdr_schedule({{.init_value = 0, .peak_value = 0.1, ...}, {...}}).
///
/// source  Loshchilov and Hutter, SGDR, arXiv 1608.03983; Optax sgdr_schedule
template <std::size_t N> constexpr auto sgdr_schedule(sgdr_cycle const (&cycles)[N]) {
  std::array<int, N - 1> boundaries{};
  int step = 0;
  for (std::size_t i = 0; i + 1 < N; ++i) boundaries[i] = step += cycles[i].decay_steps;
  auto one = [](sgdr_cycle const& c) {
    return warmup_cosine_decay_schedule(c.init_value, c.peak_value, c.warmup_steps, c.decay_steps, c.end_value,
                                        c.exponent);
  };
  return [&]<std::size_t... Nth>(std::index_sequence<Nth...>) {
    return join_schedules(std::tuple<decltype(one(cycles[Nth]))...>{one(cycles[Nth])...}, boundaries);
  }(std::make_index_sequence<N>{});
}

}  // namespace etna::optim
