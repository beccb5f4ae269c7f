// SPDX-License-Identifier: BSD-3-Clause
// Row: scan, a function of a carry and a slice along the leading axis. Its derivative is a second scan, linear in the
// tangents, that reads what the first one keeps; its transpose walks back. Read next: scan_transpose.hpp.
#pragma once
#include "keeping.hpp"

namespace etna::ops {

/// The words in front of a scan's block.
struct scan_words {
  extent length;
  bool reverse;    // from the last slice to the first
  bool recompute;  // reverse mode keeps the carries only, and computes the rest again
  int captured, carry, xs, ys;
  static constexpr int count = 7;
  static constexpr scan_words read(std::int64_t const* a) {
    return {a[0], a[1] != 0, a[2] != 0, int(a[3]), int(a[4]), int(a[5]), int(a[6])};
  }
};

/// attributes  scan_words, then the block: carry, slices -> carry, slices of the results
/// operands    captured values; the first carry; xs, each with the axis of the scan in front
/// results     the last carry; ys, each with the axis of the scan in front
struct scan_p : nested {
  static constexpr auto name = "scan";
  static constexpr ops::form form = ops::form::scan;
  static void reference(call const& c);  // eager/run_block.hpp

  static constexpr block body(graph& g, int attr) { return block_of(g, attr, scan_words::count, 0); }
  static constexpr int write(nested_equation const& e, scan_words const& h, var_list const& operands) {
    return e.write(code<scan_p>, {h.length, h.reverse, h.recompute, e.captured.n, h.carry, h.xs, h.ys}, {}, operands);
  }

  static constexpr int results_of(std::int64_t const* a) {
    scan_words const w = scan_words::read(a);
    return w.carry + w.ys;
  }
  static constexpr tensor_type type_of_result(std::int64_t const* a, int k) {
    tensor_type t = tracing::output_type(block_of(a, scan_words::count, 0), k);
    scan_words const w = scan_words::read(a);
    return k < w.carry ? t : t.insert(0, w.length);
  }

  /// Marks of operands, spread to the carries that depend on marked ones, round by round, by what through(g, block,
  /// captured, inputs, outputs) says of one. Are all carries marked now?
  template <class Through> static constexpr bool spread(graph& g, block b, scan_words const& h, int* marks,
                                                        int* results, Through const& through) {
    scratch_frame out(g, b.outputs(), 0);
    bool all = true;
    for (bool again = true; again;) {
      again = false;
      through(g, b, marks, marks + h.captured, out.data());
      for (int k = 0; k < h.carry; ++k) {
        again = again || (out[k] & ~marks[h.captured + k]) != 0;
        marks[h.captured + k] |= out[k];
      }
    }
    for (int k = 0; k < h.carry; ++k) all = all && marks[h.captured + k];
    for (int k = 0; k < b.outputs() && results; ++k) results[k] = k < h.carry ? marks[h.captured + k] : out[k];
    return all;
  }
  static constexpr bool spread(graph& g, block b, scan_words const& h, int* marks, int* results = nullptr) {
    return spread(g, b, h, marks, results, spread_marks);
  }
  template <class Through>
  static constexpr void spread_operands(graph& g, int attr, int const* operands, int* results, Through const& through) {
    scan_words h = scan_words::read(g.attrs + attr);
    scratch_frame marks(g, h.captured + h.carry + h.xs);
    for (int k = 0; k < h.captured + h.carry + h.xs; ++k) marks[k] = operands[k];
    spread(g, body(g, attr), h, marks.data(), results, through);
  }
  static constexpr void depends(graph& g, int attr, int const* operands, int* results) {
    spread_operands(g, attr, operands, results, spread_marks);
  }
  static constexpr void spreads(graph& g, int attr, int const* operands, int* results, rank_marks& m) {
    spread_operands(g, attr, operands, results, m.walk());
  }

  /// A scan's block once more, with tangents.
  struct block_with_tangents {
    var_list args, outs;          // carry, slices -> carry, slices of the results
    var_list in, dots;            // what moves: captured values, carry, slices; and the tangents of these
    var_list carry_dots, x_dots;  // those of carry and slices, which are arguments of the block
    var_list result;              // tangents of `outs`, or none
    constexpr explicit block_with_tangents(scan_words const& h)
        : args(h.carry + h.xs),
          outs(h.carry + h.ys),
          in(h.captured + h.carry + h.xs),
          dots(h.captured + h.carry + h.xs),
          carry_dots(h.carry),
          x_dots(h.xs),
          result(h.carry + h.ys) {}
  };
  /// Write it in a region. Gives what was written before the tangents.
  ///
  /// t         tangents of e's operands, or -1
  /// marks     of the operands that move: those that have a tangent, and the carries that depend on them
  /// value_of  the id of each of the block's values
  static constexpr tracing::range write_tangents(eqn e, int const* t, scratch_frame const& marks, region const& r,
                                                 block_with_tangents& b, int* value_of) {
    graph& g = *e.g;
    tracing::node_info const n = e.info();
    scan_words h = scan_words::read(e.attrs());
    auto operand = [&](int k) { return var{&g, g.edges[n.edge + k]}; };
    var_list captured(h.captured);
    for (int k = 0; k < h.captured; ++k) {
      captured.push(marks[k] ? alias(operand(k)) : operand(k));
      if (!marks[k]) continue;
      b.in.push(captured[k]);
      b.dots.push({&g, t[k]});
    }
    for (int k = 0; k < h.carry + h.xs; ++k) {
      tensor_type ty = type_of(operand(h.captured + k));
      b.args.push(argument(&g, k < h.carry ? ty : slice_type(ty)));
    }
    for (int k = 0; k < h.carry + h.xs; ++k) {
      if (!marks[h.captured + k]) continue;
      var dot = argument(&g, type_of(b.args[k]));
      b.in.push(b.args[k]);
      b.dots.push(dot);
      (k < h.carry ? b.carry_dots : b.x_dots).push(dot);
    }
    tracing::unpack(g, body(g, n.attr), captured.v, b.args.v, b.outs.v, value_of, true);
    tracing::range primal = r.written();
    transform::jvp(primal, b.in.v, b.dots.v, b.in.n, b.outs.v, h.carry + h.ys, b.result.v);
    return primal;
  }

