// SPDX-License-Identifier: BSD-3-Clause
// Steps that run together, tile by tile: what the groups of stencils.hpp and epilogues.hpp have in common.
// Read next: epilogues.hpp.
#pragma once
#include <algorithm>

#include "memory.hpp"

namespace etna::planning {

class groups {
 public:
  constexpr groups(draft& p, frame const& f) : p_(p), end_(f.step + f.steps), views_(p) {}

 protected:
  draft& p_;
  int end_;
  tracing::zeros<int> written_;  // buffer -> the group that writes it: its first step + 1
  tracing::zeros<int> seen_;     // buffer -> the group that has counted it
  views_by_buffer views_;

  constexpr view_in_step const* begin(step const& st) const { return p_.views + st.view; }
  constexpr int views(step const& st) const { return st.inputs + st.outputs; }
  constexpr extent bytes(int buffer) const { return bytes_of(p_.buffers[buffer].d); }
  /// For each view of `before` and of `st` that may be of the same memory, which one of them writes (the second, or
  /// not): does `may(first, second, writes)` hold? Temporaries of a group do not overlap; an argument may be donated to
  /// a result.
  template <class May> constexpr bool each_meeting(step const& before, step const& st, May may) {
    views_.list(st);
    view_in_step const* second = begin(st);
    for (int i = 0; i < views(before); ++i) {
      view_in_step const& a = begin(before)[i];
      bool const wrote = i >= before.inputs;  // who writes again also reads
      if (a.buffer < 0) continue;
      for (int k = views_.first(a.buffer); k >= 0; k = views_.next(k))
        if (bool const writes = k >= st.inputs; writes != wrote && !may(a, second[k], writes)) return false;
      buffer const& x = p_.buffers[a.buffer];
      for (int k = st.inputs; x.kind == buffer::argument && k < views(st); ++k)
        if (buffer const& y = p_.buffers[second[k].buffer]; y.kind == buffer::result && x.d == y.d && x.size == y.size)
          if (!may(a, second[k], true)) return false;
    }
    return true;
  }
  constexpr bool reads_of(step const& st, int group) const {
    for (int k = 0; k < st.inputs; ++k)
      if (int b = begin(st)[k].buffer; b >= 0 && written_.at[b] == group) return true;
    return false;
  }
  /// The n steps from s on are a group, in tiles of a loop of so many rounds; where it is shared, each share but the
  /// last has a multiple of `grain`. What ends inside it ends with it.
  constexpr void make_group(int s, int n, extent rounds, extent tile, extent grain) {
    step& head = p_.steps[s];
    head.grouped = n;
    head.rounds = rounds;
    head.tile = tile;
    head.grain = grain;
    int all = 0;
    for (int i = s; i < s + n; ++i) {
      all += views(p_.steps[i]);
      for (int k = 0; k < views(p_.steps[i]); ++k) {
        int b = begin(p_.steps[i])[k].buffer;
        if (b < 0) continue;
        buffer& x = p_.buffers[b];
        if (x.kind == buffer::temporary && x.last < s + n - 1) x.last = s + n - 1;
      }
    }
    p_.most_views = std::max(p_.most_views, all);
  }
};

}  // namespace etna::planning
