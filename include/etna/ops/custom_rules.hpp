// SPDX-License-Identifier: BSD-3-Clause
// Rows: custom, a function with derivative rules of the user's, and linear_call, the linear map of which only the
// transpose is given. Both are written out before the plan is made, so they cost nothing. Read next: table.hpp.
#pragma once
#include "keeping.hpp"

namespace etna::ops {

/// attributes  captured values, operands, results, residuals, whether there is a jvp and a vjp; blocks: the function;
/// its
///             jvp (operands, tangents, results -> tangents of the results); forward (operands -> results, residuals)
///             and backward (residuals, cotangents of the results -> cotangents of the operands)
struct custom_p : nested {
  static constexpr auto name = "custom";
  static constexpr ops::form form = ops::form::call;
  static void reference(call const& c);  // eager/run_block.hpp
  static constexpr int head = 6;
  struct counts {
    int captured, operands, results, residuals;
    bool has_jvp, has_vjp;
  };
  static constexpr counts read(std::int64_t const* a) {
    return {int(a[0]), int(a[1]), int(a[2]), int(a[3]), a[4] != 0, a[5] != 0};
  }
  static constexpr int results_of(std::int64_t const* a) { return int(a[2]); }
  static constexpr tensor_type type_of_result(std::int64_t const* a, int k) {
    return tracing::output_type(block_of(a, head, 0), k);
  }
  static constexpr int write(nested_equation const& e, counts c, var_list const& operands) {
    return e.write(code<custom_p>, {e.captured.n, operands.n, c.results, c.residuals, c.has_jvp, c.has_vjp}, {},
                   operands);
  }
  static constexpr void tangents(eqn e, int const* t, int* out);

  static constexpr void batched(eqn e, int const* in, int const* is_batched, int level, int* out) {
    graph& g = *e.g;
    tracing::node_info const n = e.info();
    counts c = read(e.attrs());
    extent size = g.batch[level];
    var_list operands(c.operands);
    for (int k = 0; k < c.operands; ++k) {  // all are mapped, so that rules and residuals are
      var x{&g, in[c.captured + k]};
      operands.push(is_batched[c.captured + k] ? x : broadcast_front(x, size));
    }
    nested_equation whole(g, 4);
    for (int b = 0; b < 1 + c.has_jvp + 2 * c.has_vjp; ++b)
      pack_batched(whole, block_of(g, n.attr, head, b), in, is_batched, c.captured, nullptr, level);
    int y = write(whole, c, operands);
    for (int k = 0; k < c.results; ++k) out[k] = y + k;
  }
  static constexpr void spreads(graph& g, int attr, int const* operands, int* results, rank_marks& m) {
    m.through(g, block_of(g, attr, head, 0), operands, operands + read(g.attrs + attr).captured, results);
  }
  /// The function, in g.
  static constexpr void expand(graph& g, std::int64_t const* attr, var const* in, var* out) {
    tracing::unpack(g, block_of(attr, head, 0), in, in + read(attr).captured, out);
  }

