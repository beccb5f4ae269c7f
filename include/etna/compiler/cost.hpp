// SPDX-License-Identifier: BSD-3-Clause
// What a step costs: operations, and memory that it must read and write. Numbers where sizes are known, else sums of
// products of names. Read next: ../exec/explain.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <string>

#include "show.hpp"

namespace etna::compiler {

using planning::facts_of;
using planning::frame;
using planning::frame_list;
using planning::frames_of;
using planning::is_nested;
using planning::level;
using planning::most_loops;
using planning::nest;
using planning::step_loop;
using planning::view_in_step;

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
  planning::plan p;
  Size const& size;

  /// The loops of a step, as numbers or names.
  int loops(step const& s, step_loop* l) const {
    int const n = facts_of(s).loops(p, s, l);
    for (int i = 0; i < n; ++i) l[i].n = size(l[i].n);
    return n;
  }
  /// Of what a step writes.
  dtype type_of(step const& s) const {
    int const last = s.inputs + s.outputs - (is_nested(s) ? 2 : 1);  // behind it a nested step has its workspace
    int const b = last >= 0 ? p.views[s.view + last].buffer : -1;
    return b >= 0 ? p.buffers[b].d : dtype::f32;
  }
  /// Arguments and results of the program, rvalue arguments donated.
  amount argument_bytes() const {
    amount all;
    planning::frame const& f = p.frames[p.n_frames - 1];
    for (int b = f.buffer; b < f.buffer + f.buffers; ++b)
      if (buffer const& x = p.buffers[b]; x.kind == buffer::argument || (x.kind == buffer::result && x.donor < 0))
        all += bytes(b);
    return all;
  }
  amount bytes(int b) const { return amount(size(p.buffers[b].size)) * bytes_of(p.buffers[b].d); }
  /// At most b; where nobody knows which is smaller, a.
  static amount at_most(amount const& b, amount const& a) {
    return !a.known || (a.is_number() && b.is_number() && b.number() < a.number()) ? b : a;
  }

  /// Elements that a view walks over, each once; all of the buffer where its row says no more.
  amount touched(step const& s, int k) const {
    step_loop l[most_loops]{};
    extent e[most_loops]{};
    facts_of(s).loops(p, s, l);
    int const walked = facts_of(s).walked(p, s, k, l, e);
    amount n = walked < 0 ? ext::invalid : 1;
    for (int i = 0; i < walked; ++i) n = n * size(e[i]);
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
    step_loop l[most_loops]{};
    int n = loops(s, l);
    amount all = 1, kept = 1;
    for (int i = 0; i < n; ++i) {
      all = all * l[i].n;
      if (!l[i].summed) kept = kept * l[i].n;
    }
    planning::step_flops const f = facts_of(s).flops(p, s);
    return (all * f.all) += kept * f.kept;
  }

  /// How often a nested step runs the frames of its blocks: a scan all its rounds, others once.
  amount rounds(step const& s) const {
    extent const n = facts_of(s).rounds(p, s);
    return n == ext::invalid ? 1 : size(n);
  }
  int blocks(step const& s) const { return frames_of(p, s).n; }
  frame const& block(step const& s, int k) const { return p.frames[frames_of(p, s)[k]]; }

  work of(frame const& f) const {
    work w;
    for (int i = f.step; i < f.step + f.steps; ++i) w.add(of(p.steps[i]), 1);
    return w;
  }
  /// Of one launch. Of a loop all its rounds (of a while loop, whose number nobody knows, one), of a branch the block
  /// that computes most.
  work of(step const& s) const {
    work w;
    if (facts_of(s).takes_one) {
      for (int k = 0; k < blocks(s); ++k)
        if (work x = of(block(s, k)); k == 0 || x.flops.number() > w.flops.number()) w = x;
    } else if (is_nested(s)) {
      for (int k = 0; k < blocks(s); ++k) w.add(of(block(s, k)), rounds(s));
    } else {
      view_in_step const* v = p.views + s.view;
      if (planning::is<planning::routine_step>(s) && s.kernel == ops::code<ops::awaited_p> &&
          v[0].buffer == v[s.inputs].buffer)
        return w;  // what ranks made together is there already
      // what is written in the place of its first operand reads and writes there only what the others say
      bool in_place = !planning::is<planning::kernel_step>(s) && s.outputs == 1 && v[0].buffer == v[s.inputs].buffer;
      w.flops = flops(s);
      w.read = traffic(s, in_place ? 1 : 0, s.inputs);
      w.written = in_place ? at_most(bytes(v[0].buffer), w.read) : traffic(s, s.inputs, s.inputs + s.outputs);
    }
    return w;
  }
};
template <class Size> costs(planning::plan const&, Size const&) -> costs<Size>;

}  // namespace etna::compiler

#include <etna/set_back.hpp>
