// SPDX-License-Identifier: BSD-3-Clause
// Fused kernels of a plan run: one launch each, or the stages of a stencil together, tile by tile. Read next: run.hpp.
#pragma once
#include <etna/lower/fused.hpp>
#include <etna/rewrite/program.hpp>

#include "launch.hpp"
#include "sizes.hpp"

namespace etna::exec {

using rewrite::buffer;
using rewrite::step;
using rewrite::step_kind;
using rewrite::view_in_step;

/// A kernel at run time. On a device it is started as a whole.
struct kernel_functions {
  std::int64_t (*units)(lower::loop_numbers const&);
  void (*run)(lower::loop_numbers const&, std::int64_t, std::int64_t);
  std::int64_t (*bytes_of_sums)(lower::loop_numbers const&);  // null: it has none to join
  void (*join_sums)(lower::loop_numbers const&);
  void (*start)(label const&, lower::loop_numbers&);
};

struct running;

/// A plan as it is run: the same for all programs.
struct plan_view {
  rewrite::frame const* frames;
  int n_frames;
  step const* steps;
  buffer const* buffers;
  int n_buffers;
  int most_steps, most_frame_buffers;  // of a frame
  view_in_step const* views;
  int most_views;
  kernel_functions const* kernels;
  const char* const* labels;
  void* const* constants;  // by buffer
  std::int64_t const* numbers;
  bool is_static;
  extent arena;
  void (*product)(plan_view const&, step const&, void* const*, ext::bindings const&);
  void (*scatter)(plan_view const&, step const&, void* const*, ext::bindings const&);
  void (*routine)(plan_view const&, step const&, void* const*, ext::bindings const&);
  void (*nested)(running const&, step const&);
};

struct share { memory_block* b; ~share() { release(b); } };

/// Where a view begins.
inline void* place(plan_view const& p, view_in_step const& v, void* const* at, ext::bindings const& size) {
  return static_cast<char*>(at[v.buffer]) + (v.offset == 0 ? 0 : size(v.offset) * bytes_of(p.buffers[v.buffer].d));
}

inline label label_of(plan_view const& p, step const& s, const char* operations) {
  return {operations, {s.scope ? p.numbers + s.scope - 1 : nullptr}};
}

/// The numbers of a fused step; `views` has room for its views.
struct fused_step {
  kernel_functions const* f;
  lower::loop_numbers c;
  double work;
  fused_step() {}
  fused_step(plan_view const& p, step const& s, void* const* at, lower::view_numbers* views, ext::bindings const& size) : f(p.kernels + s.kernel) {
    c.views = views;
    c.numbers = p.numbers + s.number;
    c.n_outer = s.n_outer;
    c.n_mid = s.n_mid;
    c.rows = c.mid = 1;
    for (int i = 0; i < s.n_outer; ++i) c.rows *= c.outer[i] = size(s.loop[i]);
    for (int i = 0; i < s.n_mid; ++i) c.mid *= c.mid_extent[i] = size(s.loop[s.n_outer + i]);
    c.inner = size(s.inner);
    int n = s.inputs + s.outputs, in_memory = 0;
    for (int k = 0; k < n; ++k) {
      view_in_step const& v = p.views[s.view + k];
      lower::view_numbers& w = views[k];
      w.data = v.buffer >= 0 ? place(p, v, at, size) : nullptr;
      w.first = v.buffer >= 0 ? 0 : size(v.offset);
      in_memory += v.buffer >= 0;
      for (int i = 0; i < s.n_outer; ++i) w.outer[i] = size(v.stride[i]);
      for (int i = 0; i < s.n_mid; ++i) w.mid[i] = size(v.stride[s.n_outer + i]);
      w.inner = size(v.inner);
      w.gather_stride = size(v.gather_stride);
      w.gather_size = size(v.gather_size);
    }
    work = double(c.rows) * double(c.mid) * double(c.inner) * in_memory;
  }
};

inline void run_fused(plan_view const& p, step const& s, void* const* at, lower::view_numbers* views, ext::bindings const& size) {
  fused_step one(p, s, at, views, size);
  kernel_functions const& f = *one.f;
  lower::loop_numbers& c = one.c;
  if constexpr (device::is_present) return f.start(label_of(p, s, p.labels[s.kernel]), c);
  std::int64_t const units = f.units(c), bytes = f.bytes_of_sums ? f.bytes_of_sums(c) * units : 0;
  share sums{bytes ? memory::allocate(std::size_t(bytes)) : nullptr};
  if (bytes) c.sums = sums.b->data;
  launch(label_of(p, s, p.labels[s.kernel]), units, one.work, [&](std::int64_t from, std::int64_t to) { f.run(c, from, to); });
  if (bytes) f.join_sums(c);
}

/// The stages of a stencil, in rounds of their loop: tile by tile in each thread's share. At the border of two shares a stage
/// leaves out what needs more of the stages before it; that follows when all shares are done.
struct staged_steps {
  step const* s;
  int n;
  std::int64_t rounds, in_row, behind = 0, shares, share;
  fused_step stage[step::most_stages];
  double work = 0;

  staged_steps(plan_view const& p, step const* first, void* const* at, lower::view_numbers* views, ext::bindings const& size) : s(first), n(first->stages) {
    for (int i = 0; i < n; views += s[i].inputs + s[i].outputs, ++i) {
      stage[i] = fused_step(p, s[i], at, views, size);
      work += stage[i].work;
      if (s[i].lag > behind) behind = s[i].lag;
    }
    lower::loop_numbers const& c = stage[0].c;
    rounds = s->n_outer ? c.rows : c.inner;
    in_row = stage[0].f->units(c) / c.rows;
    shares = may_share(work) ? host_space().concurrency() : 1;
    share = (rounds / shares + 15) / 16 * 16;
    if (share * (shares - 1) >= rounds || share < 4 * (s->tile + behind)) shares = 1;
  }
  std::int64_t begin(std::int64_t share_number) const { return share_number == shares ? rounds : share_number * share; }
  /// One stage in these rounds.
  void run(int i, std::int64_t from, std::int64_t to) const {
    if (from >= to) return;
    if (s->n_outer) return stage[i].f->run(stage[i].c, from * in_row, to * in_row);
    lower::loop_numbers c = stage[i].c;
    c.from = from;
    c.inner = to;
    stage[i].f->run(c, 0, stage[i].f->units(c));
  }
  void run_share(std::int64_t u) const {
    bool const last = u + 1 == shares;
    std::int64_t const from = begin(u), to = begin(u + 1);
    for (std::int64_t t = from; t < to + (last ? behind : 0); t += s->tile)
      for (int i = 0; i < n; ++i)
        run(i, std::max(t - s[i].lag, u == 0 ? 0 : from + s[i].lead), std::min(t + s->tile - s[i].lag, last ? to : to - s[i].lag));
  }
  void run_borders() const {
    for (std::int64_t u = 1; u < shares; ++u)
      for (int i = 0; i < n; ++i) run(i, begin(u) - s[i].lag, begin(u) + s[i].lead);
  }
};
/// False: not here, each of them is a launch of its own. A tool wants to see these.
inline bool run_stages(plan_view const& p, step const* s, void* const* at, lower::view_numbers* views, ext::bindings const& size) {
  if (device::is_present || Kokkos::Tools::profileLibraryLoaded()) return false;
  staged_steps const all(p, s, at, views, size);
  launch(label_of(p, *s, p.labels[s->kernel]), all.shares, all.work, [&](std::int64_t from, std::int64_t to) {
    for (; from < to; ++from) all.run_share(from);
  });
  all.run_borders();
  return true;
}

}  // namespace etna::exec
