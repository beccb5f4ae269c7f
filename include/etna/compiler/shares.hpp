// SPDX-License-Identifier: BSD-3-Clause
// What a program computes, shared out over its arguments: a model's layers, by their parameters. Read next:
// ../nn/summary.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <utility>
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
    auto flops = [&](int k) { return cost.of(cost.block(s, k)).flops.number(); };
    int from = 0, to = cost.blocks(s);
    if (takes_one) {
      for (int k = 1; k < to; ++k)
        if (flops(k) > flops(from)) from = k;
      to = from + 1;
    }
    for (int k = from; k < to; ++k) {
      frame const& f = cost.block(s, k);
      for (int j = takes_one; j < s.inputs; ++j)
        if (in[j].buffer >= 0) at(f.buffer + j - takes_one) = at(in[j].buffer);
      read(f, times * cost.rounds(s));
    }
    for (int j = 0; j + 1 < s.outputs; ++j)  // the last is memory to work in
      if (out[j].buffer >= 0) at(out[j].buffer) = {at(cost.block(s, to - 1).result + j).argument, false};
  }
};
template <class Size> shares(planning::plan const&, Size const&, int) -> shares<Size>;

}  // namespace etna::compiler

#include <etna/set_back.hpp>
