// SPDX-License-Identifier: BSD-3-Clause
// Under a transform outside jit an equation is recorded, and evaluated as it is written; equations that use an unknown
// tangent have no numbers. Read next: interpreter.hpp.
#pragma once
#include <vector>

#include <etna/ops/known.hpp>
#include <etna/transform/capture.hpp>

#include "compute.hpp"
#include "replay.hpp"

namespace etna::eager {
/// What others ask of recordings.
recorder const* interpreter();
}  // namespace etna::eager

#if defined(ETNA_EAGER)

namespace etna::tracing {

/// Numbers of a recording, by value.
struct numbers {
  std::vector<eager::value> of;
  bool inside = false;  // it is how one equation of another is evaluated: scopes begin in that one's
};

inline void delete_numbers(numbers* n) {
  for (auto& x : n->of) etna::release(x.owner);
  delete n;
}
ETNA_EAGER void move_numbers(graph& from, graph& to) {
  if (!to.rt) to.rt = new numbers;
  to.rt->of.resize(std::size_t(to.n_values));
  if (!from.rt) return;
  for (std::size_t i = 0; i < from.rt->of.size(); ++i) {
    to.rt->of[i + std::size_t(from.offset)] = from.rt->of[i];
    from.rt->of[i] = {};
  }
}

ETNA_EAGER void evaluate(graph& g, int node) {
  node_info const& n = g.nodes[node];
  g.rt->of.resize(std::size_t(g.n_values));
  if (n.op == ops::code<ops::input_p>) return;
  eager::some<eager::value> in(n.operands), out(n.results);
  for (int k = 0; k < n.operands; ++k) {
    int id = g.operand(n, k), from = g.values[id].node;
    // written while a block was, which has captured it (the number of an example)
    if (!g.rt->of[std::size_t(id)].data && g.nodes[from].operands == 0) evaluate(g, from);
    in[k] = g.rt->of[std::size_t(id)];
    if (!in[k].data) return;  // depends on an unknown tangent
  }
  eager::some<tensor_type> types(n.results);
  for (int k = 0; k < n.results; ++k) types[k] = g.values[n.value + k].type;
  eager::at_place here({&g, 0}, n.scope, !g.rt->inside);
  eager::compute(n.op, in.at, n.operands, g.attrs + n.attr, n.attrs, out.at, types.at, n.results);
  for (int k = 0; k < n.results; ++k) g.rt->of[std::size_t(n.value + k)] = out[k];
}

}  // namespace etna::tracing

namespace etna::eager {

inline value numbers_of(tracing::var v) {
  v = tracing::resolve(v);
  while (v.g->values[v.id].level > 0) v.id = v.g->values[v.id].shadow;
  if (!v.g->rt || std::size_t(v.id) >= v.g->rt->of.size() || !v.g->rt->of[std::size_t(v.id)].data)
    message::raise<114>("a value of it has no numbers");
  return v.g->rt->of[std::size_t(v.id)];
}

/// A number of it for the program: error 35 where a transform follows the value.
inline value read_number(tracing::var v) {
  v = tracing::resolve(v);
  tracing::graph& g = *v.g;
  auto refuse = [&](char const* which) { message::raise<35>(text_of(g.type(v.id)) + ", " + which); };
  if (int level = g.values[v.id].level; level > g.depth) message::raise<114>("an example of a vmap that is over");
  else if (level > 0) refuse("an example of vmap");
  bool has_numbers = g.rt && std::size_t(v.id) < g.rt->of.size() && g.rt->of[std::size_t(v.id)].data;
  if (g.abstract && !has_numbers) refuse("of the body of a loop, of a branch, or of a rule");
  if (tracing::is_followed(g, v.id)) refuse("which is differentiated");
  return numbers_of(v);
}

}  // namespace etna::eager

