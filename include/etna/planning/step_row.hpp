// SPDX-License-Identifier: BSD-3-Clause
// What a kind of step must answer, and what most of them answer alike.
#pragma once
#include "little.hpp"
#include "schedule.hpp"

namespace etna::planning {

/// A loop of a step; what summed loops leave is one number.
struct step_loop {
  extent n;
  bool summed;
};
inline constexpr int most_loops = max_rank + 1;

/// Floating-point operations: for each round of all loops, and for each round of those that are not summed.
struct step_flops {
  extent all = 0, kept = 0;
};

/// The frames that a step runs: numbers of frames.
struct frame_list {
  std::int64_t const* at = nullptr;
  int n = 0;
  constexpr int operator[](int k) const { return int(at[k]); }
};

/// A row. Extents may have names; `plan` is read, `planner` is being made.
///
/// is            of a primitive's form: are its equations such steps? Of none, where only a pass of the plan makes them
/// name          in show and explain; of a kernel "", since its operations name it
/// write         the step's views, loops, numbers, and its FLOPs where sizes are known
/// loops         those that its views have strides on
/// walked        extents whose product is how many elements view k touches; -1: all of its buffer
/// flops         likewise, where sizes have names
/// starts_from   the operand that the result is at first, so that it may have its memory; -1: none
/// is_by_element is each element of a result made of the same element of its operands alone?
/// statements    what it is, inlined in a function with its neighbours, in statements; -1: it is launched
/// straight      the work that it is as straight-line code
/// runs_frames   does it run frames of the plan: loops and branches? Then also
/// frames        which they are; takes_one: one of them is run; rounds: how often, where a plan can tell
template <class R> concept step_row =
    requires(plan const& p, planner& d, step const& st, step_loop* loops, extent* e, bool const* local) {
      { R::is(ops::form{}) } -> std::same_as<bool>;
      { R::name(p, st) } -> std::same_as<const char*>;
      R::write(d, 0);
      { R::loops(p, st, loops) } -> std::same_as<int>;
      { R::walked(p, st, 0, loops, e) } -> std::same_as<int>;
      { R::flops(p, st) } -> std::same_as<step_flops>;
      { R::starts_from(st) } -> std::same_as<int>;
      { R::is_by_element(p, st) } -> std::same_as<bool>;
      { R::statements(p, local, st) } -> std::same_as<int>;
      { R::straight(p, st) } -> std::same_as<little_work>;
      { R::frames(p, st) } -> std::same_as<frame_list>;
    };

/// A step of a kind that has its body in its row, at a call: `static std::int64_t units(step_body const&)` says into
/// how many parts it divides, `static void run(step_body const&, from, to)` does some of them, `static double
/// work(...)` is about how many operations or elements all of them are.
///
/// memory  where each view begins
/// loop    the extents of `loops`, as numbers
struct step_body {
  plan const& p;
  step const& s;
  void* const* memory;
  extent const* loop;
};

/// What a row need not say where it is so. A row derives from it.
struct step_defaults {
  static constexpr bool runs_frames = false, takes_one = false;
  static constexpr bool is(ops::form) { return false; }
  static constexpr int loops(plan const&, step const&, step_loop*) { return 0; }
  static constexpr int walked(plan const&, step const&, int, step_loop const*, extent*) { return -1; }
  static constexpr step_flops flops(plan const&, step const&) { return {}; }
  static constexpr int starts_from(step const&) { return -1; }
  static constexpr bool is_by_element(plan const&, step const&) { return false; }
  static constexpr int statements(plan const&, bool const*, step const&) { return -1; }
  static constexpr little_work straight(plan const&, step const&) { return too_much_work; }
  static constexpr frame_list frames(plan const&, step const&) { return {}; }
  static constexpr extent rounds(plan const&, step const&) { return ext::invalid; }
};

/// Adds an operand to what step s reads: its memory as it lies.
constexpr void read_operand(planner& d, int s, int value) {
  view_in_step& w = d.add_view(d.p.steps[s], d.buffer_of(value));
  w.offset = d.v[value].offset;
  for (int i = 0; i < d.g.values[value].type.rank; ++i) w.stride[i] = d.v[value].stride[i];
  d.use(w.buffer, s);
}
/// The operands of the step's equation, as what it reads.
constexpr void read_operands(planner& d, int s) {
  step& st = d.p.steps[s];
  node_info const& n = d.g.nodes[st.node];
  st.inputs = n.operands;
  for (int k = 0; k < n.operands; ++k) read_operand(d, s, d.g.edges[n.edge + k]);
}
/// The results of an equation, as what it writes.
constexpr void write_results(planner& d, int s, node_info const& n) {
  step& st = d.p.steps[s];
  st.outputs = n.results;
  for (int k = 0; k < n.results; ++k) d.use(d.add_view(st, d.value_buffer[n.value + k] - 1).buffer, s);
}
/// Numbers of the step among the plan's.
constexpr void keep_attributes(planner& d, step& st, node_info const& n) {
  st.number = d.p.n_numbers;
  st.numbers = n.attrs;
  for (int k = 0; k < n.attrs; ++k) d.p.numbers[d.p.n_numbers++] = d.g.attrs[n.attr + k];
}
/// Do all buffers of the step have at most so many elements?
constexpr bool is_little(plan const& p, step const& s, extent most) {
  for (int k = 0; k < s.inputs + s.outputs; ++k)
    if (int b = p.views[s.view + k].buffer; b >= 0 && p.buffers[b].size > most) return false;
  return true;
}

}  // namespace etna::planning