  static constexpr wide_rules wide{head,        0,
                                   0,           [](std::int64_t const* a) { return int(1 + a[4] + 2 * a[5]); },
                                   &results_of, &type_of_result,
                                   &tangents,   nullptr,
                                   &batched,    nullptr,
                                   expand,      nullptr,
                                   spreads};
};

/// attributes  captured values, residuals, tangents, results; the block: residuals, cotangents of the results -> those
/// of
///             the tangents
/// operands    captured values, residuals, tangents
struct linear_call_p : nested {
  static constexpr auto name = "linear_call";
  static constexpr ops::form form = ops::form::call;
  static void reference(call const& c);  // eager/run_block.hpp
  static constexpr int head = 4;
  struct counts {
    int captured, residuals, tangents, results;
  };
  static constexpr counts read(std::int64_t const* a) { return {int(a[0]), int(a[1]), int(a[2]), int(a[3])}; }
  static constexpr int results_of(std::int64_t const* a) { return int(a[3]); }
  static constexpr tensor_type type_of_result(std::int64_t const* a, int k) {
    block b = block_of(a, head, 0);
    int at = block::head;
    for (int i = 0; i < int(a[1]) + k; ++i) tracing::read_type(b, at);
    return tracing::read_type(b, at);
  }
  static constexpr int write(nested_equation const& e, counts c, var_list const& operands) {
    return e.write(code<linear_call_p>, {e.captured.n, c.residuals, c.tangents, c.results}, {}, operands);
  }
  /// The map itself: the transpose of the block.
  static constexpr void expand(graph& g, std::int64_t const* attr, var const* in, var* out) {
    counts c = read(attr);
    region marker(g);
    marker.close();
    var_list args(c.residuals + c.results), cts(c.results), outs(c.tangents);
    for (int k = 0; k < c.residuals; ++k) args.push(in[c.captured + k]);
    for (int k = 0; k < c.results; ++k) {
      cts.push(argument(&g, type_of_result(attr, k)));
      args.push(cts[k]);
    }
    tracing::unpack(g, block_of(attr, head, 0), in, args.v, outs.v, nullptr, true);  // on cotangents that are not known
    transform::transpose({marker.written(), cts.v, c.results, outs.v, c.tangents}, in + c.captured + c.residuals, out);
    for (int k = 0; k < c.results; ++k) out[k] = or_zero(g, out[k].id, type_of(cts[k]));
  }
  static constexpr void tangents(eqn e, int const* t, int* out) {
    graph& g = *e.g;
    tracing::node_info const n = e.info();
    counts c = read(e.attrs());
    region marker(g);
    marker.close();
    // other names for the operands, so that the range has them
    var_list in(n.operands), dots(n.operands), outs(c.results), result(c.results);
    std::int64_t* attr = new std::int64_t[std::size_t(n.attrs)]{};
    for (int k = 0; k < n.attrs; ++k) attr[k] = g.attrs[n.attr + k];
    for (int k = 0; k < n.operands; ++k) {
      in.push(t[k] >= 0 ? alias({&g, g.edges[n.edge + k]}) : var{&g, g.edges[n.edge + k]});
      dots.push({&g, t[k]});
    }
    expand(g, attr, in.v, outs.v);
    delete[] attr;
    transform::jvp(marker.written(), in.v, dots.v, in.n, outs.v, c.results, result.v);
    for (int k = 0; k < c.results; ++k) out[k] = result[k].id;
  }
  static constexpr void transposed(eqn e, int const*, int const* ct, int* out) {
    graph& g = *e.g;
    tracing::node_info const n = e.info();
    counts c = read(e.attrs());
    var_list captured(c.captured), args(c.residuals + c.results), outs(c.tangents);
    for (int k = 0; k < c.captured; ++k) captured.push({&g, g.edges[n.edge + k]});
    for (int k = 0; k < c.residuals; ++k) args.push({&g, g.edges[n.edge + c.captured + k]});
    for (int k = 0; k < c.results; ++k) args.push(or_zero(g, ct[k], type_of(e.out(k))));
    tracing::unpack(g, block_of(g, n.attr, head, 0), captured.v, args.v, outs.v);
    for (int k = 0; k < c.tangents; ++k) out[c.captured + c.residuals + k] = outs[k].id;
  }
  static constexpr void batched(eqn e, int const* in, int const* is_batched, int level, int* out) {
    graph& g = *e.g;
    tracing::node_info const n = e.info();
    counts c = read(e.attrs());
    extent size = g.batch[level];
    var_list operands(n.operands);
    for (int k = c.captured; k < n.operands; ++k) {
      var x{&g, in[k]};
      operands.push(is_batched[k] ? x : broadcast_front(x, size));
    }
    nested_equation whole(g, 1);
    pack_batched(whole, block_of(g, n.attr, head, 0), in, is_batched, c.captured, nullptr, level);
    int y = write(whole, c, operands);
    for (int k = 0; k < c.results; ++k) out[k] = y + k;
  }
  static constexpr void spreads(graph& g, int attr, int const* operands, int* results, rank_marks& m) {
    counts c = read(g.attrs + attr);
    int any = 0;
    for (int k = 0; k < c.captured + c.residuals + c.tangents; ++k) any |= operands[k];
    scratch_frame inputs(g, c.residuals + c.results, any);
    for (int k = 0; k < c.residuals; ++k) inputs[k] = operands[c.captured + k];
    any |= m.transposed(g, block_of(g, attr, head, 0), operands, inputs.data());
    for (int k = 0; k < c.results; ++k) results[k] = any;
  }

