// SPDX-License-Identifier: BSD-3-Clause
// What passes share that write scans anew: a scan's block is unpacked in a region of the new graph, changed, and
// packed. Read next: sums.hpp.
#pragma once
#include "pass.hpp"

namespace etna::rewrite {

using ops::scan_p;
using ops::scan_words;

constexpr bool is_loop(node_info const& n) { return n.op == code<scan_p> && n.level == 0; }
constexpr scan_words words_of_loop(graph const& g, node_info const& n) { return scan_words::read(g.attrs + n.attr); }
constexpr tracing::block body_of_loop(graph const& g, node_info const& n) {
  return {&g, n.attr + int(g.attrs[n.attr + scan_words::count])};
}
/// The equations of a loop's block, in a region of the new graph.
///
/// in        the loop's operands there
/// value_of  where given: the id of each of the block's values
constexpr void unpack_loop(writer& w, graph const& from, node_info const& n, int const* in, ops::var_list const& args,
                           ops::var_list& outs, int* value_of = nullptr) {
  int const captured = words_of_loop(from, n).captured;
  ops::var_list around(captured);
  for (int k = 0; k < captured; ++k) around.push({&w.to, in[k]});
  tracing::unpack(w.to, body_of_loop(from, n), around.v, args.v, outs.v, value_of);
}
/// While this lives, g's equations are written in the scope of that equation of a block, as a derivative's where it is
/// one.
class written_as {
 public:
  constexpr written_as(graph& g, tracing::block b, int equation) : g_(g), scope_(g.scope), derived_(g.derived) {
    g.scope = tracing::copy_scope(g, g.scopes, scope_, b, int(b[equation] >> tracing::block::op_bits));
    g.derived = tracing::block::is_derived(b[equation]);
  }
  constexpr ~written_as() { g_.scope = scope_, g_.derived = derived_; }
  written_as(written_as const&) = delete;

 private:
  graph& g_;
  int scope_;
  bool derived_;
};
/// These values, one after another, as an equation's results are.
constexpr int in_a_row(writer& w, ops::var_list const& values) {
  int first = 0;
  for (int k = 0; k < values.n; ++k) {
    int const id = w.write_new(code<ops::copy_p>, values[k].id, type_of(values[k]));
    if (k == 0) first = id;
  }
  return first;
}

}  // namespace etna::rewrite
