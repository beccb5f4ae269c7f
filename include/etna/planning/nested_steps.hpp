// SPDX-License-Identifier: BSD-3-Clause
// Steps that run frames of the plan: loops and branches. A step's numbers are the words of its equation, and behind
// them the numbers of its frames.
#pragma once
#include "step_row.hpp"

namespace etna::planning {

/// What a frame is, inlined in a function, in statements; -1: it must be launched (step_table.hpp).
constexpr int statements_of(plan const& p, bool const* local, frame const& f);
/// Does a frame run what has an effect, or a function of the user's that is not for several threads? (step_table.hpp)
constexpr bool keeps_order(plan const& p, frame const& f);

/// What rows of loops and branches have in common.
///
/// Words   the reader of their words, whose `count` is how many there are
template <class Row, class Words> struct nested_defaults : step_defaults {
  static constexpr bool runs_frames = true;
  static constexpr Words words(plan const& p, step const& s) { return Words::read(p.numbers + s.number); }
  static constexpr frame_list frames(plan const& p, step const& s) {
    return {p.numbers + s.number + Words::count, Row::frame_count(words(p, s))};
  }
  /// Behind the results stands the memory that the frames work in.
  static constexpr void write(planner& d, int s) {
    read_operands(d, s);
    step& st = d.p.steps[s];
    write_results(d, s, d.g.nodes[st.node]);
    st.number = d.numbers[st.node] - 1;
    d.use(d.add_view(st, d.workspace[st.node]).buffer, s);
    ++st.outputs;
    st.flops = Row::flops_of_frames(plan(d.p), st);
  }
  static constexpr int statements(plan const& p, bool const* local, step const& s) {
    int n = 1;
    frame_list const f = Row::frames(p, s);
    for (int k = 0; k < f.n; ++k) {
      int const more = statements_of(p, local, p.frames[f[k]]);
      if (more < 0) return -1;
      n += more;
    }
    return n;
  }

 protected:
  static constexpr extent flops_in(plan const& p, int frame_number) {
    frame const& f = p.frames[frame_number];
    extent n = 0;
    for (int s = f.step; s < f.step + f.steps; ++s) n += p.steps[s].flops;
    return n;
  }
};

struct scan_step : nested_defaults<scan_step, ops::scan_words> {
  static constexpr bool is(ops::form f) { return f == ops::form::scan; }
  static constexpr const char* name(plan const&, step const&) { return "scan"; }
  static constexpr int frame_count(ops::scan_words const&) { return 1; }
  static constexpr extent rounds(plan const& p, step const& s) { return words(p, s).length; }
  static constexpr void write(planner& d, int s) {
    nested_defaults::write(d, s);
    plan const p(d.p);
    step& st = d.p.steps[s];
    st.apart = words(p, st).carry == 0 && !keeps_order(p, p.frames[frames(p, st)[0]]);
  }
  /// Of all rounds.
  static constexpr extent flops_of_frames(plan const& p, step const& s) {
    extent const n = rounds(p, s);
    return (n > 0 ? n : 1) * flops_in(p, frames(p, s)[0]);
  }
};
struct branch_step : nested_defaults<branch_step, ops::branch_words> {
  static constexpr bool takes_one = true;
  static constexpr bool is(ops::form f) { return f == ops::form::branch; }
  static constexpr const char* name(plan const&, step const&) { return "branch"; }
  static constexpr int frame_count(ops::branch_words const& w) { return w.branches; }
  /// Of the one that has most.
  static constexpr extent flops_of_frames(plan const& p, step const& s) {
    frame_list const f = frames(p, s);
    extent most = 0;
    for (int b = 0; b < f.n; ++b) most = std::max(most, flops_in(p, f[b]));
    return most;
  }
};
/// Its frames: go on?, body.
struct while_step : nested_defaults<while_step, ops::while_words> {
  static constexpr int test = 0, body = 1;
  static constexpr bool is(ops::form f) { return f == ops::form::loop; }
  static constexpr const char* name(plan const&, step const&) { return "while"; }
  static constexpr int frame_count(ops::while_words const&) { return 2; }
  /// Of one round: nobody knows how many there are.
  static constexpr extent flops_of_frames(plan const& p, step const& s) {
    return flops_in(p, frames(p, s)[test]) + flops_in(p, frames(p, s)[body]);
  }
};

/// Bytes of a nested step's workspace: its frames' arenas (those of branches in one place), two places of each carry,
/// and of a while loop its answer.
///
/// arena   bytes of a frame's arena, by its number
/// size    makes an extent a number
template <class Arena, class Size> constexpr extent workspace_bytes(plan const& p, buffer const* buffers,
                                                                    Arena const& arena, step const& s,
                                                                    Size const& size) {
  auto carries = [&](frame const& f, int captured, int carry) {
    extent bytes = 0;
    for (int k = 0; k < carry; ++k) {
      buffer const& x = buffers[f.buffer + captured + k];
      bytes += 2 * aligned(size(x.size) * bytes_of(x.d));
    }
    return bytes;
  };
  if (is<branch_step>(s)) {
    frame_list const f = branch_step::frames(p, s);
    extent most = 0;
    for (int b = 0; b < f.n; ++b) most = std::max(most, arena(f[b]));
    return most;
  }
  if (is<scan_step>(s)) {
    auto const w = scan_step::words(p, s);
    int const f = scan_step::frames(p, s)[0];
    return arena(f) + carries(p.frames[f], w.captured, w.carry);
  }
  auto const w = while_step::words(p, s);
  frame_list const f = while_step::frames(p, s);
  return arena(f[0]) + arena(f[1]) + aligned(1) + carries(p.frames[f[while_step::body]], w.captured, w.carry);
}

}  // namespace etna::planning
