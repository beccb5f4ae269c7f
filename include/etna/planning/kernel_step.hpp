// SPDX-License-Identifier: BSD-3-Clause
// A fused kernel: equations of one loop nest, in normal form. Its bodies are in ../lower, one for each nest.
#pragma once
#include "normal_form.hpp"
#include "step_row.hpp"

namespace etna::planning {

struct kernel_step : step_defaults {
  static constexpr bool is(ops::form f) {
    using enum ops::form;
    return f == pointwise || f == convert || f == reduction || f == arg_reduction || f == gather || f == patch;
  }
  static constexpr const char* name(plan const&, step const&) { return ""; }
  static constexpr void write(planner& d, int s) { write_kernel(d, s); }
  static constexpr int loops(plan const& p, step const& s, step_loop* l) {
    int n = 0;
    for (; n < s.n_outer + s.n_mid; ++n) l[n] = {s.loop[n], n >= s.n_outer};
    l[n++] = {s.inner, row_of(nest_of(p, s)).sums_inner};
    return n;
  }
  /// An index may choose all elements.
  static constexpr int walked(plan const& p, step const& s, int k, step_loop const* l, extent* e) {
    view_in_step const& v = p.views[s.view + k];
    int const n_loops = s.n_outer + s.n_mid + 1;
    int n = 0;
    for (int i = 0; i < n_loops; ++i)
      if (v.gather_size != 0 || (i + 1 < n_loops ? v.stride[i] : v.inner) != 0) e[n++] = l[i].n;
    return n;
  }
  static constexpr step_flops flops(plan const& p, step const& s) {
    step_flops f;
    p.each_operation(s, [&](stmt_head h) { (h.at == level::row ? f.kept : f.all) += ops::flops.at[h.op]; });
    return f;
  }
  /// A result is written when no other element is left to compute from what it replaces: kernels of one phase. Parts of
  /// a stencil's row begin in what another part writes.
  static constexpr bool is_by_element(plan const& p, step const& s) {
    return kernel_words(p, s).phases() <= 1 && row_of(nest_of(p, s)).by_element;
  }
  static constexpr int statements(plan const& p, bool const*, step const& s) {
    extent const outside = elements_at_most(s.loop, s.n_outer + s.n_mid, tuning::inlining::elements);
    if (outside * s.inner > tuning::inlining::elements || !row_of(nest_of(p, s)).is_inlined) return -1;
    return kernel_words(p, s).statements();
  }
  /// What a kernel of a single number does is the same code.
  static constexpr little_work straight(plan const& p, step const& s) {
    extent elements = elements_at_most(s.loop, s.n_outer + s.n_mid, most_to_try);
    if (elements <= most_to_try) elements *= s.inner;
    return straight_work(s.inputs + kernel_words(p, s).statements(), elements, s.flops, elements == 1);
  }
};

}  // namespace etna::planning
