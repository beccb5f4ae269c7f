// SPDX-License-Identifier: BSD-3-Clause
// Transformations one after another, each of the updates of the one before. Read next: schedules.hpp.
#pragma once
#include "update.hpp"

namespace etna::optim {

namespace detail {

template <class... Rule> struct chained {
  [[no_unique_address]] std::tuple<Rule...> rules;

  template <class P> constexpr auto init(P const& parameters) const {
    return std::apply([&](auto const&... rule) { return tuple_of(rule.init(parameters)...); }, rules);
  }
  template <class U, class S, class P = no_parameters>
  constexpr auto update(U const& updates, S const& state, P const& parameters = {}) const {
    constexpr bool fits = require_state<U, S, std::remove_cvref_t<decltype(init(updates))>>();
    if constexpr (!fits) return std::pair{updates, state};
    else return step<0>(updates, std::tuple<>{}, state, parameters);
  }

 private:
  template <std::size_t Nth, class U, class Done, class S, class P>
  constexpr auto step(U const& updates, Done const& done, S const& state, P const& parameters) const {
    if constexpr (Nth == sizeof...(Rule)) return std::pair{updates, done};
    else {
      auto [now, next] = std::get<Nth>(rules).update(updates, std::get<Nth>(state), parameters);
      return step<Nth + 1>(now, std::tuple_cat(done, tuple_of(next)), state, parameters);
    }
  }
};

}  // namespace detail

/// Transformations one after another: chain(clip_by_global_norm(1.0), adamw(rate)). Its state is a tuple of theirs.
///
/// source  Optax chain
/// example test/unit/optim/chain.cpp  [a chain is its parts, one after another]
template <transformation... Rule> constexpr auto chain(Rule const&... rule) {
  return detail::chained<Rule...>{{rule...}};
}
template <class... Rule> requires(!(transformation<Rule> && ...))
ETNA_REFUSAL(E037_argument_not_taken,
             "E037: chain takes transformations, as in chain(clip_by_global_norm(1.0), adamw(rate)); a factor is "
             "scale(factor)",
             chain(Rule const&...));

/// The updates as they are.
///
/// source  Optax identity
constexpr auto identity() {
  return detail::without_state([](auto const& updates, auto const&) { return updates; });
}
/// No updates: parameters stay.
///
/// source  Optax set_to_zero
constexpr auto set_to_zero() {
  return detail::without_state([](auto const& updates, auto const&) {
    return detail::each([](auto const& u) { return zeros_like(u); }, updates);
  });
}

}  // namespace etna::optim
