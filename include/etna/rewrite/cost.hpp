// SPDX-License-Identifier: BSD-3-Clause
// What a step costs: operations, and memory that it must read and write. In extents: numbers where sizes are known,
// else in names. Read next: ../exec/explain.hpp.
#pragma once
#include <utility>
#include <vector>

#include "show.hpp"

namespace etna::rewrite {

/// Floating-point operations, and bytes.
struct work {
  extent flops = 0, read = 0, written = 0;
  constexpr void add(work const& w, extent times) {
    flops = ext::add(flops, ext::mul(times, w.flops));
    read = ext::add(read, ext::mul(times, w.read));
    written = ext::add(written, ext::mul(times, w.written));
  }
};

/// Costs of a plan's steps for some sizes.
///
/// Size    makes an extent a number, or leaves it in names
template <class Size> struct costs {
  plan_parts p;
  Size const& size;

  /// The loops of a step, in which a view has a stride each; what the last `summed` of them leave is one.
  static constexpr int most_loops = max_rank + 1;
  struct loop { extent n; bool summed; };
  int loops(step const& s, loop* l) const {
    int n = 0;
    if (s.kind == step_kind::contraction)
      for (; n < 4; ++n) l[n] = {size(s.loop[n]), n == 3};  // batch, m, n, k
    else if (s.kind == step_kind::scatter)
      for (; n < 5; ++n) l[n] = {size(s.loop[n]), false};
    else if (s.kind == step_kind::fused) {
      std::int64_t form = p.words[p.kernel_at[s.kernel]];  // 0: elements, 1: rows, 2: columns
      for (; n < s.n_outer + s.n_mid; ++n) l[n] = {size(s.loop[n]), form != 0 && n >= s.n_outer};
      l[n++] = {size(s.inner), form == 1};
    }
    return n;
  }
  extent bytes(int b) const { return ext::mul(size(p.buffers[b].size), bytes_of(p.buffers[b].d)); }
  static extent smaller(extent a, extent b) { return a >= 0 && b >= 0 ? (a < b ? a : b) : b; }

  /// Elements that a view walks over, each once; an index may choose all of them.
  extent touched(step const& s, int k) const {
    view_in_step const& v = p.views[s.view + k];
    extent n = 1;
    if (s.kind == step_kind::routine) {
      for (int i = 0; i < int(v.inner); ++i) n = ext::mul(n, size(v.stride[i]));
      return n;
    }
    loop l[most_loops]{};
    int n_loops = loops(s, l);
    if (s.kind == step_kind::contraction) {
      int const of[3][3] = {{0, 1, 3}, {0, 3, 2}, {0, 1, 2}};  // a, b, the result
      if (k > 2) return ext::invalid;
      for (int i = 0; i < 3; ++i)
        if (k >= s.inputs || v.stride[i] != 0) n = ext::mul(n, l[of[k][i]].n);
      return n;
    }
    if (s.kind != step_kind::fused) return ext::invalid;  // all of the buffer
    for (int i = 0; i < n_loops; ++i)
      if (v.gather_size != 0 || (i + 1 < n_loops ? v.stride[i] : v.inner) != 0) n = ext::mul(n, l[i].n);
    return n;
  }
  /// Bytes of the buffers of views [from, to): of each what is touched, at most all of it.
  extent traffic(step const& s, int from, int to) const {
    extent all = 0;
    view_in_step const* v = p.views + s.view;
    for (int k = from; k < to; ++k) {
      bool seen = v[k].buffer < 0;  // a ramp is no memory
      for (int j = from; j < k; ++j) seen = seen || v[j].buffer == v[k].buffer;
      if (seen) continue;
      extent n = 0;
      for (int j = k; j < to; ++j)
        if (v[j].buffer == v[k].buffer) n = ext::add(n, touched(s, j));
      all = ext::add(all, n == ext::invalid ? bytes(v[k].buffer) : smaller(ext::mul(n, bytes_of(p.buffers[v[k].buffer].d)), bytes(v[k].buffer)));
    }
    return all;
  }

  extent flops(step const& s) const {
    if (p.is_static) return s.flops;
    loop l[most_loops]{};
    int n = loops(s, l);
    extent all = 1, kept = 1;
    for (int i = 0; i < n; ++i) {
      all = ext::mul(all, l[i].n);
      if (!l[i].summed) kept = ext::mul(kept, l[i].n);
    }
    if (s.kind == step_kind::contraction) return ext::mul(2, all);
    extent sum = 0;
    if (s.kind == step_kind::routine) sum = ext::mul(touched(s, s.inputs), ops::table.at[s.kernel].flops);
    else if (s.kind == step_kind::fused)
      p.each_operation(s, [&](stmt_head h) { sum = ext::add(sum, ext::mul(h.at == level::row ? kept : all, ops::table.at[h.op].flops)); });
    return sum;
  }

  /// How often a nested step runs the frames of its blocks: a scan all its rounds, others once.
  extent rounds(step const& s) const { return s.kind == step_kind::scan ? size(p.numbers[s.number]) : 1; }
  int blocks(step const& s) const {
    return s.kind == step_kind::scan ? 1 : s.kind == step_kind::loop ? 2 : is_nested(s.kind) ? int(p.numbers[s.number]) : 0;
  }
  frame const& block(step const& s, int k) const { return p.frames[frames_of(s, p.numbers + s.number)[k]]; }

  work of(frame const& f) const {
    work w;
    for (int i = f.step; i < f.step + f.steps; ++i) w.add(of(p.steps[i]), 1);
    return w;
  }
  /// Of one launch. Of a loop all its rounds (of a while loop, whose number nobody knows, one), of a branch the block that
  /// computes most.
  work of(step const& s) const {
    work w;
    if (s.kind == step_kind::branch) {
      for (int k = 0; k < blocks(s); ++k)
        if (work x = of(block(s, k)); k == 0 || x.flops > w.flops) w = x;
    } else if (is_nested(s.kind)) {
      for (int k = 0; k < blocks(s); ++k) w.add(of(block(s, k)), rounds(s));
    } else {
      view_in_step const* v = p.views + s.view;
      // what replaces its operand in its place reads and writes there only what the others say
      bool in_place = s.kind != step_kind::fused && s.outputs == 1 && v[0].buffer == v[s.inputs].buffer;
      w.flops = flops(s);
      w.read = traffic(s, in_place ? 1 : 0, s.inputs);
      w.written = in_place ? smaller(w.read, bytes(v[0].buffer)) : traffic(s, s.inputs, s.inputs + s.outputs);
    }
    return w;
  }
};
template <class Size> costs(plan_parts const&, Size const&) -> costs<Size>;

}  // namespace etna::rewrite
