// SPDX-License-Identifier: BSD-3-Clause
// The optim room: gradient transformations as values, in Optax's form, `auto [updates, next] = rule.update(gradient,
// state, parameters)`. This file adds what a transformation is, and the updates to parameters. Read next: chain.hpp.
#pragma once
#include <etna/array/partition.hpp>
#include <etna/numpy/create.hpp>
#include <etna/numpy/math.hpp>
#include <etna/numpy/reduce.hpp>

namespace etna::optim {

/// What update has for parameters where none are given.
struct no_parameters {};

namespace detail {

// A class with members named init and update: another one with both, and neither is found. (A call of them would
// compile their bodies, and for which parameters?)
struct two_names {
  void init();
  void update();
};
template <class T> struct beside_two_names : T, two_names {};
template <class T> concept has_two_names =
    !requires { &beside_two_names<T>::init; } && !requires { &beside_two_names<T>::update; };

template <class T> constexpr bool holds_f64() {
  if constexpr (any_array<T>) return T::type.d == dtype::f64;
  else if constexpr (tree::leaf<T>) return std::is_same_v<T, double>;
  else if constexpr (tree::detail::is_std_array<T>::value) return holds_f64<typename T::value_type>();
  else
    return []<class... F>(std::type_identity<std::tuple<F...>>) {
      return (holds_f64<F>() || ... || false);
    }(std::type_identity<tree::detail::fields_of<T>>{});
}
/// The type of numbers that a rule keeps for itself: f64 where a leaf is, else f32.
template <class T> using real_of = std::conditional_t<holds_f64<T>(), double, float>;

/// A number or array of one beside a leaf: in the leaf's element type.
template <class A, class N> constexpr auto beside(A const&, N const& n) {
  if constexpr (any_array<N>) return astype<typename A::value_type>(n);
  else return n;
}
/// f of the leaves of trees, each result in the element type of the first tree's leaf.
template <class F, class T, class... More> constexpr auto each(F const& f, T const& t, More const&... more) {
  return tree::map(
      [&](auto const& x, auto const&... y) {
        using A = std::remove_cvref_t<decltype(transform::as_array(x))>;
        return astype<typename A::value_type>(f(transform::as_array(x), transform::as_array(y)...));
      },
      t, more...);
}
/// Zeros, or a number everywhere, for each leaf; numbers become arrays. A state calls it once for each of its fields:
/// what two of them share the first step cannot update in place.
template <class T, class V = int> constexpr auto filled(T const& t, V v = 0) {
  return tree::map([&](auto const& x) { return full_like(transform::as_array(x), v); }, t);
}
/// decay * mean + (1 - decay) * x, leaf by leaf.
template <class M, class X, class D> constexpr auto moving_mean(M const& mean, X const& x, D const& decay) {
  return each([&](auto const& m, auto const& g) { return beside(m, decay) * m + (1 - beside(m, decay)) * g; }, mean, x);
}
/// The same of squares.
template <class M, class X, class D> constexpr auto moving_square(M const& mean, X const& x, D const& decay) {
  return each([&](auto const& m, auto const& g) { return beside(m, decay) * m + (1 - beside(m, decay)) * (g * g); },
              mean, x);
}
/// What a mean that began at zero is divided by, behind n steps.
template <class D, any_array N> constexpr auto share_of_steps(D const& decay, N const& n) { return 1 - pow(decay, n); }

/// The root of a number above 1, by Newton, since std::sqrt is no constant function.
constexpr double root_of(double x) {
  double root = x;
  for (int i = 0; i < 60; ++i) root = (root + x / root) / 2;
  return root;
}
/// A tuple of these. (std::tuple{x} of a tuple x would be x.)
template <class... T> constexpr auto tuple_of(T const&... x) { return std::tuple<T...>{x...}; }

/// Are there parameters? If not, that is E144.
template <class P> constexpr bool require_parameters() {
  constexpr bool given = !std::is_same_v<P, no_parameters>;
  if constexpr (!given) message::fail<message::E144_rule_needs_parameters<P>>();
  return given;
}
/// Is S a state for updates U, as Own is, which their rule makes for parameters like them? If not, that is E022.
template <class U, class S, class Own> constexpr bool require_state() {
  if constexpr (std::is_same_v<S, Own>) return true;
  else {
    constexpr bool fits = tree::detail::same_structure<S, Own>();
    if constexpr (!fits) message::fail<message::E022_trees_differ<U, S>>();
    return fits;
  }
}

}  // namespace detail

namespace detail {
template <class Init, class Update> struct made_of {
  [[no_unique_address]] Init init_;
  [[no_unique_address]] Update update_;

  template <class P> constexpr auto init(P const& parameters) const { return init_(parameters); }
  template <class U, class S, class P = no_parameters>
  constexpr auto update(U const& updates, S const& state, P const& parameters = {}) const {
    constexpr bool fits = require_state<U, S, std::remove_cvref_t<decltype(init_(updates))>>();
    if constexpr (!fits) return std::pair{updates, state};
    else return update_(updates, state, parameters);
  }
};
/// A rule of its two functions.
template <class Init, class Update> constexpr auto rule_of(Init init, Update update) {
  return made_of<Init, Update>{init, update};
}
/// One without a state, of a function of updates and parameters.
template <class F> constexpr auto without_state(F f) {
  return rule_of([](auto const&) { return tree::nothing{}; },
                 [f](auto const& u, auto const& s, auto const& p) {
                   return std::pair{f(u, p), s};
                 });
}
}  // namespace detail

/// A gradient transformation: a value of a class with two constant members,
///
///   init(parameters)                    its state before the first step, a tree; tree::nothing where it keeps none
///   update(updates, state, parameters)  std::pair{updates, next state}; parameters may be left away
///
/// Its state has one type, before a step and behind it. Optimizers are such values too.
///
/// source  Optax GradientTransformation
template <class T> concept transformation =
    std::is_class_v<T> && !std::is_final_v<T> && !any_array<T> && detail::has_two_names<T>;

/// The type of a rule's state for parameters P, as jitted functions declare it: optim::state_of<rule, model>, where
/// `constexpr auto rule = optim::adam(0.001);` stands outside of functions.
template <auto const& Rule, class P> using state_of =
    std::remove_cvref_t<decltype(Rule.init(std::declval<P const&>()))>;

/// Parameters with their updates added, each leaf in the parameters' element type.
///
/// shape   two trees of one structure -> the same
/// errors  E022 the trees differ in structure
/// source  Optax apply_updates
template <class P, class U> constexpr auto apply_updates(P const& parameters, U const& updates) {
  return detail::each([](auto const& p, auto const& u) { return p + u; }, parameters, updates);
}

/// step_size * fresh + (1 - step_size) * old, leaf by leaf in old's element type: a mean of parameters, or a target
/// network.
///
/// errors  E022 the trees differ in structure
/// source  Optax incremental_update
template <class N, class P, numpy::scalar_operand S>
constexpr auto incremental_update(N const& fresh, P const& old, S const& step_size) {
  return detail::each(
      [&](auto const& o, auto const& n) {
        auto s = detail::beside(o, step_size);
        return s * n + (1 - s) * o;
      },
      old, fresh);
}

/// The root of the sum of squares of all elements of all leaves.
///
/// shape   a tree -> []
/// dtype   f64 where a leaf is, else f32
/// source  Optax global_norm
template <class U> constexpr auto global_norm(U const& updates) {
  using R = detail::real_of<U>;
  auto more = [](auto const& before, auto const& x) -> array<R> {
    return before + sum(square(astype<R>(transform::as_array(x))));
  };
  return sqrt(tree::reduce(more, updates, array<R>(0)));
}

}  // namespace etna::optim
