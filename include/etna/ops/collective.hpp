// SPDX-License-Identifier: BSD-3-Clause
// Rows over the mapped axis of an enclosing vmap that has a name: all examples together, seen from one of them. The vmap
// of that axis turns them into reductions and picks; a value that does not depend on the example is the same for all.
#pragma once
#include "nested.hpp"

namespace etna::ops {

/// attributes  the level of the vmap, the size of its axis, the type of the result, further ones of a row
struct collective : nested {
  static constexpr ops::form form = ops::form::call;
  static constexpr int head = 2;
  static constexpr int no_blocks(std::int64_t const*) { return 0; }
  static constexpr int results_of(std::int64_t const*) { return 1; }
  static constexpr tensor_type type_of_result(std::int64_t const* a, int) {
    int at = 0;
    return trace::read_type({nullptr, 0, a + head}, at);
  }
  /// The words behind the result's type.
  static constexpr std::int64_t const* more(std::int64_t const* a, int& n, int n_attr) {
    int at = 0;
    trace::read_type({nullptr, 0, a + head}, at);
    n = n_attr - head - at;
    return a + head + at;
  }
  /// Further words as a list, or a place in the pool, which may move.
  static constexpr var write(int op, var x, int level, extent size, tensor_type const& result, block const& more, int n_more) {
    graph& g = *x.g;
    int at = g.n_attrs;
    g.word(level);
    g.word(size);
    trace::write_type(g, result);
    for (int k = 0; k < n_more; ++k) g.word(more[k]);
    return {&g, trace::emit_wide(g, op, &x.id, 1, at, g.n_attrs - at)};
  }
  static constexpr var write(int op, var x, int level, extent size, tensor_type const& result, std::int64_t const* more = nullptr, int n_more = 0) {
    return write(op, x, level, size, result, block{nullptr, 0, more}, n_more);
  }
  /// The same row on another value (of the operand's shape).
  static constexpr var again(eqn e, var x, tensor_type const& result) {
    int n_more = 0;
    auto from = int(more(e.attrs(), n_more, e.attr_count()) - e.g->attrs);
    return write(e.info().op, {e.g, x.id}, int(e.attr(0)), e.attr(1), result, block{e.g, from}, n_more);
  }
  static constexpr var operand(eqn e) { return {e.g, e.g->edges[e.info().edge]}; }
  /// The number of the example in the vmap of this level, as values of that level.
  static constexpr var index(graph& g, int level) {
    int depth = g.depth;
    g.depth = level - 1;
    var all = iota(&g, {dtype::i32, 1, {g.batch[level]}}, 0);
    var one = example_of(g, all, level);
    g.depth = depth;
    return one;
  }
  static constexpr void tangents_alike(eqn e, int const* t, int* out) { out[0] = again(e, {e.g, t[0]}, e.g->values[e.info().value].type).id; }
};

/// Rows whose result is one for all examples: a reduction over the mapped axis.
template <class Reduction> struct all_reduce : collective {
  static constexpr void batched(eqn e, int const* in, int const*, int level, int* out) {
    var x{e.g, in[0]};
    tensor_type t = type_of(x);
    std::int64_t front = 0;
    if (e.attr(0) != level) out[0] = again(e, x, t).id;  // another vmap: the axis is further out
    else out[0] = broadcast_front(reduce<Reduction>(x, &front, 1), t.e[0]).id;
  }
};

/// The sum over the mapped axis.
struct psum_p : all_reduce<sum_p> {
  static constexpr auto name = "psum";
  static void reference(call const& c);
  static constexpr void transposed(eqn e, int const*, int const* ct, int* out) { out[0] = again(e, {e.g, ct[0]}, type_of(operand(e))).id; }
  static constexpr void expand(graph& g, std::int64_t const* a, var const* in, var* out) { out[0] = in[0] * full(&g, type_of(in[0]), double(a[1])); }
  static constexpr wide_rules wide{head, 0, 0, &no_blocks, &results_of, &type_of_result, &tangents_alike, &transposed, &batched, nullptr, &expand};
};
constexpr var psum(var x, int level, extent size) { return collective::write(code<psum_p>, x, level, size, type_of(x)); }

/// The greatest, or the least, over the mapped axis; those that share it share the derivative.
template <class Reduction, class Self> struct extreme : all_reduce<Reduction> {
  using collective::operand;
  static constexpr void tangents(eqn e, int const* t, int* out) {
    int level = int(e.attr(0));
    extent size = e.attr(1);
    var x = operand(e), y{e.g, e.info().value};
    var hit = convert(eq(x, y), type_of(x).d);
    out[0] = psum(scale(var{e.g, t[0]}, hit / psum(hit, level, size)), level, size).id;
  }
  static constexpr void expand(graph&, std::int64_t const*, var const* in, var* out) { out[0] = in[0]; }
  static constexpr wide_rules wide{collective::head, 0, 0, &collective::no_blocks, &collective::results_of, &collective::type_of_result, &tangents, nullptr,
                                   &all_reduce<Reduction>::batched, nullptr, &expand};
};
struct pmax_p : extreme<amax_p, pmax_p> {
  static constexpr auto name = "pmax";
  static void reference(call const& c);
};
struct pmin_p : extreme<amin_p, pmin_p> {
  static constexpr auto name = "pmin";
  static void reference(call const& c);
};

/// shape   x [...] -> [size, ...]: of all examples, the same for each
struct all_gather_p : collective {
  static constexpr auto name = "all_gather";
  static void reference(call const& c);
  static constexpr void batched(eqn e, int const* in, int const*, int level, int* out) {
    var x{e.g, in[0]};
    extent size = e.attr(1);
    if (e.attr(0) == level) out[0] = broadcast_front(x, size).id;
    else out[0] = move_axis(again(e, x, type_of(x).insert(0, size)), 1, 0).id;
  }
  static constexpr void transposed(eqn e, int const*, int const* ct, int* out) {
    int level = int(e.attr(0));
    std::int64_t front = 0;
    // seen from outside of the vmap the operand is one for all examples
    if (e.g->depth < level) out[0] = sum({e.g, ct[0]}, &front, 1).id;
    else out[0] = gather(psum({e.g, ct[0]}, level, e.attr(1)), index(*e.g, level), 0, 0).id;
  }
  static constexpr void expand(graph&, std::int64_t const* a, var const* in, var* out) { out[0] = broadcast_front(in[0], a[1]); }
  static constexpr wide_rules wide{head, 0, 0, &no_blocks, &results_of, &type_of_result, &tangents_alike, &transposed, &batched, nullptr, &expand};
};

/// attributes  further: for each example the one that it takes from, or -1 (zeros)
struct ppermute_p : collective {
  static constexpr auto name = "ppermute";
  static void reference(call const& c);
  static constexpr void batched(eqn e, int const* in, int const*, int level, int* out) {
    var x{e.g, in[0]};
    tensor_type t = type_of(x);
    if (e.attr(0) != level) { out[0] = again(e, x, t).id; return; }
    graph& g = *e.g;
    trace::node_info const n = e.info();
    int n_more = 0;
    int from = int(more(g.attrs + n.attr, n_more, n.attrs) - g.attrs);
    // sources as one literal; behind the last example stand zeros
    std::int64_t* source = new std::int64_t[std::size_t(n_more)]{};
    bool all = true;
    for (int k = 0; k < n_more; ++k) {
      source[k] = g.attrs[from + k];
      all = all && source[k] >= 0;
    }
    std::int64_t* taken = new std::int64_t[std::size_t(n_more)]{};
    for (int k = 0; k < n_more; ++k) taken[k] = source[k] < 0 ? 0 : source[k];
    tensor_type list{dtype::i32, 1, {n_more}};
    var y = gather(x, trace::emit(code<literal_p>, nullptr, 0, taken, n_more, &list, &g), 0, 0);
    if (!all) {
      for (int k = 0; k < n_more; ++k) taken[k] = source[k] >= 0;
      int front = 0;
      var here = eq(trace::emit(code<literal_p>, nullptr, 0, taken, n_more, &list, &g), full(&g, list, 1));
      y = select(broadcast(here, t.with(dtype::boolean), &front), y, full(&g, t, 0));
    }
    delete[] source;
    delete[] taken;
    out[0] = y.id;
  }
  static constexpr void transposed(eqn e, int const*, int const* ct, int* out) {
    graph& g = *e.g;
    trace::node_info const n = e.info();
    int n_more = 0;
    int from = int(more(g.attrs + n.attr, n_more, n.attrs) - g.attrs);
    std::int64_t* back = new std::int64_t[std::size_t(n_more)]{};
    for (int k = 0; k < n_more; ++k) back[k] = -1;
    for (int k = 0; k < n_more; ++k)
      if (g.attrs[from + k] >= 0) back[g.attrs[from + k]] = k;
    out[0] = write(code<ppermute_p>, {&g, ct[0]}, int(e.attr(0)), e.attr(1), type_of(operand(e)), back, n_more).id;
    delete[] back;
  }
  static constexpr void expand(graph&, std::int64_t const*, var const* in, var* out) { out[0] = in[0]; }
  static constexpr wide_rules wide{head, 0, 0, &no_blocks, &results_of, &type_of_result, &tangents_alike, &transposed, &batched, nullptr, &expand};
};

}  // namespace etna::ops
