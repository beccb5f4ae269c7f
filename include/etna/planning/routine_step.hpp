// SPDX-License-Identifier: BSD-3-Clause
// A primitive that is a function of whole arrays: its row says how it runs (`run`, and `units` of its work).
#pragma once
#include "step_row.hpp"

namespace etna::planning {

/// kernel   the primitive
/// numbers  its attributes
/// views    whole operands and results: their extents in place of strides, their rank in place of the inner one
struct routine_step : step_defaults {
  static constexpr bool is(ops::form f) { return f == ops::form::routine; }
  static constexpr const char* name(plan const&, step const& s) {
    return s.kernel < 0 ? "routine" : ops::names.at[s.kernel];  // not written yet
  }
  static constexpr void write(planner& d, int s) {
    read_operands(d, s);
    step& st = d.p.steps[s];
    node_info const& n = d.g.nodes[st.node];
    write_results(d, s, n);
    st.kernel = n.op;
    keep_attributes(d, st, n);
    for (int k = 0; k < st.inputs + st.outputs; ++k) {
      tensor_type const& t = d.g.values[k < st.inputs ? d.g.edges[n.edge + k] : n.value + k - st.inputs].type;
      view_in_step& w = d.p.views[st.view + k];
      for (int i = 0; i < t.rank; ++i) w.stride[i] = t.e[i];
      w.inner = t.rank;
    }
    extent size = d.g.values[n.value].type.size();
    st.flops = size > 0 ? size * ops::table.at[n.op].flops : 0;
  }
  /// The type of an operand or result.
  static constexpr tensor_type type_of(plan const& p, step const& s, int k) {
    view_in_step const& v = p.views[s.view + k];
    tensor_type t{p.buffers[v.buffer].d, int(v.inner), {}};
    for (int i = 0; i < t.rank; ++i) t.e[i] = v.stride[i];
    return t;
  }
  static constexpr int loops(plan const& p, step const& s, step_loop* l) {
    tensor_type const t = type_of(p, s, s.inputs);
    for (int i = 0; i < t.rank; ++i) l[i] = {t.e[i], false};
    return t.rank;
  }
  static constexpr int walked(plan const& p, step const& s, int k, step_loop const*, extent* e) {
    tensor_type const t = type_of(p, s, k);
    for (int i = 0; i < t.rank; ++i) e[i] = t.e[i];
    return t.rank;
  }
  static constexpr step_flops flops(plan const&, step const& s) { return {ops::flops.at[s.kernel], 0}; }
  static constexpr int starts_from(step const& s) { return ops::table.at[s.kernel].in_place ? 0 : -1; }
  static constexpr int statements(plan const& p, bool const*, step const& s) {
    bool const alone = ops::table.at[s.kernel].effect || ops::table.at[s.kernel].at_once;
    return !alone && is_little(p, s, tuning::inlining::product) ? 1 : -1;
  }
  /// An update is moves of registers.
  static constexpr little_work straight(plan const& p, step const& s) {
    if (s.kernel != code<ops::update_p>) return too_much_work;
    return straight_work(2, p.buffers[p.views[s.view].buffer].size, s.flops, true);
  }
};

}  // namespace etna::planning
