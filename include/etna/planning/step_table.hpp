// SPDX-License-Identifier: BSD-3-Clause
// The rows of steps as a table: what planning, compiler and exec ask of a step whose kind they need not know.
#pragma once
#include "kernel_step.hpp"
#include "nested_steps.hpp"
#include "product_step.hpp"
#include "routine_step.hpp"
#include "scatter_step.hpp"

namespace etna::planning {

/// What a step is: for passes, and for what shows it or runs it.
struct step_facts {
  const char* (*name)(plan const&, step const&);
  int (*loops)(plan const&, step const&, step_loop*);
  int (*walked)(plan const&, step const&, int, step_loop const*, extent*);
  step_flops (*flops)(plan const&, step const&);
  frame_list (*frames)(plan const&, step const&);
  extent (*rounds)(plan const&, step const&);
  bool runs_frames, takes_one;
};
/// How a step is planned. While compiling only: who reads this table at run time has the planner in the program.
struct step_rules {
  void (*write)(planner&, int s);
  int (*starts_from)(step const&);
  bool (*is_by_element)(plan const&, step const&);
  int (*statements)(plan const&, bool const*, step const&);
  little_work (*straight)(plan const&, step const&);
};
template <class R> constexpr step_facts facts_of_row() {
  static_assert(step_row<R>, "a kind of step lacks a column: see the concept `step_row` in planning/step_row.hpp");
  return {&R::name, &R::loops, &R::walked, &R::flops, &R::frames, &R::rounds, R::runs_frames, R::takes_one};
}
template <class R> constexpr step_rules rules_of_row() {
  return {&R::write, &R::starts_from, &R::is_by_element, &R::statements, &R::straight};
}
template <class T, int N> struct by_kind {
  T at[N];
};
template <class... R> constexpr by_kind<step_facts, int(sizeof...(R))> all_facts(ops::type_list<R...>) {
  return {{facts_of_row<R>()...}};
}
template <class... R> constexpr by_kind<step_rules, int(sizeof...(R))> all_rules(ops::type_list<R...>) {
  return {{rules_of_row<R>()...}};
}
template <class... R> constexpr by_kind<bool, int(sizeof...(R))> all_that_run_frames(ops::type_list<R...>) {
  return {{R::runs_frames...}};
}
inline constexpr auto facts_by_kind = all_facts(step_kinds{});
inline constexpr auto rules_by_kind = all_rules(step_kinds{});
inline constexpr auto runs_frames_by_kind = all_that_run_frames(step_kinds{});

constexpr step_facts const& facts_of(step const& s) { return facts_by_kind.at[int(s.kind)]; }
constexpr step_rules const& rules_of(step const& s) { return rules_by_kind.at[int(s.kind)]; }
/// Does it run frames: loops and branches?
constexpr bool is_nested(step const& s) { return runs_frames_by_kind.at[int(s.kind)]; }
constexpr frame_list frames_of(plan const& p, step const& s) { return facts_of(s).frames(p, s); }

/// The kind of step that an equation of this form is.
template <class... R> constexpr step_kind kind_of_form(ops::form f, ops::type_list<R...>) {
  int i = 0, found = 0;
  ((R::is(f) ? found = i : 0, ++i), ...);
  return step_kind(found);
}
constexpr step_kind kind_of_form(ops::form f) { return kind_of_form(f, step_kinds{}); }

/// None where small programs are not straight-line code either, as in tests of kernels.
inline constexpr int most_inlined_statements = ETNA_MOST_STRAIGHT > 0 ? tuning::inlining::statements : 0;

/// Statements of all kernels that a frame runs, those of inner frames too; -1 if it must not be inlined.
///
/// local   of each buffer: does its frame keep it to itself?
constexpr int statements_of(plan const& p, bool const* local, frame const& f) {
  using most = tuning::inlining;
  int n = 0;
  extent bytes = 0;
  for (int b = f.buffer; b < f.buffer + f.buffers; ++b) {
    buffer const& x = p.buffers[b];
    if (x.kind == buffer::size_of) return -1;
    if (x.kind == buffer::result || local[b]) bytes += x.size * bytes_of(x.d);
  }
  for (int s = f.step; s < f.step + f.steps && n <= most_inlined_statements; ++s) {
    int more = rules_of(p.steps[s]).statements(p, local, p.steps[s]);
    if (more < 0) return -1;
    n += more;
  }
  return bytes > most::bytes ? -1 : n;
}

constexpr bool keeps_order(plan const& p, frame const& f) {
  for (int i = f.step; i < f.step + f.steps; ++i) {
    step const& s = p.steps[i];
    if (is<routine_step>(s) && (ops::table.at[s.kernel].effect || ops::table.at[s.kernel].at_once)) return true;
    frame_list const inner = frames_of(p, s);
    for (int k = 0; k < inner.n; ++k)
      if (keeps_order(p, p.frames[inner[k]])) return true;
  }
  return false;
}

}  // namespace etna::planning
