// SPDX-License-Identifier: BSD-3-Clause
// A function called on symbols, while the program compiles: its trace.
#pragma once
#include <etna/transform/grad.hpp>

#include "picture.hpp"

namespace etna::compiler {

using etna::detail::access;
using ops::code;
using tracing::bounded_graph;
using tracing::graph;
using tracing::node_info;
using tracing::var;

// Named, for the same reason as those of transform/capture.hpp.
struct name_argument {
  graph* g;
  std::int64_t number = 0;
  template <class A> constexpr void operator()(A& x) {
    if constexpr (tree::number<A>) message::fail<message::E025_number_in_jit<A>>();
    else x = access::from<A>(ops::argument(g, A::type, number++));
  }
};
struct list_result {
  graph& g;
  int* outputs;
  int n = 0;
  template <class A> constexpr void operator()(A const& x) {
    outputs[n++] = transform::value_in(g, transform::as_array(x)).id;
  }
};
/// Call the function on arguments of these types, each leaf a new value of g; list the results.
template <class F, class... P>
constexpr int trace_into(graph& g, int* outputs) {  // NOLINT(readability-non-const-parameter)
  std::tuple<P...> in{};
  name_argument name{&g};
  std::apply([&](auto&... t) { (tree::for_each(name, t), ...); }, in);
  auto out = std::apply(F{}, in);
  list_result list{g, outputs};
  tree::for_each(list, out);
  return list.n;
}
template <class F, class... P> using result_of = decltype(transform::lift(std::declval<F>()(std::declval<P&>()...)));
template <class F, class... P> inline constexpr int result_count = tree::size<result_of<F, P...>>();

/// Does a result need a value of a function that is over: an example of a vmap, or what stands for the argument of a
/// block?
constexpr bool needs_what_is_over(graph const& g, int const* outputs, int n_out) {
  tracing::zeros<bool> live;
  auto want = [&](int id) { return live.at[id] = true, g.values[id].level > 0; };
  for (int k = 0; k < n_out; ++k)
    if (want(outputs[k])) return true;
  for (int i = g.n_nodes; i-- > 0;) {
    tracing::node_info const& n = g.nodes[i];
    bool wanted = n.effect != 0;
    for (int k = n.value; k < n.value + n.results; ++k) wanted = wanted || live.at[k];
    if (!wanted) continue;
    if (n.op == tracing::input_op && g.attrs[n.attr] == tracing::stand_in) return true;
    for (int k = 0; k < n.operands; ++k)
      if (want(g.edges[n.edge + k])) return true;
  }
  return false;
}

/// The trace of F in g: the number of its results.
template <class F, class... P> constexpr int trace_whole(graph& g, int* outputs) {
  int const n = trace_into<F, P...>(g, outputs);
  if (!g.error && needs_what_is_over(g, outputs, n)) g.error = message::value_is_over::number;
  if (g.effects) tracing::keep_known_effects(g, 0, g.n_nodes, 0);
  tracing::free_taken(g);
  return n;
}

/// The trace of F.
template <class F, class... P> struct traced : picture {
  constexpr traced() : picture{} {
    tracing::zeros<int, 4 * tracing::most_nodes> scratch;
    tracing::graph g;
    tracing::write_into(g, *this, scratch.at);
    count(g, trace_whole<F, P...>(g, outputs));
  }
};

}  // namespace etna::compiler
