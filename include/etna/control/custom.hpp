// SPDX-License-Identifier: BSD-3-Clause
// custom_jvp, custom_vjp and custom_root: functions whose derivatives the user gives. The function and its rules are
// written once, as blocks. Read next: named_axis.hpp.
#pragma once
#include <etna/transform/linearize.hpp>

#include "leaves.hpp"

namespace etna {
namespace control {

template <class F, class Jvp, class Fwd, class Bwd> struct with_rules {
  [[no_unique_address]] F f;
  [[no_unique_address]] Jvp jvp;
  [[no_unique_address]] Fwd forward;
  [[no_unique_address]] Bwd backward;
  static constexpr bool has_jvp = !std::is_same_v<Jvp, std::nullptr_t>, has_vjp = !std::is_same_v<Fwd, std::nullptr_t>;

  template <class... A> constexpr auto operator()(A const&... args) const {
    transform::names_agree(args...);
    bool recorded = transform::is_recording(args...);
    home h(transform::graph_of(args...));
    var_list operands((tree::size<lifted<A>>() + ... + 0));
    (push_leaves(current(h.g), lift(args), operands), ...);
    type_list_of types(operands);
    block_writer<3> blocks(h.g);
    auto y = blocks.template write<lifted<A>...>(f, types.t);
    using R = decltype(y);
    // what a rule reads besides the arguments: lists of values, and their types
    auto types_with = [&](auto const&... more) {
      var_list all(2 * operands.n + (tree::size<std::remove_cvref_t<decltype(more)>>() + ... + 0));
      for (int twice = 0; twice < (has_jvp ? 2 : 0); ++twice)
        for (int k = 0; k < operands.n; ++k) all.push(operands[k]);
      (push_leaves(blocks.g(), more, all), ...);
      return type_list_of(all);
    };
    if constexpr (has_jvp) {
      using Args = std::tuple<lifted<A>...>;
      blocks.template write<Args, Args, R>(
          [&](auto const& x, auto const& t, auto const& result) {
            if constexpr (std::is_invocable_v<Jvp const&, decltype(x), decltype(t), decltype(result)>)
              return tangent_of<R>(lift(jvp(x, t, result)));
            else return tangent_of<R>(lift(jvp(x, t)));
          },
          types_with(y).t);
      blocks.agree(blocks.types(0).t, tree::size<R>());
    }
    int residuals = 0;
    if constexpr (has_vjp) {
      auto both = blocks.template write<lifted<A>...>(
          [&](auto const&... x) { return forward_of<R>(lift(forward(x...))); }, types.t);
      blocks.agree(blocks.types(0).t, tree::size<R>());
      using Res = std::remove_cvref_t<decltype(std::get<1>(both))>;
      residuals = tree::size<Res>();
      blocks.template write<Res, R>(
          [&](auto const& res, auto const& ct) { return cotangents_of<lifted<A>...>(lift(backward(res, ct))); },
          types_with(std::get<1>(both), y).t);
      blocks.agree(types.t, operands.n);
    }
    int first = blocks.finish(operands, [&](nested_equation const& e) {
      return ops::custom_p::write(e, {0, operands.n, tree::size<R>(), residuals, has_jvp, has_vjp}, operands);
    });
    return tree_from<R>(blocks.g(), first, recorded);
  }

 private:
  template <class R, class T> static constexpr auto tangent_of(T const& t) {
    if constexpr (requires { requires std::is_same_v<std::remove_cvref_t<decltype(std::get<1>(t))>, R>; })
      return std::get<1>(t);
    else {
      message::fail<message::E077_rule_tree<R, T>>();
      return R{};
    }
  }
  template <class R, class T> static constexpr auto forward_of(T const& t) {
    if constexpr (requires { requires std::is_same_v<std::remove_cvref_t<decltype(std::get<0>(t))>, R>; }) return t;
    else {
      message::fail<message::E077_rule_tree<R, T>>();
      return std::pair{R{}, std::tuple<>{}};
    }
  }
  template <class... A, class T> static constexpr auto cotangents_of(T const& t) {
    if constexpr (std::is_same_v<T, std::tuple<A...>>) return t;
    else if constexpr (sizeof...(A) == 1 && (std::is_same_v<T, A> && ...)) return t;
    else {
      message::fail<message::E077_rule_tree<std::tuple<A...>, T>>();
      return std::tuple<A...>{};
    }
  }
};

}  // namespace control

/// custom_jvp(f, rule): f, whose derivative is rule(arguments, tangents) -> {f of them, its tangent}; both are tuples.
/// A rule with a third parameter is given f of them, so that it need not compute it.
///
/// diff    forward as given; reverse by transposing what the rule does with the tangents
/// errors  E076 f captures what it is differentiated by, E077 the rule returns another tree
/// source  JAX custom_jvp
template <class F, class Rule> constexpr auto custom_jvp(F f, Rule rule) {
  return control::with_rules<F, Rule, std::nullptr_t, std::nullptr_t>{f, rule, nullptr, nullptr};
}
/// custom_vjp(f, forward, backward): forward(arguments...) -> {f of them, residuals}; backward(residuals, cotangent) ->
/// the cotangents of the arguments, a tuple (or one, of one).
///
/// diff    reverse as given; forward by transposing backward, where that is linear in the cotangent
/// errors  E076 f captures what it is differentiated by, E077 a rule returns another tree
/// source  JAX custom_vjp
template <class F, class Forward, class Backward> constexpr auto custom_vjp(F f, Forward forward, Backward backward) {
  return control::with_rules<F, std::nullptr_t, Forward, Backward>{f, nullptr, forward, backward};
}

/// custom_root(f, solve, solve_linear)(x0, a...): the x with f(x, a...) = 0 that solve(x0, a...) finds, differentiated
/// by the implicit function theorem: solve_linear(g, y) is the z with g(z) = y, for the linear g(z) = df/dx z.
///
/// diff    forward and reverse, by a; what solve does is not differentiated, so it may be a while loop
/// source  JAX custom_root
template <class F, class Solve, class Linear> constexpr auto custom_root(F f, Solve solve, Linear solve_linear) {
  auto find = [=](auto const& x0, auto const&... a) { return solve(x0, a...); };
  auto rule = [=](auto const& args, auto const& tangents, auto const& x) {
    return std::apply(
        [&](auto const&, auto const&... a) {
          auto of_a = [&](auto const&... b) { return f(x, b...); };
          auto moved = std::apply(
              [&](auto const&, auto const&... t) { return etna::jvp(of_a, std::tuple{a...}, std::tuple{t...}).second; },
              tangents);
          auto g = [&](auto const& z) { return etna::jvp([&](auto const& y) { return f(y, a...); }, x, z).second; };
          return std::pair{x, solve_linear(g, -moved)};
        },
        args);
  };
  return custom_jvp(find, rule);
}

}  // namespace etna
