// SPDX-License-Identifier: BSD-3-Clause
// Rows to columns: the table that transforms and passes read. A hole does not compile, and the
// message names the row and the column. Defines `emit`. Read next: transform/jvp.hpp.
#pragma once
#include <tuple>
#include <type_traits>

// A header of the program's that specialises own_primitives and has the rows: for all files that a build compiles.
#if defined(ETNA_PRIMITIVES)
#include ETNA_PRIMITIVES
#endif

#include "mesh_place.hpp"
#include "arithmetic.hpp"
#include "bitwise.hpp"
#include "circular.hpp"
#include "collective.hpp"
#include "comparison.hpp"
#include "contraction.hpp"
#include "control_flow.hpp"
#include "custom_rules.hpp"
#include "dynamic.hpp"
#include "effect.hpp"
#include "error_function.hpp"
#include "indexing.hpp"
#include "movement.hpp"
#include "random_bits.hpp"
#include "reduction.hpp"
#include "rounding.hpp"
#include "running.hpp"
#include "transcendental.hpp"

namespace etna::ops {

/// What a row must answer.
template <class P> concept primitive = requires {
  P::name;
  P::arity;
  P::results;
  P::form;
  P::takes;
  P::domain;
  P::flops;
  P::jvp;
  P::transpose;
  P::reference;
  &P::shape;
  &P::batch;
};
/// Rows that become a part of a fused kernel also say what one element is.
template <class P> concept lowered =
    requires(float x) { P::lower(x); } || requires(float x) { P::lower(x, x); } ||
    requires(float x) { P::lower(x, x, x); } || requires(bool p, float x) { P::lower(p, x, x); } ||
    requires(bool x) { P::lower(x); } || requires(bool x) { P::lower(x, x); } || requires(float x) {
      P::wins(x, x);
      P::better(x, x);
    };
/// Rows that are steps of their own say what the step does: to some of the parts into which it divides, or at once
/// (then nothing else runs meanwhile, and its body may have parallel loops).
template <class P> concept runs_at_once = requires(call const& c) { P::run(c); };
template <class P> concept is_routine = runs_at_once<P> || requires(call const& c, std::int64_t i) {
  P::run(c, i, i);
  P::units(c);
};

namespace detail {

template <class P, class X> constexpr X scalar_of(X const* x) {
  if constexpr (P::arity == 1) return X(P::reference(x[0]));
  else if constexpr (P::arity == 2) return X(P::reference(x[0], x[1]));
  else return X(P::reference(x[0], x[1], x[2]));
}
// a reduction's reference combines two values
template <class P> struct combine {
  static constexpr int arity = 2;
  static constexpr auto reference = P::reference;
};
template <class P> constexpr scalar_reference scalar_reference_of() {
  using Q = std::conditional_t<P::form == form::reduction || P::form == form::arg_reduction, combine<P>, P>;
  scalar_reference r;
  if constexpr (P::takes != accepts::integers) r.real = *+[](double const* x) { return scalar_of<Q>(x); };
  if constexpr (P::takes != accepts::floating) {
    r.whole = *+[](std::int64_t const* x) { return scalar_of<Q>(x); };
    r.natural = *+[](std::uint64_t const* x) { return scalar_of<Q>(x); };
  }
  if constexpr (requires { P::reference_f32; })
    r.single = *+[](float const* x) { return float(P::reference_f32(x[0])); };
  if constexpr (requires { P::template identity<double>(); }) {
    r.real_start = P::template identity<double>();
    r.whole_start = P::template identity<std::int64_t>();
    r.natural_start = P::template identity<std::uint64_t>();
  }
  return r;
}
template <class P> constexpr bool is_scalar_row = P::form == form::pointwise || P::form == form::convert ||
                                                  P::form == form::reduction || P::form == form::arg_reduction;

template <class P> constexpr samples samples_of() {
  if constexpr (requires { P::make_samples(P::domain); }) return P::make_samples(P::domain);
  else {
    sample s;
    s.n = P::arity;
    for (int k = 0; k < P::arity; ++k) {
      s.type[k] = {P::takes == accepts::boolean ? dtype::boolean : dtype::f64, 2, {3, 4}};
      s.from[k] = P::domain;
    }
    return {1, {s}};
  }
}

template <class P> constexpr evaluator evaluator_of() {
  evaluator e{P::name, P::arity, P::results, P::form, &P::shape};
  if constexpr (is_scalar_row<P>) e.scalar = scalar_reference_of<P>();
  else e.reference = &P::reference;
  if constexpr (requires { P::effect; }) e.effect = P::effect;
  return e;
}
template <class P> constexpr row row_of() {
  static_assert(primitive<P>, "a row lacks a column: see the concept `primitive` in ops/table.hpp");
  static_assert(!is_scalar_row<P> || lowered<P>, "a row lacks `lower`: what one element of a kernel is");
  static_assert(P::form != form::routine || is_routine<P>, "a row lacks `run` or `units`: what its step does");
  row r{evaluator_of<P>(), &P::batch, P::flops};
  using jvp_form = std::remove_cvref_t<decltype(P::jvp)>;
  if constexpr (std::is_same_v<jvp_form, per_operand>)
    for (int k = 0; k < 3; ++k) r.jvp[k] = P::jvp.f[k];
  else if constexpr (std::is_same_v<jvp_form, jointly>) r.jvp_jointly = *P::jvp.f;
  else r.differentiable = false;
  if constexpr (std::is_same_v<std::remove_cvref_t<decltype(P::transpose)>, per_operand>)
    for (int k = 0; k < 3; ++k) r.transpose[k] = P::transpose.f[k];
  else r.why_not_linear = P::transpose.why;
  if constexpr (requires { P::wide; }) {
    r.wide = P::wide;
    r.differentiable = true;
  }
  if constexpr (requires { P::in_place; }) r.in_place = P::in_place;
  else r.in_place = P::form == form::scatter;
  if constexpr (requires { P::moves; }) r.moves = P::moves;
  if constexpr (requires { P::any_width; }) r.any_width = P::any_width;
  if constexpr (requires { P::needs_elements; }) r.needs_elements = P::needs_elements;
  if constexpr (requires { P::is_product; }) r.is_product = P::is_product;
  if constexpr (requires { &P::sharding; }) r.sharding = P::sharding;
  if constexpr (requires { &P::cut; }) r.cut = P::cut;
  if constexpr (requires { P::combined_by; }) r.combined_by = int(P::combined_by);
  if constexpr (requires { P::is_collective; }) r.is_collective = P::is_collective;
  if constexpr (requires { P::gives; }) r.gives = P::gives;
  r.at_once = runs_at_once<P>;
  return r;
}

/// Rows by number. Passes read `at`: in constant evaluation a call costs more than what it does.
template <int N> struct rows {
  row at[N];
  constexpr std::size_t size() const { return N; }
  constexpr row const& operator[](std::size_t i) const { return at[i]; }
};
template <class... P> constexpr rows<int(sizeof...(P))> rows_of(type_list<P...>) { return {{row_of<P>()...}}; }
template <int N> struct evaluator_table {
  evaluator at[N];
};
template <class... P> constexpr evaluator_table<int(sizeof...(P))> evaluators_of(type_list<P...>) {
  return {{evaluator_of<P>()...}};
}
template <int N> struct names {
  const char* at[N];
};
template <class... P> constexpr names<int(sizeof...(P))> names_of(type_list<P...>) { return {{P::name...}}; }
template <int N> struct counts {
  int at[N];
};
template <class... P> constexpr counts<int(sizeof...(P))> flops_of(type_list<P...>) { return {{P::flops...}}; }
template <int N> struct domains {
  samples (*at[N])();
};
template <class... P> constexpr domains<int(sizeof...(P))> domains_of(type_list<P...>) { return {{&samples_of<P>...}}; }
template <int Nth, class... P> auto nth(type_list<P...>) {
  if constexpr (Nth < 0) return;
  else
    return [] {
      using all = std::tuple<std::type_identity<P>...>;
      return std::tuple_element_t<Nth, all>{};
    }();
}

template <class... P, class... Own> type_list<P..., Own...> joined(type_list<P...>, type_list<Own...>);

}  // namespace detail

/// The library's and, behind them, the program's own.
using all_primitives = decltype(detail::joined(primitives{}, own_primitives<>{}));

inline constexpr auto table = detail::rows_of(all_primitives{});

/// What computes a row, without the rules: for run time.
inline constexpr auto evaluators = detail::evaluators_of(all_primitives{});
/// Names alone: what prints them need not carry the rules.
inline constexpr auto names = detail::names_of(all_primitives{});
/// Operations of an element: what counts them need not carry the rules either.
inline constexpr auto flops = detail::flops_of(all_primitives{});
/// Calls that tests make of each row: apart, since no program but tests needs them.
inline constexpr auto domains = detail::domains_of(all_primitives{});

/// The rows by number. While compiling, and for passes, those of the table; at run time those of who records.
constexpr row const* rows() {
  return __builtin_is_constant_evaluated() ? table.at : eager::recording.load(std::memory_order_acquire)->rows;
}
constexpr row const& row_of(int op) { return rows()[op]; }

/// The row's type by its number.
template <int Op> using primitive_at = typename decltype(detail::nth<Op>(all_primitives{}))::type;

static_assert(code<input_p> == tracing::input_op);

/// Two files of a program that number primitives differently would read one another's tables (E119).
constexpr std::uint64_t sign_of_list(const char* const* name, int n) {
  std::uint64_t h = 0;
  for (int i = primitives::size; i < n; ++i) h = message::sign_of(name[i], h);
  return h;
}
namespace {
[[maybe_unused]] bool const is_one_list =
    message::same_in_all_files<119>(sign_of_list(names.at, all_primitives::size), "own_primitives");
}

}  // namespace etna::ops

