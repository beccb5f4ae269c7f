// SPDX-License-Identifier: BSD-3-Clause
// The loops of a step and the strides of its views on them. Read next: normal_form.hpp.
#pragma once
#include "schedule.hpp"

namespace etna::planning {

/// Put the strides of a view, read in the shape t, on the axes of the kernel's space.
constexpr void set_strides(view_in_step& w, space const& sp, tensor_type const& t, extent const* stride, bool element) {
  int m = 0;
  for (int i = 0; i < t.rank; ++i) {
    if (t.e[i] == 1) continue;
    if (!element)  // a value of the row: only the axes that are kept
      while (m < sp.t.rank && m >= sp.split && (sp.to < 0 || m < sp.to)) ++m;
    if (m < sp.t.rank) w.stride[m++] = stride[i];
  }
}

/// Which loop an axis of the space belongs to: 0 outer, 1 mid, 2 inner.
constexpr int loop_of(space const& sp, int axis) {
  if (sp.split < 0 || axis < sp.split) return 0;
  return sp.to >= 0 && axis < sp.to ? 1 : 2;
}

/// The window of a view, as it is being written.
constexpr window_words<std::int64_t> window_of(draft& p, view_in_step const& v) {
  window_words<std::int64_t> window{nullptr};
  if (v.window) window.w = p.numbers + v.window - 1;  // nvcc takes no `?:` in braces here
  return window;
}
/// Loop k of one is loop i of the other.
constexpr void move_window(window_words<std::int64_t> from, int i, window_words<std::int64_t> to, int k) {
  to.begin(k) = from.begin(i);
  to.size(k) = from.size(i);
}

/// Loops of a fused step: axes merged where all views allow it, then told apart. Rows of a stencil are those of the
/// arrays.
constexpr void make_loops(planner& d, step& st, space const& sp, bool is_stencil) {
  int n_views = st.inputs + st.outputs;
  view_in_step* views = d.p.views + (st.view < 0 ? 0 : st.view);
  extent e[max_rank]{};
  int part[max_rank]{}, n = 0;
  for (int i = 0; i < sp.t.rank; ++i) {
    int mine = loop_of(sp, i);
    bool joins = n > 0 && part[n - 1] == mine && !(is_stencil && i == sp.t.rank - 1);
    for (int k = 0; k < n_views && joins; ++k) {
      extent s = views[k].stride[i];
      joins = views[k].stride[n - 1] == (s == 0 ? 0 : ext::mul(s, sp.t.e[i]));
      // of blocks in an axis and all of the next one
      if (auto w = window_of(d.p, views[k])) joins = joins && w.size(i) == 0 && (w.size(n - 1) == 0 || sp.t.e[i] > 0);
    }
    if (!joins) part[n++] = mine;
    e[n - 1] = joins ? ext::mul(e[n - 1], sp.t.e[i]) : sp.t.e[i];
    for (int k = 0; k < n_views && n - 1 != i; ++k) {
      views[k].stride[n - 1] = views[k].stride[i];
      auto const w = window_of(d.p, views[k]);
      if (!w) continue;
      if (!joins) move_window(w, i, w, n - 1);
      else if (w.size(n - 1) != 0) w.begin(n - 1) *= sp.t.e[i], w.size(n - 1) *= sp.t.e[i];
    }
  }
  // the last axis is inner; what did not merge with it is mid where it is reduced, else outer
  st.inner = 1;
  int last = n > 0 && (sp.split < 0 || part[n - 1] == 2) ? n - 1 : -1, axis[max_rank]{}, loops = 0;
  for (int mid = 0; mid < 2; ++mid)
    for (int i = 0; i < n; ++i) {
      if (i == last || (part[i] == 1 || (part[i] == 2 && !sp.is_columns())) != (mid == 1)) continue;
      ++(mid ? st.n_mid : st.n_outer);
      axis[loops] = i;
      st.loop[loops++] = e[i];
    }
  if (last >= 0) st.inner = e[last];
  for (int k = 0; k < n_views; ++k) {
    view_in_step& v = views[k];
    extent s[max_rank]{};
    for (int i = 0; i < n; ++i) s[i] = v.stride[i];
    if (last >= 0) v.inner = s[last];
    for (int i = 0; i < sp.t.rank; ++i) v.stride[i] = i < loops ? s[axis[i]] : 0;
    if (auto w = window_of(d.p, v)) {
      std::int64_t words[words_of_window]{};
      window_words<std::int64_t> const of_axes{words};
      for (int i = 0; i < n; ++i) move_window(w, i, of_axes, i);
      for (int i = 0; i < loops; ++i) move_window(of_axes, axis[i], w, i);
      if (last >= 0) move_window(of_axes, last, w, w.inner);
    }
  }
}

}  // namespace etna::planning