  static constexpr void tangents(eqn e, int const* t, int* out) {
    graph& g = *e.g;
    tracing::node_info const n = e.info();  // a copy: rules write to the graph
    scan_words h = scan_words::read(e.attrs());
    int n_in = h.carry + h.xs, n_out = h.carry + h.ys, first_x = h.captured + h.carry;
    auto operand = [&](int k) { return var{&g, g.edges[n.edge + k]}; };
    scratch_frame marks(g, n.operands);
    for (int k = 0; k < n.operands; ++k) marks[k] = t[k] >= 0;
    spread(g, body(g, n.attr), h, marks.data());
    auto moves = [&](int k) { return marks[k] != 0; };
    var_list carries(h.carry);
    for (int k = h.captured; k < first_x; ++k)
      if (moves(k)) carries.push(or_zero(g, t[k], type_of(operand(k))));

    region r(g);
    block_with_tangents b(h);
    scratch_frame value_of(g, body(g, n.attr).values(), -1);
    tracing::range primal = write_tangents(e, t, marks, r, b, value_of.data());
    auto has_tangent = [&](int k) { return k < h.carry ? moves(h.captured + k) : bool(b.result[k]); };
    var_list block_out(n_out);
    for (int k = 0; k < n_out; ++k)
      if (has_tangent(k)) block_out.push(or_zero(g, b.result[k].id, type_of(b.outs[k])));

    // What the tangents read of the block: kept by the first scan, or computed again.
    kept_values kept(e, body(g, n.attr), r, primal, value_of.data(), h.carry, h.carry, block_out,
                     h.recompute ? keep_words::nothing : keep_words::everything);
    auto reads = [&](int x) { return kept.is_read(b.args[h.carry + x]); };
    var_list block_in(2 * n_in + kept.n), operands(2 * n_in + kept.n);
    for (int k = 0; k < b.carry_dots.n; ++k) block_in.push(b.carry_dots[k]);
    for (int k = 0; k < kept.n; ++k) block_in.push(kept[k]);
    for (int k = 0; k < h.xs; ++k)
      if (reads(k)) block_in.push(b.args[h.carry + k]);
    for (int k = 0; k < b.x_dots.n; ++k) block_in.push(b.x_dots[k]);

    nested_equation linear(g, 1);
    int ys = 0;
    for (int k = h.carry; k < n_out; ++k) ys += bool(b.result[k]);
    linear.pack(r, block_in, block_out);
    for (int k = 0; k < carries.n; ++k) operands.push(carries[k]);
    kept.write(operands, 6);
    for (int k = 0; k < h.xs; ++k)
      if (reads(k)) operands.push(operand(first_x + k));
    for (int k = 0; k < h.xs; ++k)
      if (t[first_x + k] >= 0) operands.push({&g, t[first_x + k]});
    int y = write(linear, {h.length, h.reverse, h.recompute, 0, carries.n, block_in.n - carries.n, ys}, operands);
    for (int k = 0; k < n_out; ++k)
      if (has_tangent(k)) out[k] = y++;
  }

  static constexpr eqn split(eqn e, int const* marks, int* of);
  static constexpr void transposed_in_part(eqn e, int const* linear, int const* marks, int const* ct, int* out);
  static constexpr void transposed(eqn e, int const* linear, int const* ct, int* out);  // scan_transpose.hpp

  static constexpr void batched(eqn e, int const* in, int const* is_batched, int level, int* out);  // scan_batched.hpp

  static constexpr bool extends(std::int64_t const* a, std::int64_t const* b) {
    for (int k = 0; k < scan_words::count; ++k)
      if (k == 6 ? a[k] > b[k] : a[k] != b[k]) return false;
    return same_blocks(block_of(a, scan_words::count, 0), block_of(b, scan_words::count, 0), true);
  }

  static constexpr wide_rules wide{scan_words::count,
                                   3,
                                   0,
                                   [](std::int64_t const*) { return 1; },
                                   &results_of,
                                   &type_of_result,
                                   &tangents,
                                   transposed,
                                   &batched,
                                   extends,
                                   nullptr,
                                   depends,
                                   spreads};
};

}  // namespace etna::ops
