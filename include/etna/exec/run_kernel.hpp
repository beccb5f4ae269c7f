// SPDX-License-Identifier: BSD-3-Clause
// Fused kernels of a plan run: one launch each, or several steps together, tile by tile. Read next: run.hpp.
#pragma once
#include <etna/lower/prefetch.hpp>
#include <etna/lower/flat.hpp>
#include <etna/compiler/program.hpp>

#include "device.hpp"
#include "launch.hpp"
#include "sizes.hpp"

namespace etna::exec {

using planning::buffer;
using planning::step;
using planning::view_in_step;

/// A kernel at run time. On a device it is started as a whole.
struct kernel_functions {
  std::int64_t (*units)(lower::loop_numbers const&);
  void (*run)(lower::loop_numbers const&, std::int64_t, std::int64_t);
  std::int64_t (*bytes_of_sums)(lower::loop_numbers const&);  // null: it has none to join
  void (*join_sums)(lower::loop_numbers const&);
  void (*start)(label const&, lower::loop_numbers&);
};

struct running;
/// Rounds of a product that is run where it is called: rows, or products of a batch.
struct some_rounds {
  extent from, to;
};

struct plan_view;
/// A step that is run.
///
/// call    the call that it is a step of, with its frame; null inside a function that steps are inlined in
/// rounds  those of its loop that are run where they are called; null: all, as a launch
struct step_call {
  plan_view const& p;
  step const& s;
  void* const* at;
  ext::bindings const& size;
  running const* call = nullptr;
  planning::frame const* frame = nullptr;
  some_rounds const* rounds = nullptr;
};
/// What runs the steps of a kind in some program.
using step_function = void (*)(step_call const&);

/// A plan as it is run: the same for all programs.
struct plan_view : planning::plan {
  int most_steps, most_frame_buffers;  // of a frame
  kernel_functions const* kernels;
  const char* const* labels;
  void* const* constants;    // by buffer
  step_function const* run;  // by kind; null where the program has no such step
  void (*nested)(running const&, step const&);
};

struct share {
  memory_block* b;
  ~share() { release(b); }
};

/// What stands before the arena of a call, or of a thread's share of one: pointers of buffers, and room for the views
/// of a step.
struct call_front {
  extent pointers, bytes;
  explicit call_front(plan_view const& p)
      : pointers(planning::aligned(extent(sizeof(void*)) * p.n_buffers)),
        bytes(pointers + planning::aligned(extent(sizeof(lower::view_numbers)) * p.most_views)) {}
  void** at(char* base) const { return reinterpret_cast<void**>(base); }
  lower::view_numbers* views(char* base) const { return reinterpret_cast<lower::view_numbers*>(base + pointers); }
};

/// Where a view begins.
template <class Size>
inline void* address_of(plan_view const& p, view_in_step const& v, void* const* at, Size const& size) {
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
  fused_step(plan_view const& p, step const& s, void* const* at, lower::view_numbers* views, ext::bindings const& sizes)
      : f(p.kernels + s.kernel) {
    auto const size = [&](extent e) { return e >= 0 ? e : sizes(e); };  // a call for names only: there are many views
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
      w.data = v.buffer >= 0 ? address_of(p, v, at, size) : nullptr;
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
  /// Are the results more than caches hold, and is none of them what is also read?
  bool writes_much(plan_view const& p, step const& s, ext::bindings const& size) const {
    if (work * 8 < double(tuning::non_temporal)) return false;
    extent bytes = 0;
    for (int k = s.inputs, last = -1; k < s.inputs + s.outputs; ++k) {
      int const number = p.views[s.view + k].buffer;
      buffer const& b = p.buffers[number];
      if (number != last) bytes += size(b.size) * bytes_of(b.d);  // parts of one follow each other
      last = number;
      for (int i = 0; i < s.inputs; ++i)
        if (c.views[i].data == c.views[k].data) return false;
    }
    return bytes >= tuning::non_temporal;
  }
};

inline void run_fused(plan_view const& p, step const& s, void* const* at, lower::view_numbers* views,
                      ext::bindings const& size) {
  fused_step one(p, s, at, views, size);
  kernel_functions const& f = *one.f;
  lower::loop_numbers& c = one.c;
  if constexpr (device::is_present) return f.start(label_of(p, s, p.labels[s.kernel]), c);
  c.non_temporal = one.writes_much(p, s, size);  // of steps that run together not: what they hand on is in a cache
  std::int64_t const units = f.units(c), bytes = f.bytes_of_sums ? f.bytes_of_sums(c) * units : 0;
  share sums{bytes ? memory::allocate(std::size_t(bytes)) : nullptr};
  if (bytes) c.sums = sums.b->data;
  launch(label_of(p, s, p.labels[s.kernel]), units, one.work,
         [&](std::int64_t from, std::int64_t to) { f.run(c, from, to); });
  if (bytes) f.join_sums(c);
}

/// Steps that run together, in rounds of their loop: each thread has a share of the rounds, and goes through it tile by
/// tile. A stage of a stencil reads its neighbours' values of the stage before. At the border of two shares some of
/// these are the other thread's, so the stage leaves out the rounds that need them; they are computed when all shares
/// are done.
struct grouped_steps {
  plan_view const& p;
  step const* s;
  void* const* at;
  ext::bindings const& size;
  int n;
  std::int64_t behind = 0, threads, shares, in_share;
  bool has_borders = false;
  fused_step stage[step::most_grouped];
  double work = 0;

  grouped_steps(plan_view const& p, step const* first, void* const* at, lower::view_numbers* views,
                ext::bindings const& size)
      : p(p), s(first), at(at), size(size), n(first->grouped) {
    for (int i = 0; i < n; views += s[i].inputs + s[i].outputs, ++i) {
      if (is_kernel(s[i])) stage[i] = fused_step(p, s[i], at, views, size);
      work += is_kernel(s[i]) ? stage[i].work : double(s[i].flops);
      behind = std::max(behind, s[i].lag);
      has_borders = has_borders || s[i].lag + s[i].lead > 0;
    }
    threads = threads_for(work);
    in_share = ((s->rounds + threads - 1) / threads + s->grain - 1) / s->grain * s->grain;
    shares = (s->rounds + in_share - 1) / in_share;
    if (has_borders && in_share < 4 * (s->tile + behind)) shares = 1;
  }
  static bool is_kernel(step const& st) { return planning::is<planning::kernel_step>(st); }
  std::int64_t begin(std::int64_t share_number) const {
    return share_number == shares ? s->rounds : share_number * in_share;
  }
  /// One stage in these rounds.
  void run(int i, std::int64_t from, std::int64_t to) const {
    if (from >= to) return;
    if (!is_kernel(s[i])) {
      some_rounds const part{from, to};
      return p.run[int(s[i].kind)]({p, s[i], at, size, nullptr, nullptr, &part});
    }
    auto const* f = stage[i].f;
    lower::loop_numbers c = stage[i].c;
    if (s[i].n_outer) {
      std::int64_t const units = f->units(c);
      if (units >= s->rounds) return f->run(c, from * (units / s->rounds), to * (units / s->rounds));
      std::int64_t const rows = planning::rows_of_unit(planning::nest_of(p, s[i]));  // tiles are whole units
      return f->run(c, from / rows, (to + rows - 1) / rows);
    }
    std::int64_t const in_round = c.inner / s->rounds;
    c.from = from * in_round;
    c.inner = to * in_round;
    f->run(c, 0, f->units(c));
  }
  /// What only the group reads lies in a place of the thread's own, the same for each tile. The last tile is the first
  /// to run: of operands larger than a cache the steps before have just read the end.
  void run_share_in_place(std::int64_t u) const {
    call_front const front(p);
    share const own{memory::allocate(std::size_t(front.bytes + s->passed_on))};
    char* const base = static_cast<char*>(own.b->data);
    void** mine = front.at(base);
    std::memcpy(mine, at, sizeof(void*) * std::size_t(p.n_buffers));
    std::int64_t const first = begin(u), end = begin(u + 1);
    for (std::int64_t t = first + (end - first - 1) / s->tile * s->tile; t >= first; t -= s->tile) {
      char* place = base + front.bytes;
      for (int i = 0; i < n; ++i)
        for (int k = s[i].inputs; k < s[i].inputs + s[i].outputs; ++k) {
          int const b = p.views[s[i].view + k].buffer;
          buffer const& x = p.buffers[b];
          if (!planning::is_passed_on(x, *s, int(s - p.steps))) continue;
          extent const in_round = x.size / s->rounds * bytes_of(x.d);
          mine[b] = place - t * in_round;  // where its first round would be
          place += planning::aligned(s->tile * in_round);
        }
      grouped_steps const tile(p, s, mine, front.views(base), size);
      for (int i = 0; i < n; ++i) tile.run(i, t, std::min(t + s->tile, end));
    }
  }
  void run_share(std::int64_t u) const {
    bool const last = u + 1 == shares;
    std::int64_t const from = begin(u), to = begin(u + 1);
    for (std::int64_t t = from; t < to + (last ? behind : 0); t += s->tile)
      for (int i = 0; i < n; ++i)
        run(i, std::max(t - s[i].lag, u == 0 ? 0 : from + s[i].lead),
            std::min(t + s->tile - s[i].lag, last ? to : to - s[i].lag));
  }
  void run_borders() const {
    for (std::int64_t u = 1; u < shares; ++u)
      for (int i = 0; i < n; ++i) run(i, begin(u) - s[i].lag, begin(u) + s[i].lead);
  }
};
/// False: not here, each of them is a launch of its own. A tool wants to see these; and alone a product occupies more
/// threads than it has rows or batches.
inline bool run_group(plan_view const& p, step const* s, void* const* at, lower::view_numbers* views,
                      ext::bindings const& size) {
  if (device::is_present || Kokkos::Tools::profileLibraryLoaded()) return false;
  grouped_steps const all(p, s, at, views, size);
  if (!all.has_borders && 4 * all.shares < 3 * all.threads) return false;
  launch(label{"steps together", {}}, all.shares, all.work, [&](std::int64_t from, std::int64_t to) {
    for (; from < to; ++from) s->passed_on ? all.run_share_in_place(from) : all.run_share(from);
  });
  all.run_borders();
  return true;
}

}  // namespace etna::exec
