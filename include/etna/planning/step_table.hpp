// SPDX-License-Identifier: BSD-3-Clause
// The rows of steps as a table: what planning, compiler and exec ask of a step whose kind they need not know.
#pragma once
#include "kernel_step.hpp"
#include "nested_steps.hpp"
#include "product_step.hpp"
#include "routine_step.hpp"
#include "scatter_step.hpp"

namespace etna::planning {

struct step_functions {
  const char* (*name)(plan const&, step const&);
  void (*write)(planner&, int s);
  int (*loops)(plan const&, step const&, step_loop*);
  int (*walked)(plan const&, step const&, int, step_loop const*, extent*);
  step_flops (*flops)(plan const&, step const&);
  int (*starts_from)(step const&);
  bool (*is_by_element)(plan const&, step const&);
  int (*statements)(plan const&, bool const*, step const&);
  little_work (*straight)(plan const&, step const&);
  frame_list (*frames)(plan const&, step const&);
  extent (*rounds)(plan const&, step const&);
  bool runs_frames, takes_one;
};
template <class R> constexpr step_functions functions_of() {
  static_assert(step_row<R>, "a kind of step lacks a column: see the concept `step_row` in planning/step_row.hpp");
  return {&R::name,       &R::write,    &R::loops,  &R::walked, &R::flops,      &R::starts_from, &R::is_by_element,
          &R::statements, &R::straight, &R::frames, &R::rounds, R::runs_frames, R::takes_one};
}
template <class... R> struct step_table {
  step_functions at[sizeof...(R)] = {functions_of<R>()...};
  static constexpr step_kind kind_of_form(ops::form f) {
    int i = 0, found = 0;
    ((R::is(f) ? found = i : 0, ++i), ...);
    return step_kind(found);
  }
};
template <class... R> constexpr step_table<R...> table_of(ops::type_list<R...>) { return {}; }
inline constexpr auto steps = table_of(step_kinds{});

constexpr step_functions const& row_of(step const& s) { return steps.at[int(s.kind)]; }
constexpr frame_list frames_of(plan const& p, step const& s) { return row_of(s).frames(p, s); }
/// Does it run frames: loops and branches?
constexpr bool is_nested(step const& s) { return row_of(s).runs_frames; }

}  // namespace etna::planning
