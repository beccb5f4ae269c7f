// SPDX-License-Identifier: BSD-3-Clause
// Steps that run plans of their own: loops and branches. Nothing is copied: frames are told where their arguments and
// results are; a carry goes back and forth between two places. Read next: run_inlined.hpp.
#pragma once
#include "run.hpp"

namespace etna::exec {

/// What a nested step reads and writes.
template <class Running, class Row> struct nested_step {
  Running const& r;
  std::int64_t const* words;
  planning::frame_list frames;
  view_in_step const* in;
  view_in_step const* out;
  char* memory;
  // Its row's frames, and not those of the table of facts, which would have all rows of all primitives in the program.
  nested_step(Running const& r, step const& s)
      : r(r),
        words(r.p.numbers + s.number),
        frames(Row::frames(r.p, s)),
        in(r.p.views + s.view),
        out(in + s.inputs),
        memory(r[out[s.outputs - 1].buffer]) {}
  planning::frame const& frame(int k) const { return r.p.frames[frames[k]]; }
  extent arena(planning::frame const& f) const {
    if (r.p.is_static) return f.arena;
    extent end = 0;
    for (int i = f.buffer; i < f.buffer + f.buffers; ++i)
      if (buffer const& b = r.buffers[i]; (b.kind == buffer::temporary || b.kind == buffer::size_of) && b.end > end)
        end = b.end;
    return end;
  }
  /// Enter a frame at `place`; its first arguments are inputs of the step. The end of its memory.
  char* enter_at(planning::frame const& f, char* place, int first, int n) const {
    enter(r, f, place);
    for (int k = 0; k < n; ++k) r.at[f.buffer + k] = r.at[in[first + k].buffer];
    return place + arena(f);
  }
};

/// Rounds [from, to) of a scan; what they keep lies at `memory`.
template <class Running>
inline void run_rounds(nested_step<Running, planning::scan_step> const& n, char* memory, extent from, extent to) {
  Running const& r = n.r;
  auto const w = ops::scan_words::read(n.words);
  planning::frame const& f = n.frame(0);
  char* places = n.enter_at(f, memory, 0, w.captured + w.carry);
  int carry = f.buffer + w.captured, xs = carry + w.carry;
  extent length = r.size(w.length);
  for (extent i = from; i < to; ++i) {
    extent t = w.reverse ? length - 1 - i : i;
    char* place = places;
    for (int k = 0; k < w.carry; ++k) {
      extent bytes = planning::aligned(r.bytes(carry + k));
      r.at[f.result + k] = i + 1 == length ? r.at[n.out[k].buffer] : place + (i & 1 ? bytes : 0);
      place += 2 * bytes;
    }
    for (int k = 0; k < w.xs; ++k) r.at[xs + k] = r[n.in[w.captured + w.carry + k].buffer] + t * r.bytes(xs + k);
    for (int k = 0; k < w.ys; ++k) {
      int b = f.result + w.carry + k;
      r.at[b] = r[n.out[w.carry + k].buffer] + t * r.bytes(b);
    }
    run_steps(r, f);
    for (int k = 0; k < w.carry; ++k) r.at[carry + k] = r.at[f.result + k];
  }
  if (length > 0) return;
  wait();
  for (int k = 0; k < w.carry; ++k)
    std::memcpy(r.at[n.out[k].buffer], r.at[carry + k], std::size_t(r.bytes(carry + k)));
}
/// How many threads share the rounds of a loop: several where no round needs another's, they come out even, and what a
/// round keeps stays in the caches, for it is kept once a thread. Else the steps of a round are shared; so they are
/// where a tool wants to see them.
template <class Running>
inline std::int64_t shares_of_rounds(nested_step<Running, planning::scan_step> const& n, step const& s, extent length) {
  if (Running::is_watched || device::is_present || !s.apart || length < 2) return 1;
  std::int64_t const threads = threads_for(double(s.flops));
  if (threads == 1 || Kokkos::Tools::profileLibraryLoaded()) return 1;
  std::int64_t const shares = std::min<std::int64_t>(threads, length), longest = (length + shares - 1) / shares;
  extent const arena = n.arena(n.frame(0));
  bool const is_even = 4 * longest * threads <= 5 * length;
  bool const is_near = arena <= tuning::cache::second || arena * shares <= tuning::cache::shared;
  return is_even && is_near ? shares : 1;
}
template <class Running> inline void run_scan(nested_step<Running, planning::scan_step> const& n, step const& s) {
  Running const& r = n.r;
  extent const length = r.size(ops::scan_words::read(n.words).length);
  std::int64_t const shares = shares_of_rounds(n, s, length);
  if constexpr (!Running::is_watched)
    if (shares > 1) {
      call_front const front(r.p);
      extent const each = front.bytes + planning::aligned(n.arena(n.frame(0)));
      share const all{memory::allocate(std::size_t(each * shares))};
      return launch(label{"rounds of a loop", {}}, shares, double(s.flops), [&](std::int64_t from, std::int64_t to) {
        for (; from < to; ++from) {
          char* const mine = static_cast<char*>(all.b->data) + each * from;
          std::memcpy(mine, r.at, sizeof(void*) * std::size_t(r.p.n_buffers));
          Running const own{r.p, r.buffers, front.at(mine), front.views(mine), r.size};
          run_rounds(nested_step<Running, planning::scan_step>(own, s), mine + front.bytes, length * from / shares,
                     length * (from + 1) / shares);
        }
      });
    }
  run_rounds(n, n.memory, 0, length);
}

template <class Running> inline void run_branch(nested_step<Running, planning::branch_step> const& n, int results) {
  Running const& r = n.r;
  auto const w = ops::branch_words::read(n.words);
  wait();
  std::int32_t which = *static_cast<std::int32_t const*>(r.at[n.in[0].buffer]);
  which = which < 0 ? 0 : which >= w.branches ? w.branches - 1 : which;
  planning::frame const& f = n.frame(which);
  n.enter_at(f, n.memory, 1, w.captured + w.operands);
  for (int k = 0; k < results; ++k) r.at[f.result + k] = r.at[n.out[k].buffer];
  run_steps(r, f);
}

template <class Running> inline void run_loop(nested_step<Running, planning::while_step> const& n) {
  Running const& r = n.r;
  auto const [captured, carry] = ops::while_words::read(n.words);
  planning::frame const &test = n.frame(planning::while_step::test), &body = n.frame(planning::while_step::body);
  char* flag = n.enter_at(body, n.enter_at(test, n.memory, 0, captured + carry), 0, captured + carry);
  char* places = flag + planning::aligned(1);
  r.at[test.result] = flag;
  for (extent i = 0;; ++i) {
    run_steps(r, test);
    wait();
    if (!*reinterpret_cast<bool const*>(flag)) break;
    char* place = places;
    for (int k = 0; k < carry; ++k) {
      extent bytes = planning::aligned(r.bytes(body.buffer + captured + k));
      r.at[body.result + k] = place + (i & 1 ? bytes : 0);
      place += 2 * bytes;
    }
    run_steps(r, body);
    for (int k = 0; k < carry; ++k)
      r.at[test.buffer + captured + k] = r.at[body.buffer + captured + k] = r.at[body.result + k];
  }
  for (int k = 0; k < carry; ++k) {
    int b = test.buffer + captured + k;
    std::memcpy(r.at[n.out[k].buffer], r.at[b], std::size_t(r.bytes(b)));
  }
}

/// A nested step of a call that is a Running.
template <class Running> inline void run_nested(running const& call, step const& s) {
  using namespace planning;
  auto const& r = static_cast<Running const&>(call);
  if (is<scan_step>(s)) run_scan(nested_step<Running, scan_step>(r, s), s);
  else if (is<branch_step>(s)) run_branch(nested_step<Running, branch_step>(r, s), s.outputs - 1);
  else run_loop(nested_step<Running, while_step>(r, s));
}

}  // namespace etna::exec
