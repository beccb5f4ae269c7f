// SPDX-License-Identifier: BSD-3-Clause
// Outside jit: an equation is evaluated when it is written, on the rows' reference. Under a transform
// it is also recorded, and keeps its numbers; equations that use an unknown tangent have none.
// Read next: ../exec/run.hpp.
#pragma once
#include <cstdio>
#include <vector>

#include <etna/ops/recipe.hpp>
#include <etna/transform/capture.hpp>

#include "printing.hpp"
#include "reordering.hpp"
#include "run_block.hpp"
#include "replay.hpp"

namespace etna::eager {

/// What eager evaluation does besides: print every node, stop at the first NaN.
struct options_t {
  bool print = false;
  bool check_nan = false;
};
inline options_t& options() {
  static options_t o;
  return o;
}

inline std::string text_of(tensor_type const& t) {
  std::string s = std::string(row_of(t.d).name) + '[';
  for (int i = 0; i < t.rank; ++i) s += (i ? "," : "") + std::to_string(t.e[i]);
  return s + ']';
}
inline void show_value(const char* name, tensor_type const& t, void const* data) {
  std::fprintf(stderr, "%-12s %s =", name, text_of(t).c_str());
  for (extent i = 0; i < t.size() && i < 6; ++i) std::fprintf(stderr, " %.6g", load_one<double>(t.d, data, i));
  std::fprintf(stderr, t.size() > 6 ? " ...\n" : "\n");
}
/// Error 113, with the operation, its result, the element and the scope.
inline void stop_at_nan(const char* name, tensor_type const& t, void const* data) {
  if (!is_floating(t.d)) return;
  for (extent i = 0, n = t.size(); i < n; ++i) {
    double x = load_one<double>(t.d, data, i);
    if (x == x) continue;
    std::string scope = scope_text();
    message::raise<113>(text_of(t) + " of " + name + " at element " + std::to_string(i) + (scope.empty() ? "" : ", in scope " + scope));
  }
}

/// Results that go back to the pool where their evaluation ends in an error.
struct results_so_far {
  value* out;
  int n = 0;
  ~results_so_far() {
    while (n > 0) etna::release(out[--n].owner);
  }
};

/// As many as an equation has operands or results: a few lie in the object itself.
template <class T> struct some {
  T few[trace::max_operands]{};
  T* at;
  explicit some(int n) : at(n <= trace::max_operands ? few : new T[std::size_t(n)]{}) {}
  some(some const&) = delete;
  ~some() {
    if (at != few) delete[] at;
  }
  T& operator[](int k) const { return at[k]; }
};

/// Evaluate one equation of concrete types into new memory; out[k].owner has one reference.
inline void compute(int op, value const* in, int n, std::int64_t const* attr, int n_attr, value* out,
                    tensor_type const* types, int n_out) {
  ops::row const& r = ops::row_of(op);
  some<void const*> from(n);
  some<void*> to(n_out);
  some<tensor_type> in_type(n);
  for (int k = 0; k < n; ++k) {
    from[k] = in[k].data;
    in_type[k] = in[k].type;
  }
  results_so_far made{out};
  for (int k = 0; k < n_out; ++k) {
    out[k] = {};
    out[k].type = types[k];
    out[k].owner = memory::allocate(std::size_t(types[k].size() * bytes_of(types[k].d)));
    out[k].data = to[k] = out[k].owner->data;
    ++made.n;
  }
  ops::call c{from.at, in_type.at, to.at, types, attr, n_attr};
  switch (r.form) {
    case ops::form::pointwise:
    case ops::form::convert: elementwise(c, r); break;
    case ops::form::reduction: reduction(c, r); break;
    case ops::form::arg_reduction: arg_reduction(c, r); break;
    default:
      if (!r.effect || !muted) r.reference(c);
  }
  if (options().print && n_out > 0) show_value(r.name, types[0], out[0].data);
  if (options().check_nan || instead_of_plans)
    for (int k = 0; k < n_out; ++k) stop_at_nan(r.name, types[k], out[k].data);
  made.n = 0;
}

}  // namespace etna::eager

