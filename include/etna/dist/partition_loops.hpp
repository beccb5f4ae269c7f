// SPDX-License-Identifier: BSD-3-Clause
// Loops and branches of a partitioned graph: a scan's carry and slices are cut as its block leaves them; others run on
// whole arrays. Read next: sharded_jit.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include "partition_values.hpp"
#include <etna/ops/scanning.hpp>
#include <etna/rewrite/expand.hpp>

namespace etna::dist::detail {

/// A graph in which calls of functions are written out, and nothing is dead.
struct written_out : tracing::working {
  tracing::bounded_graph a, b;
  tracing::zeros<int> outputs_of_a, outputs_of_b;
  graph const* g = nullptr;
  int const* outputs = nullptr;

  constexpr void make(graph const& from, int const* out, int n_out) {
    rewrite::subject s{&from, out, n_out, false, nullptr, nullptr};
    rewrite::keep_live(s, a.g, outputs_of_a.at);
    g = &a.g;
    outputs = outputs_of_a.at;
    for (bool to_b = true;; to_b = !to_b) {
      tracing::bounded_graph& to = to_b ? b : a;
      int* const to_outputs = to_b ? outputs_of_b.at : outputs_of_a.at;
      rewrite::subject next{g, outputs, n_out, false, nullptr, nullptr};
      tracing::clear(to);
      if (!rewrite::expand(next, to.g, to_outputs)) return;
      g = &to.g;
      outputs = to_outputs;
    }
  }
};
/// The block of a loop, as a graph whose arguments are what it captures, and then its inputs.
struct block_as_graph : tracing::working {
  tracing::bounded_graph body;
  written_out whole;
  tracing::zeros<var> in, out;
  tracing::zeros<int> ids;
  constexpr block_as_graph(graph const& from, tracing::node_info const& n, tracing::block b, int captured) {
    int number = 0, at = tracing::block::head;
    for (int k = 0; k < captured; ++k, ++number)
      in.at[number] = ops::argument(&body.g, from.values[from.edges[n.edge + k]].type, number);
    for (int k = 0; k < b.inputs(); ++k, ++number)
      in.at[number] = ops::argument(&body.g, tracing::read_type(b, at), number);
    tracing::unpack(body.g, b, in.at, in.at + captured, out.at);
    for (int k = 0; k < b.outputs(); ++k) ids.at[k] = out.at[k].id;
    whole.make(body.g, ids.at, b.outputs());
  }
};

/// The equation on whole arrays, word by word.
constexpr void partitioner::as_it_is(tracing::node_info const& n) {
  auto* in = new int[std::size_t(n.operands + 1)]{};
  for (int k = 0; k < n.operands; ++k) in[k] = wanted(operand(n, k), nowhere, n.op, reason::loop);
  int const at = to_.n_attrs;
  for (int k = 0; k < n.attrs; ++k) to_.word(from_.attrs[n.attr + k]);
  int const first = tracing::emit_wide(to_, n.op, in, n.operands, at, n.attrs);
  delete[] in;
  for (int k = 0; k < n.results; ++k) here_[n.value + k].id = first + k;
}

/// How a block's outputs are cut; the carry is cut so as well from now on. Is it as it was?
constexpr bool partitioner::settles(partitioner& inner, int const* outputs, int n_out, int carry, cut* carry_cuts,
                                    cut* out_cuts) const {
  bool same = true;
  for (int k = 0; k < n_out; ++k) {
    here_as const& x = inner.at(outputs[k]);
    cut const c = x.is_free ? nowhere : x.by;
    for (int m = 0; m < mesh_.axes && k < carry; ++m) {
      bool taken = carry_cuts[k].of[m] >= 0 || c.of[m] < 0;  // two axes of the mesh do not cut one of an array
      for (int j = 0; j < mesh_.axes; ++j) taken = taken || carry_cuts[k].of[j] == c.of[m];
      if (taken) continue;
      carry_cuts[k].of[m] = c.of[m];
      same = false;
    }
    out_cuts[k] = k < carry ? carry_cuts[k] : c;
  }
  return same;
}
/// A scan on parts. A carry that begins whole, and that the block leaves cut, is cut from the beginning.
constexpr void partitioner::scan(tracing::node_info const& n) {
  ops::scan_words h = ops::scan_words::read(from_.attrs + n.attr);
  tracing::block const b = ops::scan_p::body(const_cast<graph&>(from_), n.attr);
  block_as_graph const body(from_, n, b, h.captured);
  int const n_in = h.carry + h.xs, n_out = b.outputs();
  auto* cuts = new cut[std::size_t(h.captured + n_in + n_out)]{};
  auto of_operand = [&](int k) {
    here_as const& x = here_[operand(n, k)];
    cut c = x.is_free ? nowhere : x.by;
    for (int m = 0; m < mesh_.axes && k >= h.captured + h.carry; ++m)
      if (c.of[m] == 0) c.of[m] = -1;  // the loop goes along it
    return c;
  };
  for (int k = 0; k < h.captured + n_in; ++k) cuts[k] = of_operand(k);
  cut* const out_cuts = cuts + h.captured + n_in;
  auto* captured = new int[std::size_t(h.captured + 1)]{};
  for (int k = 0; k < h.captured; ++k) captured[k] = wanted(operand(n, k), cuts[k], n.op, reason::loop);
  int y = -1;
  for (bool done = false; !done;) {
    ops::nested_equation w(to_, 1);
    tracing::region r(to_);
    ops::var_list in(n_in), out(n_out);
    put_in_list said;
    partitioner inner(*body.whole.g, mesh_, to_, said);
    for (int k = 0; k < h.captured; ++k) inner.argument(k, captured[k], cuts[k]);
    for (int k = 0; k < n_in; ++k) {
      bool const slice = k >= h.carry;
      cut c = cuts[h.captured + k];
      tensor_type t = mesh_.part(type_at(operand(n, h.captured + k)), c);
      for (int m = 0; m < mesh_.axes && slice; ++m) c.of[m] -= c.of[m] >= 0;
      in.push(ops::argument(&to_, slice ? t.drop(0) : t));
      inner.argument(h.captured + k, in[k].id, c);
    }
    inner.run();
    done = settles(inner, body.whole.outputs, n_out, h.carry, cuts + h.captured, out_cuts);
    for (int k = 0; k < n_out && done; ++k)
      out.push({&to_, inner.wanted(body.whole.outputs[k], out_cuts[k], n.op, reason::loop)});
    if (!done) {
      r.close();
      continue;
    }
    w.pack(r, in, out);
    for (int k = 0; k < said.n; ++k) {
      put_in p = said.at[k];
      p.node = node_;
      said_.add(p);
    }
    ops::var_list operands(n_in);
    for (int k = 0; k < n_in; ++k)
      operands.push({&to_, wanted(operand(n, h.captured + k), cuts[h.captured + k], n.op, reason::loop)});
    y = ops::scan_p::write(w, {h.length, h.reverse, h.recompute, 0, h.carry, h.xs, h.ys}, operands);
  }
  for (int k = 0; k < n.results; ++k) {
    cut c = out_cuts[k];
    for (int m = 0; m < mesh_.axes && k >= h.carry; ++m) c.of[m] += c.of[m] >= 0;
    here_[n.value + k].id = y + k, here_[n.value + k].by = c;
  }
  delete[] cuts;
  delete[] captured;
}

constexpr void partitioner::run() {
  int scope = 0;
  int const outer = to_.scope;
  for (int i = 0; i < from_.n_nodes; ++i) {
    tracing::node_info const& n = from_.nodes[i];
    if (n.level > 0 || n.op == tracing::input_op) continue;
    node_ = i;
    if (n.scope != scope) {
      scope = n.scope;
      to_.scope = tracing::copy_scope(to_, to_.scopes, outer, tracing::block{&from_, 0}, scope);
    }
    to_.derived = n.derived;
    ops::row const& row = ops::table.at[n.op];
    bool const spreads = row.form == ops::form::broadcast && !is_cut(operand(n, 0));
    bool is_free = !row.effect && !row.wide.there, any = false;
    for (int k = 0; k < n.operands; ++k) {
      is_free = is_free && here_[operand(n, k)].is_free;
      any = any || is_cut(operand(n, k));
    }
    if (is_free || spreads)
      for (int k = 0; k < n.results; ++k) here_[n.value + k].is_free = true;
    else if (row.wide.there && row.form == ops::form::scan && any) scan(n);
    else if (row.wide.there) as_it_is(n);
    else place(n);
  }
  to_.scope = outer;
  to_.derived = false;
}

}  // namespace etna::dist::detail

#include <etna/set_back.hpp>
