// SPDX-License-Identifier: BSD-3-Clause
// What is computed of sums of rows, and does not come back into these rows, is a kernel of its own where it is much:
// the loops of rows compute it one row after the other, and its own have rows in all lanes. Where elements are computed
// of short rows that an index picks, and everything is summed, the sums are: loops without them have picked rows in
// tiles (../lower/picked_rows.hpp). Read next: accumulate.hpp.
#pragma once
#include "fuse.hpp"

namespace etna::planning {

/// The tails of a graph's kernels.
class row_tails {
 public:
  constexpr row_tails(graph const& g, view const* views, cut& c) : g_(g), views_(views), c_(c) {}
  constexpr void split() {
    bool any = false;
    for (int i = 0; i < g_.n_nodes; ++i) any = any || (is_home(i) && has_long_rows(i));
    if (!any) return;
    mark_needed();
    weigh();
    for (int i = 0; i < g_.n_nodes; ++i)
      if (is_home(i) && work_.at[i] > limits::least_tail + limits::of_a_value * read_.at[i]) cut_off(i, false);
  }
  constexpr void split_sums() {
    bool any = false;
    for (int i = 0; i < g_.n_nodes; ++i) any = any || (is_home(i) && picks_and_sums_all(i));
    if (!any) return;
    for (int i = 0; i < g_.n_nodes; ++i) see_sums(i);
    for (int i = 0; i < g_.n_nodes; ++i)
      if (is_home(i) && picks_and_sums_all(i) && !needed_.at[i] && picked_.at[i] >= limits::picked * read_.at[i])
        cut_off(i, true);
  }

 private:
  using limits = tuning::row_tails;
  graph const& g_;
  view const* views_;
  cut& c_;
  tracing::zeros<bool> needed_;      // by node: an element of its kernel, or what elements are computed of
  tracing::zeros<bool> is_read_;     // by node: it is none of a tail, but the tail of its kernel reads it
  tracing::zeros<int> work_, read_;  // by a kernel's first node: operations of its tail, and values that it reads

  constexpr bool is_home(int i) const { return c_.cls[i] == node_class::compute && c_.parent[i] == i; }
  /// Rows whose loops take them one after the other, and so many that it counts. (Short ones go side by side, but for
  /// those that something is picked in.)
  constexpr bool has_long_rows(int home) const {
    space const& s = c_.spaces[home];
    if (s.split <= 0 || s.is_columns() || s.split >= s.t.rank || c_.moves_of[home]) return false;
    extent const rows = s.kept().size();
    extent length = 1;
    for (int i = s.split; i < s.t.rank; ++i) length = s.t.e[i] < 0 ? tuning::short_rows::summed + 1 : length * s.t.e[i];
    return (rows < 0 || rows >= limits::rows) && (length > tuning::short_rows::summed || c_.gathers[home]);
  }
  constexpr bool picks_and_sums_all(int home) const {
    space const& s = c_.spaces[home];
    if (!c_.gathers[home] || s.split != 0 || s.is_columns() || c_.moves_of[home]) return false;
    extent const n = s.t.size();
    return n < 0 || n >= limits::rows;
  }
  /// Sums and what is computed of them, whether an element is (then the first equation of the kernel is `needed_`), and
  /// the elements of it that are picked and summed.
  constexpr void see_sums(int i) {
    if (c_.cls[i] != node_class::compute) return;
    int const home = c_.find(i);
    if (!picks_and_sums_all(home)) return;
    bool const is_element = squeezed(g_.values[g_.nodes[i].value].type).same_shape(c_.spaces[home].t);
    bool of_sums = c_.reduces[i];
    picked_.at[home] += c_.form[i] == ops::form::gather;
    for (int k = 0; k < g_.nodes[i].operands; ++k) {
      int const j = from(i, k);
      if (!is_inside(j, home) || j == i) continue;
      of_sums = of_sums || of_sums_.at[j];
      if (!c_.reduces[i] || is_read_.at[j]) continue;
      is_read_.at[j] = true;
      ++read_.at[home];
    }
    of_sums_.at[i] = of_sums;
    if ((is_element && of_sums && !c_.reduces[i]) || (!is_element && !of_sums) || g_.nodes[i].effect)
      needed_.at[home] = true;
  }
  constexpr bool is_tail(int i) const {
    return c_.cls[i] == node_class::compute && !needed_.at[i] && !g_.nodes[i].effect && has_long_rows(c_.find(i));
  }
  constexpr int from(int i, int k) const { return g_.values[views_[g_.edges[g_.nodes[i].edge + k]].root].node; }
  constexpr bool is_inside(int i, int home) const { return c_.cls[i] == node_class::compute && c_.find(i) == home; }

