// SPDX-License-Identifier: BSD-3-Clause
// Updates times a number, and parameters that decay. Read next: masked.hpp.
#pragma once
#include "chain.hpp"
#include "schedules.hpp"

namespace etna::optim {

/// Steps taken, for schedules.
struct scale_by_schedule_state {
  array<int> count;
};

namespace detail {

/// What a rule keeps for a rate: the count of a schedule, nothing for a number.
template <class R> constexpr auto rate_state() {
  if constexpr (schedule<R>) return scale_by_schedule_state{array<int>(0)};
  else return tree::nothing{};
}
template <class S> constexpr auto next_rate_state(S const& s) {
  if constexpr (std::is_same_v<S, tree::nothing>) return s;
  else return S{s.count + 1};
}
/// The rate of this step, for updates of U.
template <class U, class R, class S> constexpr auto rate_now(R const& r, S const& s) {
  if constexpr (schedule<R>) return value_at<real_of<U>>(r, s.count);
  else return r;
}

/// x times a rate, or minus that. (The sign is the product's: so is a product of matrices added where it is made.)
template <class A, class R> constexpr auto times(A const& x, R const& r, bool against) {
  if constexpr (!any_array<R>) return (against ? -double(r) : double(r)) * x;
  else {
    if (against) return -(beside(x, r) * x);
    return beside(x, r) * x;
  }
}

template <class R> constexpr bool is_zero(R const& r) {
  if constexpr (any_array<R>) return false;
  else return r == 0;
}

template <class R> struct by_rate {
  [[no_unique_address]] R step_size;
  bool against = false;

  template <class P> constexpr auto init(P const&) const { return rate_state<R>(); }
  template <class U, class S, class P = no_parameters>
  constexpr auto update(U const& updates, S const& state, P const& = {}) const {
    auto now = rate_now<U>(step_size, state);
    auto one = [&](auto const& u) { return times(u, now, against); };
    return std::pair{each(one, updates), next_rate_state(state)};
  }
};

template <class R> struct decayed {
  [[no_unique_address]] R weight_decay;

  template <class P> constexpr auto init(P const&) const { return rate_state<R>(); }
  template <class U, class S, class P = no_parameters>
  constexpr auto update(U const& updates, S const& state, P const& parameters = {}) const {
    constexpr bool given = require_parameters<P>();
    if constexpr (!given) return std::pair{updates, state};
    else {
      auto now = rate_now<U>(weight_decay, state);
      auto one = [&](auto const& u, auto const& p) {
        auto moved = u;
        if (!is_zero(now)) moved = beside(u, u + beside(u, now) * p);
        return moved;
      };
      return std::pair{each(one, updates, parameters), next_rate_state(state)};
    }
  }
};

}  // namespace detail

/// Updates times step_size, a number or an array of one.
///
/// source  Optax scale
template <numpy::scalar_operand R> constexpr auto scale(R const& step_size) { return detail::by_rate<R>{step_size}; }

/// Updates times what a schedule gives for the number of steps taken.
///
/// source  Optax scale_by_schedule
template <schedule S> constexpr auto scale_by_schedule(S const& step_size) { return detail::by_rate<S>{step_size}; }

/// Updates times minus the learning rate, a number, an array of one or a schedule: the last of a chain. Without
/// flip_sign they keep their sign.
///
/// source  Optax scale_by_learning_rate
template <rate R> constexpr auto scale_by_learning_rate(R const& learning_rate, bool flip_sign = true) {
  return detail::by_rate<R>{learning_rate, flip_sign};
}

/// Updates plus weight_decay times the parameters, which update must be given.
///
/// errors  E144 update was given no parameters
/// source  Loshchilov and Hutter, Decoupled Weight Decay Regularization, arXiv 1711.05101; Optax add_decayed_weights
template <rate R> constexpr auto add_decayed_weights(R const& weight_decay) { return detail::decayed<R>{weight_decay}; }

}  // namespace etna::optim