namespace etna::tracing {

void evaluate(graph& g, int node);  // eager/interpreter.hpp: an eager trace computes as it is written

/// Is one of these an example of a vmap that is over, or of another one at its place? What it stands for is no longer
/// known.
constexpr bool is_over(graph const& g, int const* ids, int n) {
  for (int k = 0; k < n; ++k)
    if (int level = g.values[ids[k]].level; level > 0 && ids[k] < g.entered[level]) return true;
  return false;
}

/// Inside a vmap the equation for one example stands for the batched one, which is written one world out.
constexpr void emit_batched(graph& g, int node, int const* ids, int level) {
  node_info const n = g.nodes[node];  // a copy: the rule writes to the graph
  var in[max_operands]{};
  bool is_batched[max_operands]{};
  for (int k = 0; k < n.operands; ++k) {
    value_info const& x = g.values[ids[k]];
    is_batched[k] = x.level == level;
    in[k] = {&g, is_batched[k] ? x.shadow : ids[k]};
  }
  int depth = g.depth;
  g.depth = level - 1;
  var batched[max_results]{};
  ops::row_of(n.op).batch(batched_eqn{{&g, node}, in, is_batched, g.batch[level]}, batched);
  g.depth = depth;
  for (int k = 0; k < n.results; ++k) g.values[n.value + k].shadow = batched[k].id;
}

constexpr bool is_wide(int op) { return ops::row_of(op).wide.there; }
constexpr bool has_effect(int op) { return ops::row_of(op).effect; }
constexpr int blocks_of(int op, std::int64_t const* attr, int& words) {
  auto const r = ops::row_of(op).wide;
  if (!r.there) return 0;
  words = r->words;
  return r->blocks(attr);
}
constexpr void mute(graph& g, int op, int at) {
  int words = 0;
  for (int b = 0, n = blocks_of(op, g.attrs + at, words); b < n; ++b)
    g.attrs[at + g.attrs[at + words + b] + 2] |= block::muted;
}

constexpr int emit_wide(graph& g, int op, int const* ids, int n, int at, int n_at) {
  ops::wide_rules const& r = *ops::row_of(op).wide;
  int level = 0, n_out = r.results(g.attrs + at);
  for (int k = 0; k < n; ++k)
    if (int l = g.values[ids[k]].level; l > level && l > g.floor) level = l;
  if (level > 0 && is_over(g, ids, n)) {
    refuse<message::value_is_over>(&g);
    level = 0;
  }
  int node = g.n_nodes, first = g.append_wide(op, level, ids, n, at, n_at, n_out);
  for (int b = 0, n_blocks = level > 0 ? 0 : r.blocks(g.attrs + at); b < n_blocks; ++b)
    if (ops::block_of(g.attrs + at, r.words, b).has_effects()) g.effects = (g.nodes[node].effect = 1);
  for (int k = 0; k < n_out; ++k) g.values[first + k].type = r.type(g.attrs + at, k);
  if (level > 0) {
    scratch_frame in(g, n, -1), is_batched(g, n, 0), out(g, n_out, -1);
    for (int k = 0; k < n; ++k) {
      value_info const& x = g.values[ids[k]];
      is_batched[k] = x.level == level;
      in[k] = is_batched[k] ? x.shadow : ids[k];
    }
    int depth = g.depth;
    g.depth = level - 1;
    r.batch({&g, node}, in.data(), is_batched.data(), level, out.data());
    g.depth = depth;
    for (int k = 0; k < n_out; ++k) g.values[first + k].shadow = out[k];
  } else if (g.rt && !g.abstract) evaluate(g, node);
  return first;
}

constexpr var emit(int op, var const* operands, int n, std::int64_t const* attr, int n_attr,
                   maybe<tensor_type const> known, graph* home) {
  int ids[max_operands]{}, level = 0;
  graph* g = n > 0 ? operands[0].g : home;
  bool together = !g->forward;
  for (int k = 0; k < n && together; ++k) {
    ids[k] = operands[k].id;
    if (operands[k].g != g) together = false;
    else if (int l = g->values[ids[k]].level; l > level && l > g->floor) level = l;
  }
  if (n > 0 && !together) {
    var in[max_operands]{};
    for (int k = 0; k < n; ++k) in[k] = operands[k];
    g = join(in, n);
    level = 0;
    for (int k = 0; k < n; ++k) {
      ids[k] = in[k].id;
      if (int l = g->values[ids[k]].level; l > level && l > g->floor) level = l;
    }
  }
  if (level > 0 && is_over(*g, ids, n)) {
    refuse<message::value_is_over>(g);
    level = 0;
  }
  ops::row const& r = ops::row_of(op);
  tensor_type found[max_results]{};
  if (!known.there) {
    tensor_type types[max_operands]{};
    for (int k = 0; k < n; ++k) types[k] = g->values[ids[k]].type;
    if (r.shape(types, n, attr, n_attr, found)) throw "a rule wrote an equation whose shapes do not fit";
    known = found[0];
  }
  int node = g->n_nodes, first = g->append(op, level, ids, n, attr, n_attr, known.at, r.results);
  if (r.effect && level == 0) g->effects = (g->nodes[node].effect = 1);
  if (level > 0) emit_batched(*g, node, ids, level);
  else if (g->rt && !g->abstract) evaluate(*g, node);
  return {g, first};
}

}  // namespace etna::tracing
