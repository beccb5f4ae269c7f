// SPDX-License-Identifier: BSD-3-Clause
// Rows over the mapped axis of an enclosing vmap that has a name: all examples together, seen from one of them. The
// vmap of that axis turns them into reductions and picks; a value that does not depend on the example is the same for
// all.
#pragma once
#include "indexing.hpp"
#include "nested.hpp"

namespace etna::ops {

/// Of which vmap, and the size of its axis.
struct collective_words {
  int level;
  extent size;
  static constexpr int count = 2;
  static constexpr collective_words read(std::int64_t const* a) { return {int(a[0]), a[1]}; }
};
/// attributes  collective_words, the type of the result, further ones of a row
struct collective : nested {
  static constexpr ops::form form = ops::form::call;
  static constexpr int head = collective_words::count;
  static constexpr collective_words words(eqn e) { return collective_words::read(e.attrs()); }
  static constexpr int no_blocks(std::int64_t const*) { return 0; }
  static constexpr int results_of(std::int64_t const*) { return 1; }
  static constexpr tensor_type type_of_result(std::int64_t const* a, int) {
    int at = head;
    return tracing::read_type(tracing::words_at(a), at);
  }
  /// The place of the words behind the result's type.
  static constexpr int more(std::int64_t const* a) {
    int at = head;
    tracing::read_type(tracing::words_at(a), at);
    return at;
  }
  /// Further words as a list, or a place in the pool, which may move; so may the type that is given (hence a copy).
  static constexpr var write(int op, var x, int level, extent size, tensor_type result, block const& more, int n_more) {
    graph& g = *x.g;
    int at = g.n_attrs;
    g.word(level);
    g.word(size);
    tracing::write_type(g, result);
    for (int k = 0; k < n_more; ++k) g.word(more[k]);
    return {&g, tracing::emit_wide(g, op, &x.id, 1, at, g.n_attrs - at)};
  }
  static constexpr var write(int op, var x, int level, extent size, tensor_type const& result,
                             std::int64_t const* more = nullptr, int n_more = 0) {
    return write(op, x, level, size, result, tracing::words_at(more), n_more);
  }
  /// The same row on another value (of the operand's shape).
  static constexpr var again(eqn e, var x, tensor_type const& result) {
    int from = more(e.attrs());
    return write(e.info().op, x, words(e).level, words(e).size, result, block{e.g, e.info().attr + from},
                 e.attr_count() - from);
  }
  static constexpr var operand(eqn e) { return {e.g, e.g->edges[e.info().edge]}; }
  /// The number of the example in the vmap of this level, as values of that level.
  static constexpr var index(graph& g, int level) {
    return example_of(g, iota(&g, {dtype::i32, 1, {g.batch[level]}}, 0), level);
  }
  static constexpr void tangents_alike(eqn e, int const* t, int* out) {
    out[0] = again(e, {e.g, t[0]}, e.g->values[e.info().value].type).id;
  }
};

/// Rows whose result is one for all examples: a reduction over the mapped axis.
template <class Reduction> struct all_reduce : collective {
  static constexpr void batched(eqn e, int const* in, int const*, int level, int* out) {
    var x{e.g, in[0]};
    tensor_type t = type_of(x);
    std::int64_t front = 0;
    if (words(e).level != level) out[0] = again(e, x, t).id;  // another vmap: the axis is further out
    else out[0] = broadcast_front(reduce<Reduction>(x, &front, 1), t.e[0]).id;
  }
};

/// The sum over the mapped axis.
struct psum_p : all_reduce<sum_p> {
  static constexpr auto name = "psum";
  static void reference(call const& c);
  static constexpr void transposed(eqn e, int const*, int const* ct, int* out) {
    out[0] = again(e, {e.g, ct[0]}, type_of(operand(e))).id;
  }
  static constexpr void expand(graph& g, std::int64_t const* a, var const* in, var* out) {
    out[0] = in[0] * full(&g, type_of(in[0]), double(a[1]));
  }
  static constexpr wide_rules wide{
      head, 0, 0, &no_blocks, &results_of, &type_of_result, &tangents_alike, transposed, &batched, nullptr, expand};
};
constexpr var psum(var x, int level, extent size) {
  return collective::write(code<psum_p>, x, level, size, type_of(x));
}

/// The greatest, or the least, over the mapped axis; those that share it share the derivative.
template <class Reduction, class Self> struct extreme : all_reduce<Reduction> {
  using collective::operand;
  static constexpr void tangents(eqn e, int const* t, int* out) {
    auto const [level, size] = collective_words::read(e.attrs());
    var x = operand(e), y{e.g, e.info().value};
    var hit = convert(eq(x, y), type_of(x).d);
    out[0] = psum(scale(var{e.g, t[0]}, hit / psum(hit, level, size)), level, size).id;
  }
  static constexpr void expand(graph&, std::int64_t const*, var const* in, var* out) { out[0] = in[0]; }
  static constexpr wide_rules wide{collective::head,
                                   0,
                                   0,
                                   &collective::no_blocks,
                                   &collective::results_of,
                                   &collective::type_of_result,
                                   &tangents,
                                   nullptr,
                                   &all_reduce<Reduction>::batched,
                                   nullptr,
                                   expand};
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
    extent size = words(e).size;
    if (words(e).level == level) out[0] = broadcast_front(x, size).id;
    else out[0] = move_axis(again(e, x, type_of(x).insert(0, size)), 1, 0).id;
  }
  static constexpr void transposed(eqn e, int const*, int const* ct, int* out) {
    int level = words(e).level;
    std::int64_t front = 0;
    // seen from outside of the vmap the operand is one for all examples
    if (e.g->depth < level) out[0] = sum({e.g, ct[0]}, &front, 1).id;
    else out[0] = gather(psum({e.g, ct[0]}, level, words(e).size), index(*e.g, level), {0, 0}).id;
  }
  static constexpr void expand(graph&, std::int64_t const* a, var const* in, var* out) {
    out[0] = broadcast_front(in[0], a[1]);
  }
  static constexpr wide_rules wide{
      head, 0, 0, &no_blocks, &results_of, &type_of_result, &tangents_alike, transposed, &batched, nullptr, expand};
};

