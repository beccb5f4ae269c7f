// SPDX-License-Identifier: BSD-3-Clause
// A program: a function traced once, its passes in order, and its plan as a constant. This is the
// table of contents of the compiler inside the compiler. Read next: ../lower/kernel.hpp.
#pragma once
#include <etna/transform/grad.hpp>

#include "legalize.hpp"
#include "plan.hpp"
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

/// Nodes of room that the trace needs; no constant where the function cannot run in the compiler, or
/// needs more room than Capacity.
template <class F, int Capacity, class... P> constexpr int measure() {
  bounded_graph<Capacity> b;
  int outputs[result_count<F, P...> + 1]{};
  trace_into<F, P...>(b.g, outputs);
  int need = b.g.n_nodes > b.g.n_values ? b.g.n_nodes : b.g.n_values;
  if (b.g.n_edges / 3 + 1 > need) need = b.g.n_edges / 3 + 1;
  if (b.g.n_attrs / 6 + 1 > need) need = b.g.n_attrs / 6 + 1;
  if (b.g.most_scratch / 4 + 1 > need) need = b.g.most_scratch / 4 + 1;
  return need + 16;
}
template <class F, int Capacity, class... P>
concept fits = requires { typename std::integral_constant<int, measure<F, Capacity, P...>()>; };

/// The room that F needs, or 0 where it is not traceable.
template <class F, class... P> constexpr int room() {
  if constexpr (fits<F, 256, P...>) return measure<F, 256, P...>();
  else if constexpr (fits<F, 2048, P...>) return measure<F, 2048, P...>();
  else if constexpr (fits<F, 16384, P...>) return measure<F, 16384, P...>();
  else if constexpr (fits<F, 131072, P...>) return measure<F, 131072, P...>();
  else return 0;
}
template <class F, class... P> inline constexpr int room_of = room<F, P...>();
/// Can the function run while the program compiles?
template <class F, class... P> concept traceable = (room_of<F, P...> > 0);

/// A graph at rest: what is shown, evaluated and planned.
template <int N, int M> struct frozen {
  node_info nodes[N]{};
  trace::value_info values[N]{};
  int edges[3 * N]{};
  std::int64_t attrs[6 * N]{};
  int outputs[M + 1]{};
  int n_nodes = 0, n_values = 0, n_edges = 0, n_attrs = 0;

  constexpr void take(graph const& g, int const* out) {
    n_nodes = g.n_nodes;
    n_values = g.n_values;
    n_edges = g.n_edges;
    n_attrs = g.n_attrs;
    for (int i = 0; i < n_nodes; ++i) nodes[i] = g.nodes[i];
    for (int i = 0; i < n_values; ++i) values[i] = g.values[i];
    for (int i = 0; i < n_edges; ++i) edges[i] = g.edges[i];
    for (int i = 0; i < n_attrs; ++i) attrs[i] = g.attrs[i];
    for (int i = 0; i < M; ++i) outputs[i] = out[i];
  }
};

enum class stage { traced, simplified, legal };

constexpr auto no_more = [](writer&, int*) {};

/// Trace, then the passes up to a stage; `done(graph, views, outputs)` sees the result.
template <stage Until, class F, int N, class... P, class Done> constexpr void passes(Done done) {
  constexpr int M = result_count<F, P...>, legal_room = N + N / 2 + 4 * M + 64;
  bounded_graph<N> traced;
  int outputs[M + 1]{};
  trace_into<F, P...>(traced.g, outputs);
  if constexpr (Until == stage::traced) return done(traced.g, static_cast<view const*>(nullptr), outputs);
  else {
    bounded_graph<N + 64> simple;
    rewrite(traced.g, simple.g, outputs, M, outputs, traced.scratch, 4 * N, simplify, no_more);
    bounded_graph<N + 64> clean;  // what the identities left unused goes
    rewrite(simple.g, clean.g, outputs, M, outputs, simple.scratch, 4 * N, keep, no_more);
    if constexpr (Until == stage::simplified) return done(clean.g, static_cast<view const*>(nullptr), outputs);
    else {
      bounded_graph<legal_room> legal;
      struct { view of[legal_room]; } views;
      legalizer rule(views.of);
      rewrite(clean.g, legal.g, outputs, M, outputs, clean.scratch, 4 * N, rule, [&](writer& w, int* out) {
        for (int k = 0; k < M; ++k) {
          bool taken = false;
          for (int j = 0; j < k; ++j) taken = taken || views.of[out[j]].root == views.of[out[k]].root;
          out[k] = rule.legal_output(w, out[k], taken);
        }
      });
      done(legal.g, static_cast<view const*>(views.of), outputs);
    }
  }
}

/// A function of arrays as a constant: its graph and its plan.
template <class F, class... P> struct program {
  static constexpr int N = room_of<F, P...>, M = result_count<F, P...>;
  static constexpr int size = N + N / 2 + 4 * M + 64;

  static constexpr plan<size> make_plan() {
    plan<size> p;
    passes<stage::legal, F, N, P...>([&](graph& g, view const* views, int const* outputs) {
      struct { int stage[size]{}, waits[size]{}, parent[size]{}; space spaces[size]{}; } store;
      cut c{store.stage, store.waits, store.parent, store.spaces};
      fuse(g, views, c);
      planner<size> fill(g, views, c, outputs, M, p);
      if (p.is_static) {
        int active[2 * size]{};
        p.arena = assign_memory(p.buffers, p.n_buffers, [](extent e) { return e; }, active);
      }
    });
    return p;
  }
  static constexpr plan<size> value = make_plan();

  template <stage S> static constexpr frozen<size, M> make_graph() {
    frozen<size, M> f;
    passes<S, F, N, P...>([&](graph& g, view const*, int const* outputs) { f.take(g, outputs); });
    return f;
  }
  template <stage S> static constexpr frozen<size, M> graph_at = make_graph<S>();
};

}  // namespace etna::rewrite
