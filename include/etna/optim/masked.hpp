// SPDX-License-Identifier: BSD-3-Clause
// Transformations of some leaves, chosen by their paths. Read next: momentum.hpp.
#pragma once
#include "scale.hpp"

namespace etna::optim {

namespace detail {

template <fixed_string... Pattern, class T> constexpr auto parted(tree::detail::by_pattern<Pattern...>, T const& t) {
  return tree::partition<Pattern...>(t);  // says which pattern matches nothing
}
template <class Mask, class T> constexpr auto parted(Mask mask, T const& t) { return tree::partition(mask, t); }
// No parameters have no parts.
template <class Mask, class P> constexpr auto part_of(Mask mask, P const& parameters) {
  if constexpr (std::is_same_v<P, no_parameters>) return parameters;
  else return parted(mask, parameters).first;
}

template <class Rule, class Mask> struct of_some {
  [[no_unique_address]] Rule inner;

  template <class P> constexpr auto init(P const& parameters) const { return inner.init(part_of(Mask{}, parameters)); }
  template <class U, class S, class P = no_parameters>
  constexpr auto update(U const& updates, S const& state, P const& parameters = {}) const {
    auto [in, out] = parted(Mask{}, updates);
    auto [now, next] = inner.update(in, state, part_of(Mask{}, parameters));
    return std::pair{tree::combine(now, out), next};
  }
};

/// The leaves that a function of their path gives number Nth.
template <class Labels, int Nth> struct is_label {
  template <class P> constexpr bool operator()(P path) const { return int(Labels{}(path)) == Nth; }
};
template <class Labels, int Rules, class P, int... Nth> constexpr bool has_rules(std::integer_sequence<int, Nth...>) {
  return ((int(Labels{}(tree::path<P, Nth>{})) >= 0 && int(Labels{}(tree::path<P, Nth>{})) < Rules) && ...);
}

template <class Labels, class... Rule> struct by_label {
  [[no_unique_address]] std::tuple<Rule...> rules;

  template <class P> constexpr auto init(P const& parameters) const {
    constexpr int rules_of = int(sizeof...(Rule));
    constexpr bool all_have_one = has_rules<Labels, rules_of, P>(std::make_integer_sequence<int, tree::size<P>()>{});
    if constexpr (!all_have_one) message::fail<message::E147_label_without_a_rule<P>>();
    return for_each_rule([&]<int Nth>(std::integral_constant<int, Nth>, auto const& rule) {
      return rule.init(part_of(is_label<Labels, Nth>{}, parameters));
    });
  }
  template <class U, class S, class P = no_parameters>
  constexpr auto update(U const& updates, S const& state, P const& parameters = {}) const {
    auto steps = for_each_rule([&]<int Nth>(std::integral_constant<int, Nth>, auto const& rule) {
      constexpr is_label<Labels, Nth> mask{};
      return rule.update(part_of(mask, updates), std::get<std::size_t(Nth)>(state), part_of(mask, parameters));
    });
    return std::apply(
        [](auto const&... s) {
          return std::pair{tree::combine(s.first...), tuple_of(s.second...)};
        },
        steps);
  }

 private:
  template <class F> constexpr auto for_each_rule(F const& f) const {
    return [&]<int... Nth>(std::integer_sequence<int, Nth...>) {
      return tuple_of(f(std::integral_constant<int, Nth>{}, std::get<std::size_t(Nth)>(rules))...);
    }(std::make_integer_sequence<int, int(sizeof...(Rule))>{});
  }
};

}  // namespace detail

/// What chooses leaves: a function of a tree::path, without captures, that answers true or a number.
template <class F> concept mask_of_paths =
    std::is_empty_v<F> && std::is_default_constructible_v<F> && !transformation<F>;

/// A transformation of the leaves whose path the mask accepts; the others pass as they are, and no state is kept for
/// them: masked(add_decayed_weights(0.01), [](auto path) { return path.ends_with("kernel"); }).
///
/// source  Optax masked
/// example test/unit/optim/masked.cpp  [only masked leaves are changed]
template <transformation Rule, mask_of_paths Mask> constexpr auto masked(Rule const& inner, Mask) {
  return detail::of_some<Rule, Mask>{inner};
}
/// The same by patterns, one of which a path matches: masked<"*.kernel">(rule).
///
/// errors  E095 a pattern matches no path
template <fixed_string... Pattern, transformation Rule> requires(sizeof...(Pattern) > 0)
constexpr auto masked(Rule const& inner) {
  return detail::of_some<Rule, tree::detail::by_pattern<Pattern...>>{inner};
}

/// Leaves whose path the mask accepts stay.
///
/// source  Optax freeze
template <mask_of_paths Mask> constexpr auto freeze(Mask mask) { return masked(set_to_zero(), mask); }
/// The same by patterns: freeze<"embedding.*">().
///
/// errors  E095 a pattern matches no path
template <fixed_string... Pattern> requires(sizeof...(Pattern) > 0)
constexpr auto freeze() {
  return masked<Pattern...>(set_to_zero());
}

/// For each leaf the transformation whose number the labels give for its path:
/// multi_transform([](auto path) { return path.ends_with("bias") ? 1 : 0; }, adamw(1e-3), sgd(1e-2)).
///
/// errors  E147 there is no transformation of a leaf's number
/// source  Optax multi_transform
template <mask_of_paths Labels, transformation... Rule> constexpr auto multi_transform(Labels, Rule const&... rule) {
  return detail::by_label<Labels, Rule...>{{rule...}};
}

}  // namespace etna::optim
