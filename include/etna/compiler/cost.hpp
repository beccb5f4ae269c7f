// SPDX-License-Identifier: BSD-3-Clause
// What a step costs: operations, and memory that it must read and write. Numbers where sizes are known, else sums of
// products of names. Read next: ../exec/explain.hpp.
#pragma once
#include <string>

#include "show.hpp"

namespace etna::compiler {

using planning::frame_list;
using planning::is_nested;
using planning::level;
using planning::nest;
using planning::nest_of;
using planning::operations_of_sum;
using planning::scaled_by;

/// A sum of products of extents, larger than an extent can say: 10400+80*batch. Not known where it is too long.
struct amount {
  ext::terms sum;
  bool known = true;
  amount(extent e = 0) : known(e != ext::invalid) {
    if (known) sum = ext::split(e);
  }
  amount& operator+=(amount const& x) {
    for (int i = 0; i < x.sum.n; ++i) sum.add(x.sum.t[i]);
    known = known && x.known && sum.fits;
    return *this;
  }
  friend amount operator*(amount const& x, amount const& y) {
    amount r;
    r.known = x.known && y.known;
    for (int i = 0; r.known && i < x.sum.n; ++i)
      for (int j = 0; r.known && j < y.sum.n; ++j) {
        r.known = x.sum.t[i].degree() + y.sum.t[j].degree() <= 3;
        if (r.known) r.sum.add(ext::product(x.sum.t[i], y.sum.t[j]));
      }
    r.known = r.known && r.sum.fits;
    return r;
  }
  bool is_number() const { return known && (sum.n == 0 || (sum.n == 1 && sum.t[0].degree() == 0)); }
  /// The number; -1 where there is none.
  extent number() const { return !is_number() ? -1 : sum.n == 0 ? 0 : sum.t[0].k; }
  std::string text() const {
    if (!known) return "?";
    std::string s;
    for (int i = 0; i < sum.n; ++i) {
      ext::term const& t = sum.t[i];
      s += i > 0 && t.k >= 0 ? "+" : "";
      if (t.k != 1 || t.degree() == 0) s += std::to_string(t.k) + (t.degree() > 0 ? "*" : "");
      for (int k = 0; k < t.degree(); ++k) {
        char name[24]{};
        *ext::write_name(name, t.n[k]) = 0;
        s += (k > 0 ? "*" : "") + std::string(name);
      }
    }
    return s.empty() ? "0" : s;
  }
};

/// Floating-point operations, and bytes.
struct work {
  amount flops, read, written;
  void add(work const& w, amount const& times) {
    flops += times * w.flops;
    read += times * w.read;
    written += times * w.written;
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
  struct loop {
    extent n;
    bool summed;
  };
  int loops(step const& s, loop* l) const {
    int n = 0;
    if (s.kind == step_kind::contraction)
      for (; n < 4; ++n) l[n] = {size(s.loop[n]), n == 3};  // batch, m, n, k
    else if (s.kind == step_kind::scatter)
      for (; n < 5; ++n) l[n] = {size(s.loop[n]), false};
    else if (s.kind == step_kind::fused) {
      nest const order = nest_of(p, s);
      for (; n < s.n_outer + s.n_mid; ++n) l[n] = {size(s.loop[n]), n >= s.n_outer};
      l[n++] = {size(s.inner), order == nest::rows || order == nest::across_rows};
    }
    return n;
  }
  amount bytes(int b) const { return amount(size(p.buffers[b].size)) * bytes_of(p.buffers[b].d); }
  /// At most b; where nobody knows which is smaller, a.
  static amount at_most(amount const& b, amount const& a) {
    return !a.known || (a.is_number() && b.is_number() && b.number() < a.number()) ? b : a;
  }

  /// Elements that a view walks over, each once; an index may choose all of them.
  amount touched(step const& s, int k) const {
    view_in_step const& v = p.views[s.view + k];
    amount n = 1;
    loop l[most_loops]{};
    int n_loops = loops(s, l);
    if (s.kind == step_kind::routine)
      for (int i = 0; i < int(v.inner); ++i) n = n * size(v.stride[i]);
    else if (s.kind == step_kind::contraction) {
      int const of[3][3] = {
          {0, 1, 3}, {0, 3, 2}, {0, 1, 2}};  // a, b, the result, which is as large as what it is added to
      if (k == scaled_by && k < s.inputs) return 1;
      for (int i = 0; i < 3; ++i)
        if (k >= added_to || v.stride[i] != 0) n = n * l[of[k < added_to ? k : 2][i]].n;
    } else if (s.kind == step_kind::fused) {
      for (int i = 0; i < n_loops; ++i)
        if (v.gather_size != 0 || (i + 1 < n_loops ? v.stride[i] : v.inner) != 0) n = n * l[i].n;
    } else return ext::invalid;  // all of the buffer
    return n;
  }
  /// Bytes of the buffers of views [from, to): of each what is touched, at most all of it.
  amount traffic(step const& s, int from, int to) const {
    amount all;
    view_in_step const* v = p.views + s.view;
    for (int k = from; k < to; ++k) {
      bool seen = v[k].buffer < 0;  // a ramp is no memory
      for (int j = from; j < k; ++j) seen = seen || v[j].buffer == v[k].buffer;
      if (seen) continue;
      amount n;
      for (int j = k; j < to; ++j)
        if (v[j].buffer == v[k].buffer) n += touched(s, j);
      all += at_most(bytes(v[k].buffer), n * bytes_of(p.buffers[v[k].buffer].d));
    }
    return all;
  }

  amount flops(step const& s) const {
    if (p.is_static) return s.flops;
    loop l[most_loops]{};
    int n = loops(s, l);
    amount all = 1, kept = 1, sum;
    for (int i = 0; i < n; ++i) {
      all = all * l[i].n;
      if (!l[i].summed) kept = kept * l[i].n;
    }
    if (s.kind == step_kind::contraction) {
      sum += all * 2;
      return sum += kept * operations_of_sum(p, s);
    }
    if (s.kind == step_kind::routine) return touched(s, s.inputs) * ops::table.at[s.kernel].flops;
    if (s.kind == step_kind::fused)
      p.each_operation(s, [&](stmt_head h) { sum += (h.at == level::row ? kept : all) * ops::table.at[h.op].flops; });
    return sum;
  }

  /// How often a nested step runs the frames of its blocks: a scan all its rounds, others once.
  amount rounds(step const& s) const { return s.kind == step_kind::scan ? size(p.numbers[s.number]) : 1; }
  int blocks(step const& s) const { return is_nested(s.kind) ? frame_list(p, s).n : 0; }
  frame const& block(step const& s, int k) const { return p.frames[frame_list(p, s)[k]]; }

  work of(frame const& f) const {
    work w;
    for (int i = f.step; i < f.step + f.steps; ++i) w.add(of(p.steps[i]), 1);
    return w;
  }
  /// Of one launch. Of a loop all its rounds (of a while loop, whose number nobody knows, one), of a branch the block
  /// that computes most.
  work of(step const& s) const {
    work w;
    if (s.kind == step_kind::branch) {
      for (int k = 0; k < blocks(s); ++k)
        if (work x = of(block(s, k)); k == 0 || x.flops.number() > w.flops.number()) w = x;
    } else if (is_nested(s.kind)) {
      for (int k = 0; k < blocks(s); ++k) w.add(of(block(s, k)), rounds(s));
    } else {
      view_in_step const* v = p.views + s.view;
      // what replaces its operand in its place reads and writes there only what the others say
      bool in_place = s.kind != step_kind::fused && s.outputs == 1 && v[0].buffer == v[s.inputs].buffer;
      w.flops = flops(s);
      w.read = traffic(s, in_place ? 1 : 0, s.inputs);
      w.written = in_place ? at_most(bytes(v[0].buffer), w.read) : traffic(s, s.inputs, s.inputs + s.outputs);
    }
    return w;
  }
};
template <class Size> costs(plan_parts const&, Size const&) -> costs<Size>;

}  // namespace etna::compiler
