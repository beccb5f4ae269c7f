// SPDX-License-Identifier: BSD-3-Clause
// Stages of a stencil: kernels of one loop, each of which reads what those before it wrote, some elements beside. They
// run tile by tile, so that what they hand on is still in the first cache; a stage lags behind the others as far as it
// looks ahead of itself. Read next: planner.hpp.
#pragma once
#include "groups.hpp"

namespace etna::planning {

class stencils : groups {
 public:
  constexpr stencils(draft& p, frame const& f) : groups(p, f) {
    for (int s = f.step; s < end_;) s += p.steps[s].grouped ? p.steps[s].grouped : group(s);
  }

 private:
  using limits = tuning::stencil_tile;

  constexpr bool is_stage(step const& st) const {
    return is<kernel_step>(st) && nest_of(p_, st) == nest::pointwise && st.n_mid == 0 && st.n_outer <= 1 &&
           st.inner > 0 && (st.n_outer == 0 || st.loop[0] > 0) && has_results_in_order(st);
  }
  constexpr bool has_results_in_order(step const& st) const {
    for (int k = st.inputs; k < views(st); ++k) {
      view_in_step const& v = begin(st)[k];
      if (v.offset != 0 || (st.inner > 1 && v.inner != 1) || (st.n_outer && v.stride[0] != st.inner)) return false;
    }
    return true;
  }
  static constexpr extent rounds(step const& st) { return st.n_outer ? st.loop[0] : st.inner; }
  static constexpr extent stride(step const& st, view_in_step const& v) { return st.n_outer ? v.stride[0] : v.inner; }
  /// In which round was it written what round 0 reads? False: nobody knows.
  constexpr bool reads_round(step const& st, view_in_step const& v, extent& round) const {
    extent const row = st.n_outer ? st.inner : 1;
    if (v.gather_size != 0 || stride(st, v) != row || (st.n_outer && v.inner != 1)) return false;
    auto const w = window_of(p_, v);
    // The block of a window lies inside a row
    extent const at = v.offset - (!w ? 0 : w.begin(st.n_outer ? 0 : w.inner) * row);
    round = at >= 0 ? at / row : -((row - 1 - at) / row);
    return true;
  }
  /// May `st` be a stage behind `before`? Then as far behind as it reads ahead, or as `before` reads behind what is
  /// written here: its lag where rounds go up; its lead is the same where they go down.
  constexpr bool follows(step const& before, step& st) {
    return each_meeting(before, st, [&](view_in_step const& a, view_in_step const& b, bool writes) {
      extent ahead = 0;
      if (!reads_round(writes ? before : st, writes ? a : b, ahead)) return false;
      if (writes) ahead = -ahead;
      auto distance = [&](extent x) {
        return x <= 0 ? 0 : st.n_outer ? x : (x + limits::line - 1) / limits::line * limits::line;
      };
      st.lag = std::max(st.lag, before.lag + distance(ahead));
      st.lead = std::max(st.lead, before.lead + distance(-ahead));
      return true;
    });
  }
  /// May the n-th step from s on be a stage, behind those before it?
  constexpr bool joins(int s, int n) {
    step const& head = p_.steps[s];
    step& st = p_.steps[s + n];
    if (!is_stage(st)) return false;
    if (n == 0) return true;
    bool may =
        st.n_outer == head.n_outer && st.inner == head.inner && rounds(st) == rounds(head) && reads_of(st, s + 1);
    for (int i = 0; i < n && may; ++i) may = follows(p_.steps[s + i], st);
    if (!may) st.lag = st.lead = 0;
    return may;
  }
  /// What the stages touch in a round, and how far the last of them lags.
  struct touched {
    extent bytes = 0, lag = 0, lead = 0;
  };
  constexpr void count(int group, step const& st, touched& all) {
    all.lag = std::max(all.lag, st.lag);
    all.lead = std::max(all.lead, st.lead);
    for (int k = 0; k < views(st); ++k) {
      view_in_step const& v = begin(st)[k];
      if (v.buffer < 0) continue;
      if (k >= st.inputs) written_.at[v.buffer] = group;
      if (stride(st, v) == 0 || seen_.at[v.buffer] == group) continue;
      seen_.at[v.buffer] = group;
      all.bytes += bytes(v.buffer) * (st.n_outer ? st.inner : 1);
    }
  }
  /// Rounds of a tile; 0: they do not pay, or no element of a single loop reads its neighbours (epilogues.hpp).
  static constexpr extent tile_of(step const& head, touched const& all) {
    if (all.bytes == 0 || (head.n_outer == 0 && all.lag + all.lead == 0) || rounds(head) * all.bytes < limits::least)
      return 0;
    extent tile = limits::touched / all.bytes;
    if (head.n_outer == 0) tile = tile / limits::unit * limits::unit;
    else if (tile == 0) tile = 1;
    if (head.n_outer != 0 && (tile + all.lag) * all.bytes > limits::most) return 0;
    return rounds(head) < 4 * (tile + all.lag) ? 0 : tile;
  }
  /// The group that begins with step s, if there is one: its size.
  constexpr int group(int s) {
    touched all;
    int n = 0;
    for (; n < limits::stages && s + n < end_ && joins(s, n); ++n) count(s + 1, p_.steps[s + n], all);
    step const& head = p_.steps[s];
    if (extent tile = n > 1 ? tile_of(head, all) : 0) {
      make_group(s, n, rounds(head), tile, limits::line);
      return n;
    }
    for (int i = 0; i < n; ++i) p_.steps[s + i].lag = p_.steps[s + i].lead = 0;
    return 1;
  }
};

}  // namespace etna::planning
