// SPDX-License-Identifier: BSD-3-Clause
// A scatter: values are added at places that an index says. Its body is ../lower/scatter.hpp.
#pragma once
#include "step_row.hpp"

namespace etna::planning {

/// loops  batch; before the axis; the axis; places; behind the axis. (Strides of the index follow.)
struct scatter_step : step_defaults {
  static constexpr int n_loops = 5;
  static constexpr bool is(ops::form f) { return f == ops::form::scatter; }
  static constexpr const char* name(plan const&, step const&) { return "scatter_add"; }
  static constexpr void write(planner& d, int s) {
    read_operands(d, s);
    step& st = d.p.steps[s];
    graph const& g = d.g;
    node_info const& n = g.nodes[st.node];
    write_results(d, s, n);
    tensor_type const &x = g.values[g.edges[n.edge]].type, &index = g.values[g.edges[n.edge + 1]].type;
    auto const [axis, batch] = ops::gather_dims::read(g.attrs + n.attr);
    st.loop[0] = x.size(0, batch);
    st.loop[1] = x.size(batch, axis);
    st.loop[2] = x.e[axis];
    st.loop[3] = index.size(batch, index.rank);
    st.loop[4] = x.size(axis + 1, x.rank);
    rewrite::index_strides const lies(d.v[g.edges[n.edge + 1]], index, batch);
    st.loop[5] = lies.batch;
    st.loop[6] = lies.place;
  }
  static constexpr int loops(plan const&, step const& s, step_loop* l) {
    for (int n = 0; n < n_loops; ++n) l[n] = {s.loop[n], false};
    return n_loops;
  }
  static constexpr int starts_from(step const&) { return 0; }
  static constexpr int statements(plan const& p, bool const*, step const& s) {
    return is_little(p, s, tuning::inlining::product) ? 1 : -1;
  }
};

}  // namespace etna::planning
