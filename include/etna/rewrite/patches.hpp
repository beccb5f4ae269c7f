// SPDX-License-Identifier: BSD-3-Clause
// Which updates are patches: an element of one operand or of the other, in the kernel that reads it. So padding and
// joining are no copies where a kernel may read the parts where they lie. Read next: legalize.hpp.
#pragma once
#include <etna/tuning.hpp>

#include "view.hpp"

namespace etna::rewrite {

/// A block in an array, by its attributes and its type.
struct region {
  std::int64_t const* attr;
  tensor_type const& part;
  tensor_type const& whole;
  constexpr extent begin(int i) const { return ops::update_dim::read(attr, i).start; }
  constexpr extent end(int i) const { return begin(i) + part.e[i]; }
  constexpr bool is_whole(int i) const { return part.e[i] == whole.e[i]; }
  /// Is it a quarter of the array at least, in short runs?
  constexpr bool is_interleaved() const {
    if (!part.is_static() || 4 * part.size() < whole.size()) return false;
    extent run = 1;
    for (int i = whole.rank - 1; i >= 0 && run < tuning::patch::least_run; --i) {
      run *= part.e[i];
      if (!is_whole(i)) return run < tuning::patch::least_run;
    }
    return false;
  }
  /// No steps, and not empty.
  constexpr bool is_solid() const {
    for (int i = 0; i < whole.rank; ++i)
      if (ops::update_dim::read(attr, i).step != 1 || part.e[i] == 0) return false;
    return true;
  }
  /// Are the two all of the array, side by side?
  constexpr bool completes(region const& r) const {
    int parted = 0;
    for (int i = 0; i < whole.rank; ++i) {
      if (is_whole(i) && r.is_whole(i)) continue;
      ++parted;
      bool first = begin(i) == 0 && end(i) == r.begin(i) && r.end(i) == whole.e[i];
      bool last = r.begin(i) == 0 && r.end(i) == begin(i) && end(i) == whole.e[i];
      if (!first && !last) return false;
    }
    return parted == 1;
  }
};

/// The patch n reads a whole array (the root of its second operand) moved along the rows: out[k] is u[k + shift]
/// wherever that is in the row. 0: it does something else.
constexpr extent shift_of(graph const& g, view const* of, node_info const& n) {
  int u = g.edges[n.edge + 1];
  tensor_type const &out = g.values[n.value].type, &part = g.values[u].type, &whole = g.values[of[u].root].type;
  if (!out.is_static() || !out.same_shape(whole)) return 0;
  int last = out.rank - 1;
  while (last >= 0 && out.e[last] == 1) --last;
  if (last < 0 || out.e[last] * bytes_of(out.d) < tuning::stencil::least_row) return 0;
  extent full[max_rank]{};
  row_major(whole, full);
  for (int i = 0; i < out.rank; ++i)
    if (out.e[i] != 1 && (of[u].stride[i] != full[i] || (i != last && part.e[i] != out.e[i]))) return 0;
  extent const by = out.e[last] - part.e[last], begin = ops::update_dim::read(g.attrs + n.attr, last).start;
  if (by < 1 || by > tuning::stencil::most_shift) return 0;
  if (begin == 0 && of[u].offset == by) return by;
  return begin == by && of[u].offset == 0 ? -by : 0;
}

/// An update in a graph with views: what a patch in its place is made of.
struct patching {
  graph const& g;
  view const* of;
  bool in_block;  // where an argument is not to be overwritten, so that an update is a copy of it

  constexpr node_info const& root(int id) const { return g.nodes[g.values[of[id].root].node]; }
  /// The constant that this is, also where it has been given memory; else -1.
  constexpr int constant(int id) const {
    node_info const& n = root(id);
    if (n.op == code<ops::copy_p>) id = g.edges[n.edge];
    return root(id).op == code<ops::full_p> ? id : -1;
  }
  /// What x and u may be read as in a patch; false where an update is better.
  struct operands {
    int x, u;
    bool fill;
    std::int64_t const* attr;
  };

  /// fill: x is the constant that is operand x, for all elements outside the block.
  constexpr bool find(int const* in, std::int64_t const* attr, tensor_type const& out, operands& p) const {
    region block{attr, g.values[in[1]].type, out};
    extent size = out.size();
    if ((size >= 0 && size < tuning::patch::least) || !block.is_solid() || block.is_interleaved()) return false;
    p = {in[0], in[1], false, attr};
    node_info const& below = root(in[0]);
    bool is_own = of[in[0]].root == in[0];  // not moved
    if (is_own && (below.op == code<ops::update_p> || below.op == code<ops::patch_p>)) {
      int const* under = g.edges + below.edge;
      region other{g.attrs + below.attr, g.values[under[1]].type, out};
      if (other.is_solid() && block.completes(other)) {
        if (int c = constant(under[1]); c >= 0) p = {c, in[1], true, attr};
        else if (c = constant(in[1]); c >= 0) p = {c, under[1], true, other.attr};
        if (p.fill) return reads(p.u, out);
      }
    }
    return (below.op == code<ops::full_p> || (in_block && below.op == code<ops::input_p>) ||
            (is_own && below.op == code<ops::patch_p> && depth(in[0]) < tuning::patch::most_nested)) &&
           reads(p.u, out);
  }

 private:
  /// Elements of the last axis lie side by side.
  constexpr bool reads(int u, tensor_type const& out) const {
    if (is_virtual(g, of[u])) return false;
    for (int i = out.rank - 1; i >= 0; --i)
      if (out.e[i] != 1) return g.values[u].type.e[i] == 1 || of[u].stride[i] == 1;
    return true;
  }
  constexpr int depth(int id) const {
    int n = 1;
    for (id = g.edges[root(id).edge]; root(id).op == code<ops::patch_p>; id = g.edges[root(id).edge]) ++n;
    return n;
  }
};

}  // namespace etna::rewrite