  static constexpr wide_rules wide{head,        0,
                                   0,           [](std::int64_t const*) { return 1; },
                                   &results_of, &type_of_result,
                                   &tangents,   transposed,
                                   &batched,    nullptr,
                                   expand,      nullptr,
                                   spreads};
};

/// A loop or branch of a user's rule, some of whose operands are tangents that stay unknown: the results that do not
/// depend on them are those of the same equation on zeros.
inline constexpr auto emit_in_parts = [](graph& g, int op, int const* in, int n, int at, int n_at, int n_out,
                                         int* out) {
  tracing::emit_as_it_is(g, op, in, n, at, n_at, n_out, out);
  auto depends = row_of(op).wide->depends;
  if (!depends) return;
  scratch_frame unknown(g, g.n_values, 0), operands(g, n, 0), results(g, n_out, 0), parts(g, n);
  tracing::each_unknown(g, unknown.data(), [](tracing::node_info const&) {});
  bool any = false, all = true;
  for (int k = 0; k < n; ++k) any = (operands[k] = unknown[in[k]]) || any;
  if (!any) return;
  depends(g, at, operands.data(), results.data());
  for (int k = 0; k < n_out; ++k) all = all && results[k];
  if (all) return;
  for (int k = 0; k < n; ++k) parts[k] = operands[k] ? full(&g, tracing::type_of({&g, in[k]}), 0).id : in[k];
  int copy = g.n_attrs;
  for (int k = 0; k < n_at; ++k) g.word(g.attrs[at + k]);
  tracing::mute(g, op, copy);
  int first = tracing::emit_wide(g, op, parts.data(), n, copy, n_at);
  for (int k = 0; k < n_out; ++k)
    if (!results[k]) out[k] = first + k;
};

constexpr void custom_p::tangents(eqn e, int const* t, int* out) {
  graph& g = *e.g;
  tracing::node_info const n = e.info();
  counts c = read(e.attrs());
  auto operand = [&](int k) { return var{&g, g.edges[n.edge + k]}; };
  for (int k = 0; k < c.captured; ++k)
    if (t[k] >= 0) return tracing::refuse<message::rule_captures>(&g);
  var_list captured(c.captured), primal(c.operands), dots(c.operands);
  for (int k = 0; k < c.captured; ++k) captured.push(operand(k));
  for (int k = 0; k < c.operands; ++k) {
    primal.push(operand(c.captured + k));
    dots.push(or_zero(g, t[c.captured + k], type_of(primal[k])));
  }
  auto set = [&](int k, int id) { out[k] = is_floating(type_of(e.out(k)).d) ? id : -1; };
  if (c.has_jvp) {
    var_list args(2 * c.operands + c.results), outs(c.results);
    for (int k = 0; k < c.operands; ++k) args.push(primal[k]);
    for (int k = 0; k < c.operands; ++k) args.push(dots[k]);
    for (int k = 0; k < c.results; ++k) args.push(e.out(k));
    tracing::unpack(g, block_of(g, n.attr, head, 1), captured.v, args.v, outs.v, nullptr, false, emit_in_parts);
    for (int k = 0; k < c.results; ++k) set(k, outs[k].id);
    return;
  }
  var_list outs(c.results + c.residuals), operands(c.residuals + c.operands);
  bool has_effects = block_of(g, n.attr, head, 0).has_effects();  // once, not twice
  tracing::unpack(g, block_of(g, n.attr, head, 1), captured.v, primal.v, outs.v, nullptr, has_effects);
  for (int k = 0; k < c.residuals; ++k) operands.push(outs[c.results + k]);
  for (int k = 0; k < c.operands; ++k) operands.push(dots[k]);
  // the backward block once more, as the block of the linear equation
  region r(g);
  block from = block_of(g, n.attr, head, 2);
  int inputs = from.inputs(), outputs = from.outputs(), at = block::head;
  var_list block_in(inputs), block_out(outputs);
  for (int k = 0; k < inputs; ++k) block_in.push(argument(&g, tracing::read_type(block_of(g, n.attr, head, 2), at)));
  tracing::unpack(g, block_of(g, n.attr, head, 2), captured.v, block_in.v, block_out.v);
  for (int k = 0; k < outputs; ++k) block_out.push(block_out.v[k]);
  nested_equation linear(g, 1);
  linear.pack(r, block_in, block_out);
  int y = linear_call_p::write(linear, {0, c.residuals, c.operands, c.results}, operands);
  for (int k = 0; k < c.results; ++k) set(k, y + k);
}

}  // namespace etna::ops
