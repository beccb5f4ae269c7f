// SPDX-License-Identifier: BSD-3-Clause
// custom_jvp, custom_vjp and custom_root: functions whose derivatives the user gives. The function and its rules are
// written once, as blocks. Read next: named_axis.hpp.
#pragma once
#include <etna/transform/linearize.hpp>

#include "leaves.hpp"

namespace etna {
namespace control {

/// Functions written as the blocks of one equation. Each is called on values that stand for its inputs.
class custom_call {
 public:
  constexpr explicit custom_call(graph* g) : home_(g) {}

  /// One more block: f(trees like these...) gives the leaves of a tree. The tree that it gives.
  template <class F, class... T> constexpr auto write(F const& f, T const&... like) {
    constexpr int n = (tree::size<T>() + ... + 0);
    region r(current(home_));
    tensor_type types[n + 1]{};
    int k = 0;
    auto note = [&](auto const& x) { types[k++] = type_of_leaf(x); };
    (tree::for_each(note, like), ...);
    var_list in(n);
    int at = 0;
    auto take = [&]<class A>(A const&) {
      constexpr int size = tree::size<A>();
      at += size;
      return stand_ins<A>(r.g(), types + at - size, size, in);
    };
    std::tuple<T...> args{take(like)...};
    auto y = std::apply(f, args);
    constexpr int n_out = tree::size<decltype(y)>();
    var_list out(n_out);
    push_leaves(r.g(), y, out);
    r.close();
    first_[blocks_] = r.first;
    keep(in, in_[blocks_]);
    keep(out, out_[blocks_]);
    ++blocks_;
    return y;
  }
  /// The equation; its first result.
  constexpr int finish(ops::custom_p::counts c, var_list const& operands) {
    graph& g = current(home_);
    for (int k = 0; k < operands.n; ++k) operands[k] = trace::resolve(operands[k]);
    nested_equation e(g, blocks_);
    for (int b = 0; b < blocks_; ++b) {
      for (var_list* list : {&in_[b], &out_[b]})
        for (int k = 0; k < list->n; ++k) list->v[k] = trace::resolve(list->v[k]);
      e.pack(trace::range_of(first_[b], g), in_[b], out_[b]);
    }
    return ops::custom_p::write(e, c, operands);
  }

 private:
  graph* home_;
  int blocks_ = 0;
  var first_[3]{};
  var_list in_[3]{var_list(0), var_list(0), var_list(0)}, out_[3]{var_list(0), var_list(0), var_list(0)};

  template <class A> static constexpr tensor_type type_of_leaf(A const& x) {
    var v = trace::resolve(access::traced(x));
    return v.g ? v.g->values[v.id].type : transform::concrete_type(x);
  }
  static constexpr void keep(var_list const& from, var_list& to) {
    delete[] to.v;
    to.v = new var[std::size_t(from.n + 1)]{};
    to.n = 0;
    for (int k = 0; k < from.n; ++k) to.push(from[k]);
  }
};

template <class F, class Jvp, class Fwd, class Bwd> struct with_rules {
  [[no_unique_address]] F f;
  [[no_unique_address]] Jvp jvp;
  [[no_unique_address]] Fwd forward;
  [[no_unique_address]] Bwd backward;
  static constexpr bool has_jvp = !std::is_same_v<Jvp, std::nullptr_t>, has_vjp = !std::is_same_v<Fwd, std::nullptr_t>;

  template <class... A> constexpr auto operator()(A const&... args) const {
    constexpr int n_in = (tree::size<lifted<A>>() + ... + 0);
    bool recorded = transform::is_recording(args...);
    std::tuple<lifted<A>...> trees{lift(args)...};
    home h(std::apply([](auto const&... t) { return transform::graph_of(t...); }, trees));
    var_list operands(n_in);
    std::apply([&](auto const&... t) { (push_leaves(current(h.g), t, operands), ...); }, trees);
    custom_call call(h.g);
    // stand-ins of the arguments' types
    auto like = std::apply([&](auto const&... t) { return std::tuple<lifted<A>...>{t...}; }, trees);
    auto y = std::apply([&](auto const&... t) { return call.write([&](auto const&... x) { return lift(f(x...)); }, t...); }, like);
    using R = decltype(y);
    if constexpr (has_jvp) {
      call.write([&](auto const& x, auto const& t, auto const& result) {
        if constexpr (std::is_invocable_v<Jvp const&, decltype(x), decltype(t), decltype(result)>) return tangent_of<R>(lift(jvp(x, t, result)));
        else return tangent_of<R>(lift(jvp(x, t)));
      }, like, like, y);
    }
    int residuals = 0;
    if constexpr (has_vjp) {
      auto both = std::apply([&](auto const&... t) { return call.write([&](auto const&... x) { return forward_of<R>(lift(forward(x...))); }, t...); }, like);
      using Res = std::remove_cvref_t<decltype(std::get<1>(both))>;
      residuals = tree::size<Res>();
      call.write([&](auto const& res, auto const& ct) { return cotangents_of<lifted<A>...>(lift(backward(res, ct))); }, std::get<1>(both), y);
    }
    int first = call.finish({0, n_in, tree::size<R>(), residuals, has_jvp, has_vjp}, operands);
    return tree_from<R>(current(h.g), first, recorded);
  }

 private:
  template <class R, class T> static constexpr auto tangent_of(T const& t) {
    if constexpr (requires { requires std::is_same_v<std::remove_cvref_t<decltype(std::get<1>(t))>, R>; }) return std::get<1>(t);
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

/// custom_jvp(f, rule): f, whose derivative is rule(arguments, tangents) -> {f of them, its tangent}; both are tuples. A rule
/// with a third parameter is given f of them, so that it need not compute it.
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

/// custom_root(f, solve, solve_linear)(x0, a...): the x with f(x, a...) = 0 that solve(x0, a...) finds, differentiated by
/// the implicit function theorem: solve_linear(g, y) is the z with g(z) = y, for the linear g(z) = df/dx z.
///
/// diff    forward and reverse, by a; what solve does is not differentiated, so it may be a while loop
/// source  JAX custom_root
template <class F, class Solve, class Linear> constexpr auto custom_root(F f, Solve solve, Linear solve_linear) {
  auto find = [=](auto const& x0, auto const&... a) { return solve(x0, a...); };
  auto rule = [=](auto const& args, auto const& tangents, auto const& x) {
    return std::apply([&](auto const&, auto const&... a) {
      auto of_a = [&](auto const&... b) { return f(x, b...); };
      auto moved = std::apply([&](auto const&, auto const&... t) { return etna::jvp(of_a, std::tuple{a...}, std::tuple{t...}).second; }, tangents);
      auto g = [&](auto const& z) { return etna::jvp([&](auto const& y) { return f(y, a...); }, x, z).second; };
      return std::pair{x, solve_linear(g, -moved)};
    }, args);
  };
  return custom_jvp(find, rule);
}

}  // namespace etna