/// attributes  further: for each example the one that it takes from, or their number (zeros)
struct ppermute_p : collective {
  static constexpr auto name = "ppermute";
  static void reference(call const& c);
  static constexpr void batched(eqn e, int const* in, int const*, int level, int* out) {
    var x{e.g, in[0]};
    if (words(e).level == level) {
      extent size = words(e).size;
      tensor_type list{dtype::i32, 1, {size}};
      var from = tracing::emit(code<literal_p>, nullptr, 0, e.attrs() + more(e.attrs()), int(size), list, e.g);
      out[0] = gather_or_zero(x, from, {0, 0}).id;
    } else out[0] = again(e, x, type_of(x)).id;
  }
  static constexpr void transposed(eqn e, int const*, int const* ct, int* out) {
    extent const size = words(e).size;
    auto *from = new std::int64_t[std::size_t(size)]{}, *back = new std::int64_t[std::size_t(size)]{};
    for (extent k = 0; k < size; ++k) from[k] = e.attr(more(e.attrs()) + int(k));
    tensor_type const t = type_of(operand(e));
    int const level = words(e).level;
    var sum{};
    for (bool any = true; any;) {  // one that many take from gets of all of them
      any = false;
      for (extent k = 0; k < size; ++k) back[k] = size;
      for (extent k = 0; k < size; ++k)
        if (from[k] < size && back[from[k]] == size) any = true, back[from[k]] = k, from[k] = size;
      if (!any && sum) break;
      var const one = write(code<ppermute_p>, {e.g, ct[0]}, level, size, t, back, int(size));
      sum = sum ? sum + one : one;
    }
    out[0] = sum.id;
    delete[] from;
    delete[] back;
  }
  static constexpr void expand(graph&, std::int64_t const*, var const* in, var* out) { out[0] = in[0]; }
  static constexpr wide_rules wide{
      head, 0, 0, &no_blocks, &results_of, &type_of_result, &tangents_alike, transposed, &batched, nullptr, expand};
};

}  // namespace etna::ops