namespace etna::transform {

ETNA_EAGER graph* new_recording() {
  eager::recording.store(eager::interpreter(), std::memory_order_release);
  graph* g = graph::make({256, 768, 1536, 64});
  g->rt = new tracing::numbers;
  g->scope = eager::scope_of_names(*g, eager::open_names);
  return g;
}
/// A recording for the time of one evaluation, which a check for NaN or a size may end early.
struct own_recording {
  graph* g = new_recording();
  own_recording() = default;
  own_recording(own_recording const&) = delete;
  ~own_recording() { tracing::release(g); }
};
/// Numbers as a constant of a trace.
inline var constant(eager::value const& x, graph* into) {
  std::vector<std::int64_t> bits;
  for (extent i = 0; i < x.type.size(); ++i)
    bits.push_back(is_floating(x.type.d) ? to_bits(x.type.d, eager::load_one<double>(x.type.d, x.data, i))
                                         : eager::load_one<std::int64_t>(x.type.d, x.data, i));
  int op = x.type.rank == 0 ? ops::code<ops::full_p> : ops::code<ops::literal_p>;
  return tracing::emit(op, nullptr, 0, bits.data(), int(bits.size()), x.type, into);
}
ETNA_EAGER var record(eager::value const& x, graph* into) {
  graph& g = *into;
  if (!g.rt) return constant(x, into);  // a trace that is written at run time, as tests do
  int id = g.append(ops::code<ops::input_p>, 0, nullptr, 0, nullptr, 0, &x.type, 1);
  g.rt->of.resize(std::size_t(g.n_values));
  eager::value mine = x;
  mine.v = {};
  if (x.owner) etna::retain(x.owner);
  else {  // numbers that live in an object: a copy outlives it
    std::size_t bytes = std::size_t(x.type.size() * bytes_of(x.type.d));
    mine.owner = memory::allocate(bytes);
    std::memcpy(mine.owner->data, x.data, bytes);
    mine.data = mine.owner->data;
  }
  g.rt->of[std::size_t(id)] = mine;
  return {&g, id};
}

}  // namespace etna::transform

namespace etna::eager {

/// A trace run equation by equation, in a recording of its own.
inline void run(tracing::script const& traced, value const* in, int n_in, value* out) {
  transform::own_recording own;
  std::vector<value> recorded(std::size_t(n_in) + 1);
  std::vector<tracing::var> result(std::size_t(traced.n_outputs) + 1);
  for (int k = 0; k < n_in; ++k) recorded[std::size_t(k)].v = transform::record(in[k], own.g);
  replay(traced, recorded.data(), n_in, result.data(), own.g);
  for (int k = 0; k < traced.n_outputs; ++k) {
    out[k] = numbers_of(result[std::size_t(k)]);
    etna::retain(out[k].owner);
  }
}

/// An equation with an operand that is being recorded.
inline void record_equation(int op, value const* in, int n, std::int64_t const* attr, int n_attr, value* out,
                            tensor_type const* known) {
  tracing::graph* g = nullptr;
  for (int k = 0; k < n; ++k)
    if (in[k].v.g) g = tracing::resolve(in[k].v).g;
  tracing::var v[tracing::max_operands];
  for (int k = 0; k < n; ++k) v[k] = in[k].v.g ? in[k].v : transform::record(in[k], g);
  tracing::maybe<tensor_type const> type;
  if (known) type = *known;
  tracing::var r = tracing::emit(op, v, n, attr, n_attr, type);
  for (int k = 0; k < ops::evaluators.at[op].results; ++k) {
    out[k] = {};
    out[k].v = {r.g, r.id + k};
    tracing::retain(r.g);
  }
}

}  // namespace etna::eager

namespace etna::ops {

/// A linear_call in a recording of its own, where the map is written out and evaluated.
inline void call_recorded(call const& c) {
  linear_call_p::counts n = linear_call_p::read(c.attr);
  int operands = n.captured + n.residuals + n.tangents;
  transform::own_recording own;
  own.g->scope = 0;
  own.g->rt->inside = true;
  var_list in(operands), out(n.results);
  for (int k = 0; k < operands; ++k) in.push(transform::record({{}, c.in[k], c.in_type[k], nullptr}, own.g));
  linear_call_p::expand(*own.g, c.attr, in.v, out.v);
  for (int k = 0; k < n.results; ++k) eager::copy_out(eager::numbers_of(out[k]), c.out[k]);
}

}  // namespace etna::ops
#endif