namespace etna::trace {

/// Numbers of a recording, by value.
struct numbers {
  std::vector<eager::value> of;
  bool inside = false;  // it is how one equation of another is evaluated: scopes begin in that one's
};

inline void delete_numbers(numbers* n) {
  for (auto& x : n->of) etna::release(x.owner);
  delete n;
}
inline void move_numbers(graph& from, graph& to) {
  if (!to.rt) to.rt = new numbers;
  to.rt->of.resize(std::size_t(to.n_values));
  if (!from.rt) return;
  for (std::size_t i = 0; i < from.rt->of.size(); ++i) {
    to.rt->of[i + std::size_t(from.offset)] = from.rt->of[i];
    from.rt->of[i] = {};
  }
}

inline void evaluate(graph& g, int node) {
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

}  // namespace etna::trace

namespace etna::eager {

void run(trace::script const& traced, value const* in, int n_in, value* out);

inline value numbers_of(trace::var v) {
  v = trace::resolve(v);
  while (v.g->values[v.id].level > 0) v.id = v.g->values[v.id].shadow;
  if (!v.g->rt || std::size_t(v.id) >= v.g->rt->of.size() || !v.g->rt->of[std::size_t(v.id)].data)
    message::raise<114>("a value of it has no numbers");
  return v.g->rt->of[std::size_t(v.id)];
}

/// What others ask of recordings.
inline recorder const* interpreter() {
  static constexpr recorder mine{&numbers_of, &trace::delete_numbers, &replay, &run};
  return &mine;
}

}  // namespace etna::eager

namespace etna::transform {

inline graph* new_recording() {
  eager::recording.store(eager::interpreter(), std::memory_order_release);
  graph* g = graph::make({256, 768, 1536, 64});
  g->rt = new trace::numbers;
  g->scope = eager::scope_of_names(*g, eager::open_names);
  return g;
}
/// A recording for the time of one evaluation, which a check for NaN or a size may end early.
struct own_recording {
  graph* g = new_recording();
  own_recording() = default;
  own_recording(own_recording const&) = delete;
  ~own_recording() { trace::release(g); }
};
/// Numbers as a constant of a trace.
inline var constant(eager::value const& x, graph* into) {
  std::vector<std::int64_t> bits;
  for (extent i = 0; i < x.type.size(); ++i)
    bits.push_back(is_floating(x.type.d) ? to_bits(x.type.d, eager::load_one<double>(x.type.d, x.data, i)) : eager::load_one<std::int64_t>(x.type.d, x.data, i));
  int op = x.type.rank == 0 ? ops::code<ops::full_p> : ops::code<ops::literal_p>;
  return trace::emit(op, nullptr, 0, bits.data(), int(bits.size()), &x.type, into);
}
inline var record(eager::value const& x, graph* into) {
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
inline void run(trace::script const& traced, value const* in, int n_in, value* out) {
  transform::own_recording own;
  std::vector<value> recorded(std::size_t(n_in) + 1);
  std::vector<trace::var> result(std::size_t(traced.n_outputs) + 1);
  for (int k = 0; k < n_in; ++k) recorded[std::size_t(k)].v = transform::record(in[k], own.g);
  replay(traced, recorded.data(), n_in, result.data(), own.g);
  for (int k = 0; k < traced.n_outputs; ++k) {
    out[k] = numbers_of(result[std::size_t(k)]);
    etna::retain(out[k].owner);
  }
}

}  // namespace etna::eager

namespace etna::ops {

/// In a recording of its own, where the map is written out and evaluated.
inline void linear_call_p::reference(call const& c) {
  counts n = read(c.attr);
  int operands = n.captured + n.residuals + n.tangents;
  transform::own_recording own;
  own.g->scope = 0;
  own.g->rt->inside = true;
  var_list in(operands), out(n.results);
  for (int k = 0; k < operands; ++k) in.push(transform::record({{}, c.in[k], c.in_type[k], nullptr}, own.g));
  expand(*own.g, c.attr, in.v, out.v);
  for (int k = 0; k < n.results; ++k) eager::copy_out(eager::numbers_of(out[k]), c.out[k]);
}

}  // namespace etna::ops

namespace etna::eager {

inline void apply(int op, value const* in, int n, std::int64_t const* attr, int n_attr, value* out,
                  tensor_type const* known) {
  trace::graph* g = nullptr;
  for (int k = 0; k < n; ++k)
    if (in[k].v.g) g = trace::resolve(in[k].v).g;
  if (g) {
    trace::var v[trace::max_operands];
    for (int k = 0; k < n; ++k) v[k] = in[k].v.g ? in[k].v : transform::record(in[k], g);
    trace::var r = trace::emit(op, v, n, attr, n_attr, known);
    for (int k = 0; k < ops::row_of(op).results; ++k) {
      out[k] = {};
      out[k].v = {r.g, r.id + k};
      trace::retain(r.g);
    }
    return;
  }
  tensor_type in_type[trace::max_operands]{}, types[trace::max_results]{};
  for (int k = 0; k < n; ++k) in_type[k] = in[k].type;
  if (known) types[0] = *known;
  else if (int wrong = ops::row_of(op).shape(in_type, n, attr, n_attr, types))
    message::raise<111>(std::string(ops::row_of(op).name) + " (E" + std::to_string(wrong) + ")");
  compute(op, in, n, attr, n_attr, out, types, ops::row_of(op).results);
}

}  // namespace etna::eager
