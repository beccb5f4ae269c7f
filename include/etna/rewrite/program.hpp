// SPDX-License-Identifier: BSD-3-Clause
// A program: a function traced, its passes in order, and its plan as a constant. This is the table of
// contents of the compiler inside the compiler. Read next: ../lower/kernel.hpp.
#pragma once
#include <etna/transform/grad.hpp>

#include "legalize.hpp"
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

/// From a trace to a plan.
constexpr void compile(graph const& traced, int* outputs, int n_out, plan& p) {
  bounded_graph simple, legal;
  trace::zeros<view> views;
  cut c;
  rewrite(traced, simple.g, outputs, n_out, outputs, simplify, no_more);
  legalize(simple.g, legal.g, outputs, n_out, views.at);
  fuse(legal.g, views.at, c);
  make_plan(legal.g, views.at, c, outputs, n_out, p);
}

/// The plan of F, with room to spare.
template <class F, class... P> constexpr plan plan_for() {
  bounded_graph traced;
  int outputs[result_count<F, P...> + 1]{};
  trace_into<F, P...>(traced.g, outputs);
  plan p{};
  p.n_traced = traced.g.n_nodes;
  compile(traced.g, outputs, result_count<F, P...>, p);
  return p;
}

// g++ remembers the result of a call, and keeps each constant variable in an object file that is not optimised;
// the others forget calls.
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#define ETNA_CALLS_ARE_REMEMBERED 1
#endif

/// Equations that the trace writes; no constant where the function cannot run in the compiler.
template <class F, class... P> constexpr int trace_size() {
#if defined(ETNA_CALLS_ARE_REMEMBERED)
  return plan_for<F, P...>().n_traced;
#else
  bounded_graph b;
  int outputs[result_count<F, P...> + 1]{};
  trace_into<F, P...>(b.g, outputs);
  return b.g.n_nodes;
#endif
}
/// Can the function run while the program compiles?
template <class F, class... P>
concept traceable = requires { typename std::integral_constant<int, trace_size<F, P...>()>; };

/// A value made while compiling that the program does not keep: Make is a function object.
template <class Make> struct transient {
#if defined(ETNA_CALLS_ARE_REMEMBERED)
  static constexpr auto get() { return Make{}(); }
#else
  static constexpr auto value = Make{}();
  static constexpr auto const& get() { return value; }
#endif
};

/// A function of arrays as a constant: its plan.
template <class F, class... P> struct program {
  static constexpr int M = result_count<F, P...>;
  struct make { constexpr plan operator()() const { return plan_for<F, P...>(); } };
  static constexpr plan_size size = size_of(transient<make>::get());
  static constexpr auto value = tighten<program>(transient<make>::get());
};

}  // namespace etna::rewrite
