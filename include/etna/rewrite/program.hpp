// SPDX-License-Identifier: BSD-3-Clause
// A program: a function traced, its passes in order, and its plan as a constant. This is the table of
// contents of the compiler inside the compiler. Read next: ../lower/kernel.hpp.
#pragma once
#include <etna/transform/grad.hpp>

#include "legalize.hpp"
#include "picture.hpp"
#include "planner.hpp"
#include "simplify.hpp"

namespace etna::rewrite {

using etna::detail::access;
using trace::bounded_graph;

/// Call the function on arguments of these types, each leaf a new value of g; list the results.
template <class F, class... P> constexpr int trace_into(graph& g, int* outputs) {
  std::tuple<P...> in{};
  std::int64_t number = 0;
  auto name = [&](auto& x) {
    using A = std::remove_cvref_t<decltype(x)>;
    if constexpr (tree::number<A>) message::fail<message::E025_number_in_jit<A>>();
    else x = access::from<A>(ops::argument(&g, A::type, number++));
  };
  std::apply([&](auto&... t) { (tree::for_each(name, t), ...); }, in);
  auto out = std::apply(F{}, in);
  int n = 0;
  tree::for_each([&](auto const& x) { outputs[n++] = transform::value_in(g, transform::as_array(x)).id; }, out);
  return n;
}
template <class F, class... P> using result_of = decltype(transform::lift(std::declval<F>()(std::declval<P&>()...)));
template <class F, class... P> inline constexpr int result_count = tree::size<result_of<F, P...>>();

enum class stage { traced, simplified, legal };

constexpr auto no_more = [](writer&, int*) {};

/// From a legal graph to a plan.
constexpr void plan_graph(graph const& g, view const* views, int const* outputs, int n_out, plan& p) {
  cut c;
  fuse(g, views, outputs, n_out, c);
  make_plan(g, views, c, outputs, n_out, p);
}
/// From a trace to a plan.
constexpr void compile(picture const& traced, plan& p) {
  bounded_graph simple;
  trace::zeros<view> views;
  trace::zeros<int> outputs;
  int n_out = traced.n_outputs;
  p.n_traced = traced.n_nodes;
  rewrite(traced.graph(), simple.g, traced.outputs, n_out, outputs.at, simplify, no_more);
  if (is_legal(simple.g, outputs.at, n_out, views.at)) plan_graph(simple.g, views.at, outputs.at, n_out, p);
  else {
    bounded_graph legal;
    trace::zeros<view> views_of_legal;
    legalize(simple.g, legal.g, outputs.at, n_out, views_of_legal.at);
    plan_graph(legal.g, views_of_legal.at, outputs.at, n_out, p);
  }
}

/// The trace of F.
template <class F, class... P> constexpr picture traced() {
  bounded_graph b;
  int outputs[result_count<F, P...> + 1]{};
  trace_into<F, P...>(b.g, outputs);
  picture t{};
  t.take(b.g, outputs, result_count<F, P...>);
  return t;
}
/// The trace as a constant, and whether there is one. g++ asks before it is used, at no cost. Others would trace
/// twice, so what fails is a variable whose name and line say what is wrong; the compiler adds the reason.
#if defined(ETNA_CALLS_ARE_REMEMBERED)
template <class F, class... P> struct trace_of {
  static constexpr auto get() { return traced<F, P...>(); }
};
template <class F, class... P>
concept traceable = requires { typename std::integral_constant<int, traced<F, P...>().n_nodes>; };
#else
template <class F, class... P> struct trace_of {
  static constexpr picture E008_not_traceable = traced<F, P...>();  // E008: jit: the function cannot run while the program compiles: it reads a run-time variable or calls something that is not constexpr; pass such values as arguments
  static constexpr picture const& get() { return E008_not_traceable; }
};
template <class F, class... P> concept traceable = true;
#endif

/// A function of arrays as constants: its trace and its plan.
template <class F, class... P> struct program {
  using trace = trace_of<F, P...>;
  static constexpr int M = result_count<F, P...>;
  struct make_plan {
    constexpr plan operator()() const {
      plan p{};
      compile(trace::get(), p);
      return p;
    }
  };
  static constexpr plan_size size = size_of(transient<make_plan>::get());
  static constexpr auto value = tighten<program>(transient<make_plan>::get());
};

}  // namespace etna::rewrite
