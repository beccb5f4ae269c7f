// SPDX-License-Identifier: BSD-3-Clause
// What the rows of control flow share: values and lists of them while a block is written, and the equation at the end.
// Read next: control_flow.hpp.
#pragma once
#include <etna/tuning.hpp>

#include "family.hpp"

// Defined in transform/: the derivative of a block is a block, made by the transforms themselves.
namespace etna::transform {
constexpr void jvp(tracing::range const& r, tracing::var const* in, tracing::var const* tangents, int n_in,
                   tracing::var const* out, int n_out, tracing::var* result);
constexpr void transpose(tracing::linear_map const& m, tracing::var const* cotangents, tracing::var* result);
}  // namespace etna::transform

namespace etna::ops {

using tracing::block;
using tracing::captured_ids;
using tracing::region;
using tracing::scratch_frame;

/// Values, as many as a block has inputs or outputs.
struct var_list {
  var* v;
  int n = 0;
  constexpr explicit var_list(int most) : v(new var[std::size_t(most + 1)]{}) {}
  constexpr var_list(var* values, int n) : v(values), n(n) {}  // takes them over
  constexpr ~var_list() { delete[] v; }
  var_list(var_list const&) = delete;
  constexpr var_list& operator=(var_list&& o) noexcept {
    delete[] v;
    n = o.n;
    v = o.give();
    return *this;
  }
  constexpr var& operator[](int k) const { return v[k]; }
  constexpr void push(var x) { v[n++] = x; }
  /// The values, which are the caller's now.
  constexpr var* give() {
    var* values = v;
    v = nullptr;
    return values;
  }
  /// Where the values live by now.
  constexpr void resolve() const {
    for (int k = 0; k < n; ++k) v[k] = tracing::resolve(v[k]);
  }
};

constexpr tensor_type slice_type(tensor_type const& t) { return t.drop(0); }

/// Nothing of what elementwise rows have.
struct nested : movement {
  static constexpr int arity = -1;
  static constexpr int results = -1;
  static constexpr samples make_samples(interval) {
    samples none;
    return none;
  }
  static constexpr int shape(tensor_type const*, int, std::int64_t const*, int, tensor_type*) { return bad_shape; }
  static constexpr void batch(batched_eqn const&, var*) {}
  static constexpr auto jvp = absent{"see `wide`"};
  static constexpr auto transpose = absent{"see `wide`"};
};

/// An equation being made: its blocks, packed where the pool ended, and what they capture.
struct nested_equation {
  graph& g;
  scratch_frame start;
  int blocks = 0;
  captured_ids captured;
  constexpr nested_equation(graph& g, int most_blocks) : g(g), start(g, most_blocks), captured(g) {}
  /// The region from `in` to `out` as the next block. Closes the region.
  constexpr void pack(region const& r, var_list const& in, var_list const& out) {
    pack(r.written(), in, out);
    r.close();
  }
  constexpr void pack(tracing::range const& r, var_list const& in, var_list const& out) {
    scratch_frame a(g, in.n), b(g, out.n);
    for (int k = 0; k < in.n; ++k) a[k] = in[k].id;
    for (int k = 0; k < out.n; ++k) b[k] = out[k].id;
    start[blocks++] = g.n_attrs;
    tracing::pack(r, a.data(), in.n, b.data(), out.n, captured);
  }
  /// How many words the blocks have.
  constexpr int size() const {
    int n = 0;
    for (int b = 0; b < blocks; ++b) n += int(g.attrs[start[b]]);
    return n;
  }
  /// The first result. Attributes: these words, where each block begins, the blocks.
  ///
  /// which   an operand in front of the captured ones, or none
  /// behind  the place in the pool of words that go behind the blocks, their number first; or -1
  constexpr int write(int op, std::initializer_list<std::int64_t> words, var which, var_list const& operands,
                      int behind = -1) const {
    int at = g.n_attrs;
    for (auto w : words) g.word(w);
    for (int b = 0; b < blocks; ++b) g.word(0);
    for (int b = 0; b < blocks; ++b) {
      g.attrs[at + int(words.size()) + b] = g.n_attrs - at;
      int size = int(g.attrs[start[b]]);
      for (int i = 0; i < size; ++i) g.word(g.attrs[start[b] + i]);
    }
    for (int i = 0, more = behind < 0 ? 0 : 1 + int(g.attrs[behind]); i < more; ++i) g.word(g.attrs[behind + i]);
    int front = bool(which), n = front + captured.n + operands.n;
    scratch_frame ids(g, n);
    if (which) ids[0] = which.id;
    for (int k = 0; k < captured.n; ++k) ids[front + k] = captured.ids[k];
    for (int k = 0; k < operands.n; ++k) ids[front + captured.n + k] = operands[k].id;
    return tracing::emit_wide(g, op, ids.data(), n, at, g.n_attrs - at);
  }
};
/// Block number b of an equation with so many words in front.
constexpr block block_of(graph& g, int attr, int words, int b) { return {&g, attr + int(g.attrs[attr + words + b])}; }
constexpr block block_of(std::int64_t const* attr, int words, int b) {
  return tracing::words_at(attr + attr[words + b]);
}

constexpr bool same_words(int op, std::int64_t const* a, int n, std::int64_t const* b, int m);
constexpr row const& row_of(int op);  // table.hpp
/// Has a loop or branch with attributes b what one with attributes a has, and more results behind?
constexpr bool has_more_results(int op, std::int64_t const* a, std::int64_t const* b) {
  auto const wide = row_of(op).wide;
  return wide.there && wide->extends && wide->extends(a, b);
}
/// Do two blocks say the same? Scopes, and whether they are muted, make no difference.
///
/// more    b may have more equations behind those of a, and more outputs behind its outputs; so may loops in it
constexpr bool same_blocks(block a, block b, bool more = false) {
  if (a.inputs() != b.inputs() || a.nodes() > b.nodes() || a.outputs() > b.outputs()) return false;
  if (!more && (a.nodes() != b.nodes() || a.outputs() != b.outputs() || a.has_effects() != b.has_effects()))
    return false;
  int i = block::head, j = i, values = 0, others = 0;                     // read of a and of b
  int* const number = more ? new int[std::size_t(a.values())] : nullptr;  // of a's values: in b
  auto same_types = [&](int n) {
    bool same = true;
    for (int k = 0; k < n; ++k, ++values, ++others) {
      same = same && tracing::read_type(a, i) == tracing::read_type(b, j);
      if (more) number[values] = others;
    }
    return same;
  };
  auto same_value = [&] {
    std::int64_t const x = a[i++];
    return b[j++] == (more && x >= 0 ? number[x] : x);
  };
  auto same_equation = [&] {
    int const op = block::op_of(a[i]), n = int(a[i + 1]), attrs = int(a[i + 2]), results = int(a[i + 3]),
              attrs_of_b = int(b[j + 2]), results_of_b = int(b[j + 3]);
    if (op != block::op_of(b[j]) || n != b[j + 1] || results > results_of_b) return false;
    i += 4, j += 4;
    for (int k = 0; k < n; ++k)
      if (!same_value()) return false;
    bool const same = same_words(op, a.words(i), attrs, b.words(j), attrs_of_b);
    if (!same && !(more && has_more_results(op, a.words(i), b.words(j)))) return false;
    i += attrs, j += attrs_of_b;
    if (!same_types(results)) return false;
    for (int k = results; k < results_of_b; ++k, ++others) tracing::read_type(b, j);
    return true;
  };
  bool same = same_types(a.inputs());
  for (int e = 0; e < a.nodes() && same; ++e) same = same_equation();
  i = a.outputs_at();
  j = b.outputs_at();
  for (int k = 0; k < a.outputs() && same; ++k)
    same = same_value() && tracing::read_type(a, i) == tracing::read_type(b, j);
  delete[] number;
  return same;
}
/// Are these the attributes of equal equations?
constexpr bool same_words(int op, std::int64_t const* a, int n, std::int64_t const* b, int m) {
  int k = 0;
  while (k < n && k < m && a[k] == b[k]) ++k;
  if (k == n && n == m) return true;
  int words = 0, blocks = tracing::blocks_of(op, a, words);
  if (blocks == 0 || k < words || blocks != tracing::blocks_of(op, b, words)) return false;
  for (int q = 0; q < blocks; ++q)
    if (!same_blocks(block_of(a, words, q), block_of(b, words, q))) return false;
  return true;
}

/// The tangent of a value: itself where there is one, otherwise zeros.
constexpr var or_zero(graph& g, int id, tensor_type const& t) { return id >= 0 ? var{&g, id} : full(&g, t, 0); }

/// The value seen one example at a time, whole or not.
constexpr var seen(graph& g, int whole, bool is_batched, int level) {
  return is_batched ? example_of(g, {&g, whole}, level) : var{&g, whole};
}
/// All examples of what a block gives.
constexpr var whole_of(graph& g, var x, int level) {
  auto const& info = g.values[x.id];
  return info.level == level ? var{&g, info.shadow} : broadcast_front(x, g.batch[level]);
}

/// Which outputs of a block depend on what is marked: captured values, inputs?
constexpr void spread_marks(graph& g, block b, int const* captured, int const* inputs, int* outputs) {
  scratch_frame value(g, b.values(), 0);
  for (int k = 0; k < b.inputs(); ++k) value[k] = inputs[k];
  auto of = [&](std::int64_t v) { return (v < 0 ? captured[-1 - v] : value[int(v)]) != 0; };
  int values = b.inputs();
  tracing::each_equation(b, [&](int at) {
    int n = int(b[at + 1]), results = int(b[at + 3]);
    bool any = false;
    for (int k = 0; k < n; ++k) any = any || of(b[at + 4 + k]);
    at += 4 + n + int(b[at + 2]);
    for (int k = 0; k < results; ++k) value[values++] = is_floating(tracing::read_type(b, at).d) && any;
  });
  int at = b.outputs_at();
  for (int k = 0; k < b.outputs(); ++k) {
    outputs[k] = of(b[at++]);
    tracing::read_type(b, at);
  }
}

/// Has a loop under vmap the examples of such a value side by side, behind its own axes? Where these are short: the
/// loop computes with each element of all examples (rewrite/example_lanes.hpp), which then lie in one piece.
constexpr bool lies_behind(tensor_type const& one) {
  extent n = 1;
  for (int i = 0; i < one.rank; ++i) {
    if (one.e[i] < 1 || one.e[i] > tuning::lanes::axis) return false;
    n *= one.e[i];
  }
  return n > 1 && n <= tuning::lanes::elements;
}
/// Axis `from` of x, which all examples have, where a loop has it: behind the axes of one of them, or as axis `front`.
constexpr var to_loop(var x, int from, bool behind, int front = 0) {
  int const to = behind ? type_of(x).rank - 1 : front;
  return from == to ? x : move_axis(x, from, to);
}
constexpr var from_loop(var x, bool behind, int front = 0) {
  int const from = behind ? type_of(x).rank - 1 : front;
  return from == 0 ? x : move_axis(x, from, 0);
}

/// The next block of `to` on all examples of the vmap of this level: b, once more.
///
/// captured    what b captures, whole or not, and which are all examples
/// inputs      which inputs are, or none: all; each of these has the mapped axis in front
/// behind      or behind where it `lies_behind`; so have outputs then
constexpr void pack_batched(nested_equation& to, block b, int const* captured, int const* are_batched, int n_captured,
                            int const* inputs, int level, bool behind = false) {
  graph& g = to.g;
  region r(g);
  int n_in = b.inputs(), n_out = b.outputs(), at = block::head;
  var_list block_in(n_in), outside(n_captured), args(n_in), outs(n_out), block_out(n_out);
  auto is_mapped = [&](int k) { return !inputs || inputs[k]; };
  for (int k = 0; k < n_captured; ++k) outside.push(seen(g, captured[k], are_batched[k] != 0, level));
  for (int k = 0; k < n_in; ++k) {
    tensor_type const t = tracing::read_type(b, at);
    bool const is_behind = behind && lies_behind(t);
    block_in.push(argument(&g, is_mapped(k) ? t.insert(is_behind ? t.rank : 0, g.batch[level]) : t));
    args.push(is_mapped(k) ? seen(g, from_loop(block_in[k], is_behind).id, true, level) : block_in[k]);
  }
  tracing::unpack(g, b, outside.v, args.v, outs.v);
  for (int k = 0; k < n_out; ++k)
    block_out.push(to_loop(whole_of(g, outs[k], level), 0, behind && lies_behind(tracing::output_type(b, k))));
  to.pack(r, block_in, block_out);
}

}  // namespace etna::ops
