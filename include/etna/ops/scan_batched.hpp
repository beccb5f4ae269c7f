// SPDX-License-Identifier: BSD-3-Clause
// A scan under vmap: one loop for all examples, or, where these are many and small, a loop over blocks of them, each of
// which runs its rounds while all that it needs is in the first cache. Read next: control_flow.hpp.
#pragma once
#include <algorithm>

#include "scan_transpose.hpp"

namespace etna::ops {

/// How many examples are a block; 0: all run together. Examples must not meet, and an equation's numbers must be few.
/// What a derivative keeps of a block, its carries at least, is to be near too.
constexpr extent examples_of_block(block const& b, extent examples, scan_words const& h) {
  using limits = tuning::example_blocks;
  if (examples < limits::examples) return 0;
  extent bytes = 0, numbers = 0, carried = 0;  // of the values of one example
  bool fits = !b.has_effects();
  auto count = [&](tensor_type const& t) {
    extent const n = t.rank == 0 ? 1 : t.is_static() ? t.size() : tuning::lanes::elements + 1;
    fits = fits && n <= tuning::lanes::elements;
    numbers += n;
    bytes += n * bytes_of(t.d);
  };
  int at = block::head;
  for (int k = 0; k < b.inputs(); ++k) {
    count(tracing::read_type(b, at));
    if (k < h.carry) carried = bytes;
  }
  tracing::each_equation(b, [&](int eqn) {
    int const op = block::op_of(b[eqn]);
    switch (row_of(op).form) {
      case form::source:
      case form::pointwise:
      case form::convert:
      case form::broadcast:
      case form::reshape:
      case form::transpose:
      case form::slice:
      case form::reduction:
      case form::contraction:
      case form::gather: break;
      default: fits = fits && op == code<update_p>;
    }
    int types = eqn + 4 + int(b[eqn + 1]) + int(b[eqn + 2]);
    for (int k = 0; k < int(b[eqn + 3]); ++k) count(tracing::read_type(b, types));
  });
  if (!fits || bytes * examples <= (numbers > limits::one_kernel ? limits::touched : limits::touched_by_one)) return 0;
  extent const near = limits::touched / bytes, kept = limits::touched_at_most / std::max(bytes, carried * h.length),
               most = near >= limits::least ? near : std::max(kept, limits::least);
  for (extent n = std::min(most, examples / 2) / limits::multiple * limits::multiple; n >= limits::fewest;
       n -= limits::multiple)
    if (examples % n == 0) return n;
  return 0;
}

/// Result k of what batch_scan has written, with the examples in front.
constexpr var result_of_scan(eqn e, int first, int k) {
  graph& g = *e.g;
  bool const behind = lies_behind(tracing::output_type(scan_p::body(g, e.info().attr), k));
  return from_loop({&g, first + k}, behind, k >= scan_words::read(e.attrs()).carry);
}
/// All examples together: the first result.
constexpr int batch_scan(eqn e, int const* in, int const* is_batched, int level) {
  graph& g = *e.g;
  tracing::node_info const n = e.info();  // a copy: rules write to the graph
  scan_words h = scan_words::read(e.attrs());
  int n_in = h.carry + h.xs, at = block::head;
  var_list operands(n_in);
  scratch_frame mapped(g, n_in, 1);
  for (int k = 0; k < n_in; ++k) {
    bool const behind = lies_behind(tracing::read_type(scan_p::body(g, n.attr), at)), is_slice = k >= h.carry;
    var x{&g, in[h.captured + k]};
    mapped[k] = !is_slice || is_batched[h.captured + k];
    if (!is_slice && !is_batched[h.captured + k]) x = broadcast_front(x, g.batch[level]);
    operands.push(mapped[k] ? to_loop(x, 0, behind, is_slice) : x);
  }
  nested_equation whole(g, 1);
  pack_batched(whole, scan_p::body(g, n.attr), in, is_batched, h.captured, mapped.data(), level, true);
  return scan_p::write(whole, h, operands);
}

/// Blocks of n examples, one after the other: a loop without a carry, whose slices are the examples of a block.
constexpr void batch_scan_by_blocks(eqn e, int const* in, int const* is_batched, int level, int* out, extent n) {
  graph& g = *e.g;
  scan_words const h = scan_words::read(e.attrs());
  int const n_in = h.captured + h.carry + h.xs, n_out = h.carry + h.ys;
  extent const examples = g.batch[level];
  nested_equation blocks(g, 1);
  var_list operands(n_in), block_in(n_in), block_out(n_out);
  scratch_frame mine(g, n_in);
  {
    region r(g);
    for (int k = 0; k < n_in; ++k) {
      mine[k] = in[k];
      if (!is_batched[k]) continue;
      tensor_type t = tracing::type_of({&g, in[k]});
      for (int i = 1; i < t.rank; ++i) t.e[i - 1] = t.e[i];
      t.e[t.rank - 1] = n;  // the examples of a block lie side by side
      block_in.push(argument(&g, t));
      mine[k] = move_axis(block_in[block_in.n - 1], t.rank - 1, 0).id;
    }
    g.batch[level] = n;
    int const first = batch_scan(e, mine.data(), is_batched, level);
    g.batch[level] = examples;
    for (int k = 0; k < n_out; ++k) {  // one by one, so that a scan with more results has these in the same order
      var const y = result_of_scan(e, first, k);
      block_out.push(move_axis(y, 0, type_of(y).rank - 1));
    }
    blocks.pack(r, block_in, block_out);
  }
  for (int k = 0; k < n_in; ++k) {
    if (!is_batched[k]) continue;
    var x{&g, in[k]};
    tensor_type t = type_of(x).insert(0, examples / n);
    t.e[1] = n;
    operands.push(move_axis(reshape(x, t), 1, t.rank - 1));
  }
  int const y = scan_p::write(blocks, {examples / n, false, false, 0, 0, operands.n, n_out}, operands);
  for (int k = 0; k < n_out; ++k) {
    var x = move_axis({&g, y + k}, tracing::type_of({&g, y + k}).rank - 1, 1);
    tensor_type const t = type_of(x);
    tensor_type whole{t.d, t.rank - 1, {}};
    whole.e[0] = examples;
    for (int i = 2; i < t.rank; ++i) whole.e[i - 1] = t.e[i];
    out[k] = reshape(x, whole).id;
  }
}

constexpr void scan_p::batched(eqn e, int const* in, int const* is_batched, int level, int* out) {
  graph& g = *e.g;
  scan_words const h = scan_words::read(e.attrs());
  extent const n = h.length < 2 || h.carry == 0 ? 0 : examples_of_block(body(g, e.info().attr), g.batch[level], h);
  if (n > 0) return batch_scan_by_blocks(e, in, is_batched, level, out, n);
  int const first = batch_scan(e, in, is_batched, level);
  for (int k = 0; k < h.carry + h.ys; ++k) out[k] = result_of_scan(e, first, k).id;
}

}  // namespace etna::ops
