// SPDX-License-Identifier: BSD-3-Clause
// The transpose of scan: a scan the other way, whose carry is the cotangent of the carry and sums of cotangents of what
// was captured. Read next: scan_batched.hpp.
#pragma once
#include "scanning.hpp"

namespace etna::ops {

/// A scan whose carry is linear in part (a user's rule may have one) is two: the first runs the rest of the carry and
/// keeps it step by step, the second reads that as slices. `of` becomes the number of each carry in the second, or -1.
constexpr eqn scan_p::split(eqn e, int const* marks, int* of) {
  graph& g = *e.g;
  tracing::node_info const n = e.info();
  scan_words h = scan_words::read(e.attrs());
  auto operand = [&](int k) { return var{&g, g.edges[n.edge + k]}; };
  int n_in = h.carry + h.xs, fixed = 0, y = n.value;
  for (int k = 0; k < h.carry; ++k) of[k] = marks[h.captured + k] ? k - fixed : (++fixed, -1);
  for (int part = 0;; ++part) {
    region r(g);
    var_list captured(h.captured), args(n_in), outs(h.carry + h.ys), first(n_in), slices(n_in), in(n_in),
        in_slices(n_in), out(2 * h.carry + h.ys), operands(2 * n_in);
    for (int k = 0; k < h.captured; ++k) captured.push(operand(k));
    for (int k = 0, at = fixed; k < n_in; ++k) {  // the first one's results: its last carry, and each step's
      tensor_type t = type_of(operand(h.captured + k));
      args.push(argument(&g, k < h.carry ? t : slice_type(t)));
      bool carried = k < h.carry, mine = !carried || (of[k] >= 0) == (part == 1);
      if (carried && mine) {
        in.push(args[k]);
        first.push(operand(h.captured + k));
      } else if (part == 1 || !marks[h.captured + k]) {
        in_slices.push(args[k]);
        slices.push(carried ? var{&g, y + at++} : operand(h.captured + k));
      }
    }
    tracing::unpack(g, body(g, n.attr), captured.v, args.v, outs.v, nullptr, true);
    for (int k = 0; k < h.carry; ++k)
      if ((of[k] >= 0) == (part == 1)) out.push(outs.v[k]);
    int carry = out.n;
    for (int k = 0; k < h.carry && part == 0; ++k)
      if (of[k] < 0) out.push(args[k]);
    for (int k = h.carry; k < h.carry + h.ys && part == 1; ++k) out.push(outs.v[k]);
    for (int k = 0; k < in_slices.n; ++k) in.push(in_slices[k]);
    for (int k = 0; k < carry; ++k) operands.push(first[k]);
    for (int k = 0; k < slices.n; ++k) operands.push(slices[k]);
    nested_equation w(g, 1);
    w.pack(r, in, out);
    y = write(w, {h.length, h.reverse, h.recompute, 0, carry, slices.n, out.n - carry}, operands);
    if (part == 1) return {&g, g.values[y].node};
  }
}

/// The transpose where not all of the carry is linear: of the second of the two scans alone. `marks` are of all linear
/// operands and carries.
constexpr void scan_p::transposed_in_part(eqn e, int const* linear, int const* marks, int const* ct, int* out) {
  graph& g = *e.g;
  tracing::node_info const n = e.info();  // a copy: rules write to the graph
  scan_words h = scan_words::read(e.attrs());
  scratch_frame of(g, h.carry);
  eqn second = split(e, marks, of.data());
  tracing::node_info const m = second.info();
  scan_words w = scan_words::read(second.attrs());
  scratch_frame is(g, m.operands, 0), in(g, m.results, -1), result(g, m.operands, -1);
  // its operand of number k is which one of e's?
  scratch_frame from(g, m.operands, -1);
  for (int k = 0; k < h.carry; ++k)
    if (of[k] >= 0) from[w.captured + of[k]] = h.captured + k;
  for (int k = 0; k < h.xs; ++k) from[m.operands - h.xs + k] = h.captured + h.carry + k;
  for (int k = 0; k < w.captured; ++k)
    for (int j = 0; j < h.captured; ++j)
      if (g.edges[m.edge + k] == g.edges[n.edge + j]) from[k] = j;
  for (int k = 0; k < m.operands; ++k) is[k] = from[k] >= 0 && linear[from[k]];
  for (int k = 0; k < h.carry; ++k)
    if (of[k] >= 0) in[of[k]] = ct[k];
  for (int k = 0; k < h.ys; ++k) in[w.carry + k] = ct[h.carry + k];
  transposed(second, is.data(), in.data(), result.data());
  for (int k = 0; k < m.operands; ++k)
    if (from[k] >= 0) out[from[k]] = result[k];
}

/// What a step of the transposed scan gives: cotangents of the carry, sums of those of captured operands, those of
/// slices. `in` and `result` are captured operands, carry and slices, and their cotangents; `sums` are the carry's
/// cotangents and the sums so far.
constexpr void put_cotangents(int captured, int carry, var_list const& in, var_list const& result, var_list const& sums,
                              var_list& out) {
  auto cotangent = [&](int k) { return or_zero(*in[k].g, result[k].id, type_of(in[k])); };
  for (int k = captured; k < captured + carry; ++k) out.push(cotangent(k));
  for (int k = 0; k < captured; ++k) {
    var total = sums[carry + k];
    out.push(result[k] ? total + result[k] : total);
  }
  for (int k = captured + carry; k < in.n; ++k) out.push(cotangent(k));
}

constexpr void scan_p::transposed(eqn e, int const* linear, int const* ct, int* out) {
  graph& g = *e.g;
  tracing::node_info const n = e.info();  // a copy: rules write to the graph
  scan_words h = scan_words::read(e.attrs());
  int n_in = h.carry + h.xs, n_out = h.carry + h.ys, first_x = h.captured + h.carry;
  auto operand = [&](int k) { return var{&g, g.edges[n.edge + k]}; };
  scratch_frame marks(g, n.operands);
  for (int k = 0; k < n.operands; ++k) marks[k] = linear[k];
  if (!spread(g, body(g, n.attr), h, marks.data())) return transposed_in_part(e, linear, marks.data(), ct, out);
  // carried back: cotangents of the carry, and sums of those of captured operands
  var_list operands(n.operands + n_out);
  for (int k = 0; k < h.carry; ++k) operands.push(or_zero(g, ct[k], type_of(e.out(k))));
  for (int k = 0; k < h.captured; ++k)
    if (linear[k]) operands.push(full(&g, type_of(operand(k)), 0));
  int carried = operands.n;

  region r(g);
  var_list captured(h.captured), args(n_in), outs(n_out), in(n.operands), cts(n_out), result(n.operands);
  var_list block_in(n.operands + n_out), block_out(n.operands);
  for (int k = 0; k < h.captured; ++k) {
    captured.push(linear[k] ? argument(&g, type_of(operand(k))) : operand(k));
    if (linear[k]) in.push(captured[k]);
  }
  for (int k = 0; k < n_in; ++k) {
    tensor_type ty = type_of(operand(h.captured + k));
    args.push(argument(&g, k < h.carry ? ty : slice_type(ty)));
    if (k < h.carry || linear[h.captured + k]) in.push(args[k]);
  }
  for (int k = 0; k < carried; ++k) block_in.push(argument(&g, type_of(operands[k])));
  for (int k = 0; k < h.carry; ++k) cts.push(block_in[k]);
  for (int k = 0; k < h.xs; ++k)
    if (!linear[first_x + k]) {
      block_in.push(args[h.carry + k]);
      operands.push(operand(first_x + k));
    }
  for (int k = h.carry; k < n_out; ++k) {
    if (ct[k] < 0) continue;  // it stays empty
    operands.push({&g, ct[k]});
    cts[k] = argument(&g, slice_type(tracing::type_of({&g, ct[k]})));
    block_in.push(cts[k]);
  }
  tracing::unpack(g, body(g, n.attr), captured.v, args.v, outs.v, nullptr, true);
  transform::transpose({r.written(), in.v, in.n, outs.v, n_out}, cts.v, result.v);
  int of_captured = carried - h.carry, lin = in.n - carried;
  put_cotangents(of_captured, h.carry, in, result, block_in, block_out);
  nested_equation back(g, 1);
  back.pack(r, block_in, block_out);
  int y = write(back, {h.length, !h.reverse, h.recompute, 0, carried, operands.n - carried, lin}, operands);
  for (int k = 0; k < h.carry; ++k) out[h.captured + k] = y++;
  for (int k = 0; k < h.captured; ++k)
    if (linear[k]) out[k] = y++;
  for (int k = 0; k < h.xs; ++k)
    if (linear[first_x + k]) out[first_x + k] = y++;
}

}  // namespace etna::ops