  constexpr void mark_needed() {
    for (int i = g_.n_nodes; i-- > 0;) {
      if (c_.cls[i] != node_class::compute) continue;
      int const home = c_.find(i);
      tensor_type const mine = squeezed(g_.values[g_.nodes[i].value].type);
      needed_.at[i] = needed_.at[i] || c_.reduces[i] || mine.same_shape(c_.spaces[home].t);
      for (int k = 0; k < g_.nodes[i].operands && needed_.at[i]; ++k)
        if (is_inside(from(i, k), home)) needed_.at[from(i, k)] = true;
    }
  }
  constexpr void weigh() {
    for (int i = 0; i < g_.n_nodes; ++i) {
      if (!is_tail(i)) continue;
      int const home = c_.find(i);
      work_.at[home] +=
          ops::table.at[g_.nodes[i].op].flops + (c_.form[i] == ops::form::gather ? limits::of_a_value : 0);
      for (int k = 0; k < g_.nodes[i].operands; ++k)
        if (int const j = from(i, k); is_inside(j, home) && needed_.at[j] && !is_read_.at[j]) {
          is_read_.at[j] = true;
          ++read_.at[home];
        }
    }
  }
  /// A stage later; whatever came later comes later still.
  ///
  /// sums  the tail is all sums and what is computed of them
  constexpr void cut_off(int home, bool sums) {
    int const stage = c_.stage[home];
    for (int i = 0; i < g_.n_nodes; ++i)
      if (c_.parent[i] == i && c_.stage[i] > stage) ++c_.stage[i];
    space const whole = c_.spaces[home], tail = sums ? whole : space{whole.kept(), -1, -1},
                head = sums ? space{whole.t, -1, -1} : whole;
    int first[2] = {-1, -1}, members[2] = {}, gathers[2] = {};
    for (int i = 0; i < g_.n_nodes; ++i) {
      if (!is_inside(i, home)) continue;
      bool const is = sums ? of_sums_.at[i] : is_tail(i);
      part_.at[i] = 1 + is;
      if (first[is] < 0) first[is] = i;
      ++members[is];
      gathers[is] += c_.form[i] == ops::form::gather;
    }
    // parents last: until then each of them finds its kernel
    for (int i = 0; i < g_.n_nodes; ++i) {
      if (part_.at[i] > 0) c_.parent[i] = first[part_.at[i] - 1];
      part_.at[i] = 0;
    }
    for (int is = 0; is < 2; ++is) {
      int const i = first[is];
      c_.spaces[i] = is ? tail : head;
      c_.stage[i] = stage + is;
      c_.members[i] = members[is];
      c_.gathers[i] = gathers[is] > 0;
      c_.moves_of[i] = c_.waits[i] = c_.early[i] = 0;
    }
  }
  tracing::zeros<int> part_;      // by node, of the kernel that is cut
  tracing::zeros<bool> of_sums_;  // by node
  tracing::zeros<int> picked_;    // by a kernel's first node: elements that are picked
};

/// The pass.
constexpr void cut_off_tails(graph const& g, view const* views, int const*, int, cut& c) {
  row_tails(g, views, c).split();
  row_tails(g, views, c).split_sums();
}

}  // namespace etna::planning
