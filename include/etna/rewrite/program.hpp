// SPDX-License-Identifier: BSD-3-Clause
// A program: a function traced, its passes in order, and its plan as a constant. This is the table of
// contents of the compiler inside the compiler. Read next: ../lower/kernel.hpp.
#pragma once
#include <etna/transform/grad.hpp>

#include "legalize.hpp"
#include "picture.hpp"
#include "planner.hpp"
#include "thin.hpp"

namespace etna::rewrite {

using etna::detail::access;
using tracing::bounded_graph;
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
template <class F, class... P> constexpr int trace_into(graph& g, int* outputs) {
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

enum class stage { traced, simplified, legal };

constexpr int compile_graph(graph const& traced, int const* traced_outputs, int n_out, bool in_block,
                            std::int64_t* hash, plan& p);

/// A block of an equation, as a frame: its arguments are the captured operands, then its own.
constexpr int compile_block(graph const& g, node_info const& n, tracing::block b, int captured_at, int captured,
                            std::int64_t* hash, plan& p) {
  bounded_graph body;
  tracing::zeros<var> in, outputs;
  tracing::zeros<int> ids;
  int number = 0, at = tracing::block::head;
  for (int k = 0; k < captured; ++k, ++number)
    in.at[k] = ops::argument(&body.g, g.values[g.edges[n.edge + captured_at + k]].type, number);
  for (int k = 0; k < b.inputs(); ++k, ++number)
    in.at[number] = ops::argument(&body.g, tracing::read_type(b, at), number);
  body.g.scope = tracing::copy_scope(body.g, body.g.scopes, 0, tracing::block{&g, 0}, n.scope);
  tracing::unpack(body.g, b, in.at, in.at + captured, outputs.at);
  for (int k = 0; k < b.outputs(); ++k) ids.at[k] = outputs.at[k].id;
  return compile_graph(body.g, ids.at, b.outputs(), true, hash, p);
}
/// From a legal graph to a frame: first the frames of its blocks.
constexpr int plan_graph(graph const& g, view const* views, int const* outputs, int n_out, std::int64_t* hash,
                         plan& p) {
  cut c;
  fuse(g, views, outputs, n_out, c);
  sink(g, views, outputs, n_out, c);
  accumulate(g, views, outputs, n_out, c);
  tracing::zeros<int> numbers;
  for (int i = 0; g.has_wide && i < g.n_nodes; ++i) {
    if (!ops::is_nested(c.form[i]) || c.cls[i] != node_class::opaque) continue;
    node_info const& n = g.nodes[i];
    std::int64_t const* attr = g.attrs + n.attr;
    ops::wide_rules const& rules = *ops::table.at[n.op].wide;
    int words = rules.words, blocks = rules.blocks(attr), at = p.n_numbers;
    p.n_numbers += words + blocks;
    numbers.at[i] = at + 1;
    for (int k = 0; k < words; ++k) p.numbers[at + k] = attr[k];
    for (int b = 0; b < blocks; ++b)
      p.numbers[at + words + b] =
          compile_block(g, n, ops::block_of(attr, words, b), rules.captured_at, int(attr[rules.captured]), hash, p);
  }
  return make_frame(g, views, c, outputs, n_out, hash, numbers.at, p);
}
/// The rule of the pass that writes out calls.
constexpr int expand(writer& w, graph const& from, node_info const& n, int* in) {
  ops::wide_rules const* wide = ops::table.at[n.op].wide;
  if (!wide || !wide->expand) return keep(w, from, n, in);
  ops::var_list operands(n.operands), results(n.results);
  for (int k = 0; k < n.operands; ++k) operands.push({&w.to, in[k]});
  wide->expand(w.to, from.attrs + n.attr, operands.v, results.v);
  int first = 0;  // results follow one another
  for (int k = 0; k < n.results; ++k) {
    int copy = w.write_new(code<ops::copy_p>, results[k].id, w.to.values[results[k].id].type);
    if (k == 0) first = copy;
  }
  return first;
}
constexpr bool has_calls(graph const& g) {
  for (int i = 0; g.has_wide && i < g.n_nodes; ++i)
    if (auto* wide = ops::table.at[g.nodes[i].op].wide; wide && wide->expand && g.nodes[i].level == 0) return true;
  return false;
}
constexpr int compile_graph(graph const& traced, int const* traced_outputs, int n_out, bool in_block,
                            std::int64_t* hash, plan& p) {
  if (has_calls(traced)) {
    bounded_graph flat;
    tracing::zeros<int> outputs;
    rewrite(traced, flat.g, traced_outputs, n_out, outputs.at, expand, no_more);
    return compile_graph(flat.g, outputs.at, n_out, in_block, hash, p);
  }
  auto planned = [&](graph const& g, int* outputs) {
    tracing::zeros<view> views;
    if (is_legal(g, outputs, n_out, views.at, in_block)) return plan_graph(g, views.at, outputs, n_out, hash, p);
    bounded_graph legal;
    tracing::zeros<view> views_of_legal;
    legalize(g, legal.g, outputs, n_out, views_of_legal.at, in_block);
    return plan_graph(legal.g, views_of_legal.at, outputs, n_out, hash, p);
  };
  return simplified(traced, traced_outputs, n_out, in_block,
                    [&](graph const& g, int* outputs) { return thinned(g, outputs, n_out, planned); });
}
/// List named axes over which the trace takes what an empty one does not have, whether that is read or not.
constexpr void list_needed(graph const& g, plan& p) {
  p.needed = p.n_numbers;
  for (int i = 0; i < g.n_nodes; ++i) {
    node_info const& n = g.nodes[i];
    if (n.level > 0 || !ops::table.at[n.op].needs_elements) continue;
    for (int k = 0; k < n.attrs; ++k) {
      extent e = g.values[g.edges[n.edge]].type.e[g.attrs[n.attr + k]];
      bool there = e >= 0;
      for (int j = p.needed; j < p.n_numbers; j += 2) there = there || (p.numbers[j] == n.op && p.numbers[j + 1] == e);
      if (there) continue;
      p.numbers[p.n_numbers++] = n.op;
      p.numbers[p.n_numbers++] = e;
    }
  }
  p.n_needed = (p.n_numbers - p.needed) / 2;
}
/// From a trace to a plan, which is empty where a transform could not do its part.
constexpr void compile(picture const& traced, plan& p) {
  if (traced.error) return;
  tracing::zeros<std::int64_t> hash;
  p.n_traced = traced.n_nodes;
  p.is_static = p.is_sized = true;
  compile_graph(traced.graph(), traced.outputs, traced.n_outputs, false, hash.at, p);
  if (!p.is_static) list_needed(traced.graph(), p);
  donate(p);
  p.arena = p.frames[p.n_frames - 1].arena;
}

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

/// The trace of F.
template <class F, class... P> struct traced : picture {
  constexpr traced() : picture{} {
    tracing::zeros<int, 4 * tracing::most_nodes> scratch;
    tracing::graph g;
    tracing::write_into(g, *this, scratch.at);
    int n = trace_into<F, P...>(g, outputs);
    if (!g.error && needs_what_is_over(g, outputs, n)) g.error = 79;
    if (g.effects) tracing::keep_known_effects(g, 0, g.n_nodes, 0);
    count(g, n);
    tracing::free_taken(g);
  }
};

/// A trace as a constant, that of a program with its plan, and whether there is one. g++ remembers calls, and asks
/// before it uses what they give. Others would trace twice: the two of a program are one variable (what is read in the
/// evaluation that wrote it is also read faster), and where it fails, its name and line say what is wrong; the compiler
/// adds the reason.
#if defined(ETNA_CALLS_ARE_REMEMBERED)
template <class F, class... P> struct trace_of {
  static constexpr traced<F, P...> get() { return {}; }
};
template <class F, class... P> struct plan_of {
  using trace = trace_of<F, P...>;
  struct planned : plan {
    constexpr planned() : plan{} { compile(trace::get(), *this); }
  };
  static constexpr planned get() { return {}; }
};
#else
template <class F, class... P> struct trace_of {
  // clang-format off
  static constexpr traced<F, P...> E008_not_traceable{};  // E008: jit: the function cannot run while the program compiles: it reads a run-time variable or calls something that is not constexpr; pass values as arguments, declare helpers constexpr, print with debug::print
  // clang-format on
  static constexpr picture const& get() { return E008_not_traceable; }
};
template <class F, class... P> struct trace_and_plan {
  traced<F, P...> trace;
  plan p{};
  constexpr trace_and_plan() { compile(trace, p); }
};
template <class F, class... P> struct plan_of {
  // clang-format off
  static constexpr trace_and_plan<F, P...> E008_not_traceable{};  // E008: jit: the function cannot run while the program compiles: it reads a run-time variable or calls something that is not constexpr; pass values as arguments, declare helpers constexpr, print with debug::print
  // clang-format on
  struct trace {
    static constexpr picture const& get() { return E008_not_traceable.trace; }
  };
  static constexpr plan const& get() { return E008_not_traceable.p; }
};
#endif

/// A function of arrays as constants: its trace and its plan.
template <class F, class... P> struct program {
  using made = plan_of<F, P...>;
  static constexpr int M = result_count<F, P...>;
  static constexpr plan_size size = size_of(made::get());
  static constexpr auto value = tighten<program>(made::get());
};

/// The trace once more, which ends where a number is read that is not known: for E035.
template <class F, class... P> struct strict_trace {
  static constexpr bool reads_no_number() {
    bounded_graph traced;
    tracing::zeros<int> outputs;
    traced.g.reads = graph::most_reads;
    trace_into<F, P...>(traced.g, outputs.at);
    return true;
  }
};
template <class Trace> concept traceable = requires { typename std::integral_constant<int, Trace::get().n_nodes>; };
/// Was the function traced, and could every transform do its part?
template <class Trace> concept complete = traceable<Trace> && Trace::get().error == 0;
/// What went wrong, by its number, as the class that says it: `message::fail<refusal<Trace, F, P...>>()`.
template <int Error, class F, class... P> struct refusal_;
#if defined(ETNA_CALLS_ARE_REMEMBERED)
template <class F, class... P> struct refusal_<8, F, P...> {
  using type = message::E008_not_traceable<F, P...>;
};
#else
template <class F, class... P> struct refusal_<8, F, P...> {
  struct type {};
};  // the trace is a variable, whose name has said it
#endif
template <class F, class... P> struct refusal_<35, F, P...> {
  using type = message::E035_number_of_an_unknown_value<strict_trace<F, P...>>;
};
template <class F, class... P> struct refusal_<75, F, P...> {
  using type = message::E075_reverse_mode_of_while<F, P...>;
};
template <class F, class... P> struct refusal_<76, F, P...> {
  using type = message::E076_rule_captures<F, P...>;
};
template <class F, class... P> struct refusal_<78, F, P...> {
  using type = message::E078_no_such_axis<F, P...>;
};
template <class F, class... P> struct refusal_<79, F, P...> {
  using type = message::E079_value_of_a_function_that_is_over<F, P...>;
};
template <class F, class... P> struct refusal_<92, F, P...> {
  using type = message::E092_number_does_not_fit<F, P...>;
};
template <class Trace> constexpr int error_of() {
  if constexpr (traceable<Trace>) return Trace::get().error;
  else return 8;
}
template <class Trace, class F, class... P> using refusal = typename refusal_<error_of<Trace>(), F, P...>::type;

}  // namespace etna::rewrite
