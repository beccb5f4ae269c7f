// SPDX-License-Identifier: BSD-3-Clause
// What a program computes, shared out over its arguments: a model's layers, by their parameters. Read next:
// ../nn/summary.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <algorithm>
#include <vector>

#include "cost.hpp"

namespace etna::compiler {

/// A step's work counts for the argument that it reads, the last of several; where it reads none, for that of what it
/// reads. What no argument of these reaches (a random mask) counts for none.
template <class Size> struct shares {
  costs<Size> cost;
  std::vector<work> of;  // by argument
  /// Of each buffer the argument that it is, or that it was computed with; -1: none.
  struct origin {
    int argument = -1;
    bool itself = false;
  };
  std::vector<origin> buffers;

  /// arguments  the first of the program's; those behind are data
  shares(planning::plan const& p, Size const& size, int arguments)
      : cost{p, size}, of(std::size_t(arguments)), buffers(std::size_t(p.n_buffers)) {
    frame const& all = p.frames[p.n_frames - 1];
    for (int b = all.buffer; b < all.buffer + all.buffers; ++b)
      if (p.buffers[b].kind == planning::buffer::argument && p.buffers[b].index < arguments)
        at(b) = {p.buffers[b].index, true};
    read(all, 1);
  }

 private:
  origin& at(int buffer) { return buffers[std::size_t(buffer)]; }
  origin latest(view_in_step const* v, int n) {
    origin r;
    for (int k = 0; k < n; ++k)
      if (v[k].buffer >= 0)
        if (origin const o = at(v[k].buffer); std::pair{o.itself, o.argument} > std::pair{r.itself, r.argument}) r = o;
    return r;
  }
  void read(frame const& f, amount const& times) {
    for (int i = f.step; i < f.step + f.steps; ++i) {
      step const& s = cost.p.steps[i];
      view_in_step const* const in = cost.p.views + s.view;
      view_in_step const* const out = in + s.inputs;
      int const which = latest(in, s.inputs).argument;
      for (int k = 0; k < s.outputs; ++k)
        if (out[k].buffer >= 0) at(out[k].buffer) = {which, false};
      if (is_nested(s)) nested(s, in, out, times);
      else if (which >= 0) of[std::size_t(which)].add(cost.of(s), times);
    }
  }
  /// Of a branch the block that computes most, as costs are. Behind what chooses it stand the blocks' arguments.
  void nested(step const& s, view_in_step const* in, view_in_step const* out, amount const& times) {
    bool const takes_one = planning::facts_of(s).takes_one;
    int const first = takes_one ? 1 : 0, n = cost.blocks(s);
    auto flops = [&](int k) { return cost.of(cost.block(s, k)).flops.number(); };
    int most = 0;
    for (int k = 1; takes_one && k < n; ++k)
      if (flops(k) > flops(most)) most = k;
    for (int k = takes_one ? most : 0; k < (takes_one ? most + 1 : n); ++k) {
      frame const& f = cost.block(s, k);
      for (int j = first; j < s.inputs; ++j)
        if (in[j].buffer >= 0) at(f.buffer + j - first) = at(in[j].buffer);
      read(f, times * cost.rounds(s));
      for (int j = 0; j + 1 < s.outputs && k + 1 == (takes_one ? most + 1 : n); ++j)
        if (out[j].buffer >= 0) at(out[j].buffer) = {at(f.result + j).argument, false};
    }
  }
};
template <class Size> shares(planning::plan const&, Size const&, int) -> shares<Size>;

}  // namespace etna::compiler

#include <etna/set_back.hpp>
