// SPDX-License-Identifier: BSD-3-Clause
// A block: a function as words among an equation's attributes (the body of a loop, a branch). It is written in the
// graph like everything else, in a region of it, and then packed; unpacked, it is written once more on other values.
// Read next: ../ops/control_flow.hpp.
#pragma once
#include <etna/message/failure.hpp>

#include "scope.hpp"

namespace etna::tracing {

/// What a transform cannot do (a row of message/failure.hpp): a program says so when its trace is complete; all others
/// stop here.
template <class Failure> constexpr void refuse(graph* g) {
  if (!__builtin_is_constant_evaluated()) Failure::raise();
  if (!g || g->on_heap) Failure::stop(true);
  g->error = Failure::number;
  g->error_scope = g->scope;
}

/// Does an equation of this primitive have any number of operands?
constexpr bool is_wide(int op);
/// Write an equation of any number of operands, whose attributes lie in the pool already. The first result.
constexpr int emit_wide(graph& g, int op, int const* ids, int n, int at, int n_at);
/// Does an equation of this primitive do something besides its results?
constexpr bool has_effect(int op);
/// The number of blocks of an equation with these attributes, and of the words in front of their places.
constexpr int blocks_of(int op, std::int64_t const* attr, int& words);
/// Blocks of an equation whose attributes lie at `at` have their effects no more.
constexpr void mute(graph& g, int op, int at);

/// A part of a graph as one world sees it: equations from `begin` on, values from `base` on.
struct range {
  graph* g;
  int begin, end;  // nodes
  int base, top;   // values
  int world;
  int taken = 1;  // effects that came with the graph in which the range began: 2 + its offset
  constexpr bool sees(node_info const& n) const { return n.level <= world && world <= n.depth; }
  constexpr bool holds(int id) const { return id >= base && id < top; }
};
/// A linear map: equations from the unknown tangents to the tangents of the outputs.
struct linear_map {
  range r;
  var const* in;
  int n_in;
  var const* out;
  int n_out;
};

/// The range that starts with the value `first`, up to what has been written by now.
constexpr range range_from(var first, int world) {
  int taken = first.g->forward ? 2 + first.g->offset : 1;
  first = resolve(first);
  graph& g = *first.g;
  return {&g, g.values[first.id].node, g.n_nodes, first.id, g.n_values, world, taken};
}

/// The place in a graph where a block is being written: nothing is evaluated there, and enclosing vmaps wait.
struct region {
  var first;  // the first value of the region; it finds the graph again where another takes it in
  int floor;
  bool abstract;
  constexpr explicit region(graph& g) : floor(g.floor), abstract(g.abstract) {
    tensor_type none{};
    first = {&g, g.append(0, 0, nullptr, 0, nullptr, 0, &none, 1)};
    g.floor = g.depth;
    g.abstract = true;
    open_barrier(g);
  }
  region(region const&) = delete;
  constexpr graph& g() const { return *resolve(first).g; }
  /// Everything written up to now.
  constexpr range written() const { return range_from(first, g().depth); }
  constexpr int size() const { return g().n_nodes - g().values[resolve(first).id].node; }
  constexpr void close() const {
    graph& home = g();
    home.floor = floor;
    home.abstract = abstract;
    close_barrier(home);
  }
};

/// The words of a block, in the pool of a graph: they may move while the graph grows.
///
/// words   total; inputs, nodes, outputs, values; where outputs begin; types of inputs; equations (primitive and scope,
/// counts,
///         operands, attributes, types of results); scopes; outputs, each a value and its type. A value that is
///         captured is -1 - its number among the captured operands.
struct block {
  graph const* g;  // the words lie in its pool, which may move; or
  int at;
  std::int64_t const* w = nullptr;  // here
  static constexpr int head = 6, op_bits = 16, derived = 1 << 15;
  /// The primitive of an equation: its first word says behind that whether it is a derivative's, and has the scope.
  static constexpr int op_of(std::int64_t word) { return int(word & (derived - 1)); }
  static constexpr bool is_derived(std::int64_t word) { return (word & derived) != 0; }
  static constexpr std::int64_t effects = std::int64_t(1) << 40, muted = effects * 2;  // beside the number of nodes
  constexpr std::int64_t const* words(int i) const { return g ? g->attrs + at + i : w + i; }
  constexpr std::int64_t operator[](int i) const { return *words(i); }
  constexpr int size() const { return int((*this)[0]); }
  constexpr int inputs() const { return int((*this)[1]); }
  constexpr int nodes() const { return int((*this)[2] & (effects - 1)); }
  /// Does running it do something besides its results?
  constexpr bool has_effects() const { return ((*this)[2] & (effects | muted)) == effects; }
  constexpr bool is_muted() const { return ((*this)[2] & muted) != 0; }
  constexpr int outputs() const { return int((*this)[3]); }
  constexpr int values() const { return int((*this)[4]); }
  constexpr int outputs_at() const { return int((*this)[5]); }
};
/// Words that lie in no pool.
constexpr block words_at(std::int64_t const* w) { return {nullptr, 0, w}; }
constexpr tensor_type read_type(block const& w, int& at) {
  tensor_type t{dtype(w[at] & 255), int(w[at] >> 8), {}};
  ++at;
  for (int i = 0; i < t.rank; ++i) t.e[i] = w[at++];
  return t;
}
constexpr void write_type(graph& g, tensor_type t) {  // a copy: it may lie in the graph, which grows
  g.word(std::int64_t(t.d) | std::int64_t(t.rank) << 8);
  for (int i = 0; i < t.rank; ++i) g.word(t.e[i]);
}
/// The type of output k, and the value that it is.
constexpr tensor_type output_type(block const& w, int k, int* value = nullptr) {
  int at = w.outputs_at();
  for (;; --k) {
    if (k == 0 && value) *value = int(w[at]);
    ++at;
    tensor_type t = read_type(w, at);
    if (k == 0) return t;
  }
}

/// Visit the equations of a block by where each begins; where they end.
template <class F> constexpr int each_equation(block const& b, F const& f) {
  int at = block::head;
  for (int k = 0; k < b.inputs(); ++k) read_type(b, at);
  for (int i = 0; i < b.nodes(); ++i) {
    f(at);
    int results = int(b[at + 3]);
    at += 4 + int(b[at + 1]) + int(b[at + 2]);
    for (int k = 0; k < results; ++k) read_type(b, at);
  }
  return at;
}

/// Ids of values from outside that blocks use: operands of the equation that has the blocks.
struct captured_ids {
  static constexpr int most = 4096;
  scratch_frame ids;
  int n = 0;
  constexpr explicit captured_ids(graph& g) : ids(g, most) {}
  constexpr int number(int id) {
    for (int k = 0; k < n; ++k)
      if (ids[k] == id) return k;
    if (n == most) throw "a block captures more than 4096 values";
    ids[n] = id;
    return n++;
  }
};

/// Visit the equations from `begin` on, whose values are from `base` on, that depend on a tangent that stays unknown.
/// marks of values, by id - base: zeros, which become 1 of theirs.
template <class F> constexpr void each_unknown(graph const& g, int begin, int end, int base, int* marks, F const& f) {
  for (int i = begin; i < end; ++i) {
    node_info& e = g.nodes[i];
    bool is = e.op == input_op && e.attrs > 0 && g.attrs[e.attr] == unknown_input;
    for (int k = 0; k < e.operands; ++k)
      if (int q = g.edges[e.edge + k]; q >= base) is = is || marks[q - base];
    if (!is) continue;
    f(e);
    for (int k = 0; k < e.results; ++k) marks[e.value + k - base] = 1;
  }
}
/// The same for all equations of a graph.
template <class F> constexpr void each_unknown(graph const& g, int* marks, F const& f) {
  each_unknown(g, 0, g.n_nodes, 0, marks, f);
}
/// Effects of what depends on such a tangent are none.
constexpr void keep_known_effects(graph& g, int begin, int end, int base) {
  scratch_frame marks(g, g.n_values - base + 1, 0);
  each_unknown(g, begin, end, base, marks.data(), [](node_info& e) { e.effect = 0; });
}
/// Scopes of packed equations become entries of the block: it is one whatever graph it lies in.
constexpr void pack_scopes(graph& g, int start, int at, int nodes) {
  int latest = 0, seen = 0, mine = 0;
  for (int i = 0; i < nodes; ++i) {
    std::int64_t w = g.attrs[at];
    if (int scope = int(w >> block::op_bits)) {
      if (scope != seen) mine = copy_scope(g, latest, 0, block{&g, 0}, seen = scope) - start;
      g.attrs[at] = (w & ((1 << block::op_bits) - 1)) | std::int64_t(mine) << block::op_bits;
    }
    int results = int(g.attrs[at + 3]);
    at += 4 + int(g.attrs[at + 1]) + int(g.attrs[at + 2]);
    for (int k = 0; k < results; ++k) read_type({&g, 0}, at);
  }
}

/// The equations that a block of a region needs.
struct needed_equations {
  int n = 0;
  bool effects = false;  // some have effects
};
/// Mark them, backwards from the outputs and from what has effects. Numbers that came in from outside are not packed.
///
/// inputs  numbers of the region's values that are inputs, else -1: nothing before them is needed
/// packed  marks of equations, which are zeros
constexpr needed_equations mark_needed(range const& r, int const* inputs, int const* out, int n_out, int* packed) {
  graph& g = *r.g;
  needed_equations needed;
  scratch_frame live(g, r.top - r.base, 0);  // marks of values
  for (int k = 0; k < n_out; ++k)
    if (r.holds(out[k])) live[out[k] - r.base] = 1;
  if (g.effects) {
    keep_known_effects(g, r.begin, r.end, r.base);
    for (int i = r.begin; i < r.end; ++i)
      if (int e = g.nodes[i].effect; e == 1 || (e && e == r.taken)) {
        needed.effects = true;
        packed[i - r.begin] = 1;
      }
  }
  for (int i = r.end - 1; i >= r.begin; --i) {
    auto const& e = g.nodes[i];
    bool wanted = packed[i - r.begin] != 0;
    for (int k = 0; k < e.results; ++k)
      wanted = wanted || (live[e.value + k - r.base] && inputs[e.value + k - r.base] < 0);
    if (!wanted || e.op == input_op) continue;
    packed[i - r.begin] = 1;
    ++needed.n;
    for (int k = 0; k < e.operands; ++k)
      if (int q = g.edges[e.edge + k]; r.holds(q)) live[q - r.base] = 1;
  }
  return needed;
}
/// Pack what the outputs need of a region: the words end the pool. Inputs are values of the region; nothing before them
/// is packed. What is read from outside is captured.
constexpr void pack(range const& r, int const* in, int n_in, int const* out, int n_out, captured_ids& captured) {
  graph& g = *r.g;
  scratch_frame local_frame(g, r.top - r.base, -1), packed_frame(g, r.end - r.begin, 0);
  int *local = local_frame.data(), *packed = packed_frame.data();  // values' numbers in the block; marks of equations
  int values = 0;
  for (int k = 0; k < n_in; ++k) local[in[k] - r.base] = values++;
  needed_equations const needed = mark_needed(r, local, out, n_out, packed);
  int start = g.n_attrs;
  for (int k = 0; k < block::head; ++k) g.word(0);
  for (int k = 0; k < n_in; ++k) write_type(g, g.values[in[k]].type);
  int equations = g.n_attrs;
  bool scopes = false;
  auto name = [&](int id) {
    return std::int64_t(r.holds(id) && local[id - r.base] >= 0 ? local[id - r.base] : -1 - captured.number(id));
  };
  for (int i = r.begin; i < r.end; ++i) {
    node_info const e = g.nodes[i];
    if (!packed[i - r.begin]) continue;
    g.word(e.op | (e.derived ? block::derived : 0) | std::int64_t(e.scope) << block::op_bits);
    scopes = scopes || e.scope;
    g.word(e.operands);
    g.word(e.attrs);
    g.word(e.results);
    for (int k = 0; k < e.operands; ++k) g.word(name(g.edges[e.edge + k]));
    for (int k = 0; k < e.attrs; ++k) g.word(g.attrs[e.attr + k]);
    for (int k = 0; k < e.results; ++k) {
      write_type(g, g.values[e.value + k].type);
      if (local[e.value + k - r.base] < 0) local[e.value + k - r.base] = values;
      ++values;
    }
  }
  if (scopes) pack_scopes(g, start, equations, needed.n);
  int outputs = g.n_attrs - start;
  for (int k = 0; k < n_out; ++k) {
    g.word(name(out[k]));
    write_type(g, g.values[out[k]].type);
  }
  std::int64_t const head[] = {
      g.n_attrs - start, n_in, needed.n | (needed.effects ? block::effects : 0), n_out, values, outputs};
  for (int k = 0; k < block::head; ++k) g.attrs[start + k] = head[k];
  for (int i = r.begin; i < r.end && needed.effects; ++i)  // they are the block's
    if (int& e = g.nodes[i].effect; e == 1 || e == r.taken) e = 0;
}

inline constexpr auto emit_as_it_is = [](graph& g, int op, int const* in, int n, int at, int n_at, int n_out,
                                         int* out) {
  int first = emit_wide(g, op, in, n, at, n_at);
  for (int k = 0; k < n_out; ++k) out[k] = first + k;
};
/// Write a block once more, in g, on these values.
///
/// value_of  where given: the id of each of the block's values
/// pure      without its effects: the equation that has the block still has them
/// emit      writes its loops and branches
template <class Emit = decltype(emit_as_it_is)>
constexpr void unpack(graph& g, block b, var const* captured, var const* in, var* out, int* value_of = nullptr,
                      bool pure = false, Emit const& emit_wide = emit_as_it_is) {
  pure = pure || b.is_muted();
  int outer = g.scope, seen = 0;
  bool const was_derived = g.derived;
  int n_in = b.inputs(), n_nodes = b.nodes(), n_out = b.outputs();
  scratch_frame frame(g, value_of ? 0 : b.values(), -1);
  int* ids = value_of ? value_of : frame.data();
  int at = block::head;
  for (int k = 0; k < n_in; ++k) {
    read_type(b, at);
    ids[k] = in[k].id;
  }
  auto id_of = [&](std::int64_t v) { return v < 0 ? captured[-1 - v].id : ids[v]; };
  for (int i = 0, values = n_in; i < n_nodes; ++i) {
    std::int64_t head = b[at];
    int op = block::op_of(head), n = int(b[at + 1]), n_attr = int(b[at + 2]), results = int(b[at + 3]);
    if (int scope = int(head >> block::op_bits); scope != seen)
      g.scope = copy_scope(g, g.scopes, outer, b, seen = scope);
    g.derived = block::is_derived(head);
    at += 4;
    if (pure && has_effect(op)) {
      at += n + n_attr;
      for (int k = 0; k < results; ++k, ++values) read_type(b, at);
      continue;
    }
    scratch_frame operands(g, n, -1);
    for (int k = 0; k < n; ++k) operands[k] = id_of(b[at++]);
    int attr = at;
    at += n_attr;
    if (is_wide(op)) {
      int from = g.n_attrs;
      for (int k = 0; k < n_attr; ++k) g.word(b[attr + k]);
      if (pure) mute(g, op, from);
      emit_wide(g, op, operands.data(), n, from, n_attr, results, ids + values);
      for (int k = 0; k < results; ++k) read_type(b, at);
    } else {
      tensor_type types[max_results]{};
      for (int k = 0; k < results; ++k) types[k] = read_type(b, at);
      var v[max_operands]{};
      for (int k = 0; k < n; ++k) v[k] = {&g, operands[k]};
      int first = emit(op, v, n, b.words(attr), n_attr, *types, &g).id;
      for (int k = 0; k < results; ++k) ids[values + k] = first + k;
    }
    values += results;
  }
  g.scope = outer;
  g.derived = was_derived;
  at = b.outputs_at();
  for (int k = 0; k < n_out; ++k) {
    out[k] = {&g, id_of(b[at++])};
    read_type(b, at);
  }
}

}  // namespace etna::tracing
