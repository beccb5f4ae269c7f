// SPDX-License-Identifier: BSD-3-Clause
// The order of steps where other processes are waited for: what needs nothing of them runs meanwhile.
// Read next: memory.hpp.
#pragma once
#include <etna/ops/mesh_place.hpp>

#include "schedule.hpp"

namespace etna::planning {

/// Of each step: on how many waits, one behind the other, it depends; and whether a collective depends on it. First
/// comes what depends on none; then step by step what another collective needs; at the end what only reads, such as
/// the update of parameters behind the reduction of all gradients.
class meanwhile {
  // Before their uses: clang takes no template for constant whose body it has not read yet.
  constexpr int node_of(int s) const { return d_.p.steps[first_ + s].node; }
  constexpr bool is_last(int s) const { return waits_.at[s] > 0 && !needed_.at[s]; }
  /// The equations behind whose values an equation reads memory.
  template <class F> constexpr void each_operand(int node, F const& f) const {
    node_info const& n = g_.nodes[node];
    for (int k = 0; k < n.operands; ++k) f(g_.values[d_.v[g_.edges[n.edge + k]].root].node);
    if (d_.c.after[node]) f(d_.c.after[node] - 1);
  }
  template <class F> constexpr void each_before(int s, F const& f) const {
    for (int j = d_.head[node_of(s)]; j > 0; j = d_.next[j - 1])
      each_operand(j - 1, [&](int r) {
        if (d_.kernel[r] != node_of(s)) f(r);
      });
  }

 public:
  constexpr explicit meanwhile(planner& d) : d_(d), g_(d.g), first_(d.f.step), n_(d.p.n_steps - first_) {
    for (int s = 0; s < n_; ++s) {
      step_of_.at[node_of(s)] = s + 1;
      any_ = any_ || g_.nodes[node_of(s)].op == code<ops::awaited_p>;
    }
  }
  constexpr bool any() const { return any_; }
  constexpr void order() {
    for (int s = 0; s < n_; ++s) {
      int most = 0;
      each_before(s, [&](int r) {
        if (waits_of(r) > most) most = waits_of(r);
      });
      waits_.at[s] = most + (g_.nodes[node_of(s)].op == code<ops::awaited_p>);
    }
    for (int s = n_ - 1; s >= 0; --s) {
      if (!needed_.at[s] && !ops::table.at[g_.nodes[node_of(s)].op].is_collective) continue;
      needed_.at[s] = true;
      each_before(s, [&](int r) { need(r); });
    }
    auto* sorted = new step[std::size_t(n_)]{};
    int at = 0, most = 0;
    for (int s = 0; s < n_; ++s)
      if (waits_.at[s] > most) most = waits_.at[s];
    for (int level = 0; level <= most; ++level)
      for (int s = 0; s < n_; ++s)
        if (!is_last(s) && waits_.at[s] == level) sorted[at++] = d_.p.steps[first_ + s];
    for (int s = 0; s < n_; ++s)
      if (is_last(s)) sorted[at++] = d_.p.steps[first_ + s];
    for (int s = 0; s < n_; ++s) d_.p.steps[first_ + s] = sorted[s];
    delete[] sorted;
  }

 private:
  planner& d_;
  graph const& g_;
  int first_, n_;
  bool any_ = false;
  tracing::zeros<int> step_of_;  // by the first node of a kernel: its step + 1
  tracing::zeros<int> waits_;    // by step
  tracing::zeros<int> known_;    // by node that runs in no kernel: the same + 1
  tracing::zeros<bool> needed_, seen_;

  constexpr int waits_of(int node) {
    if (d_.kernel[node] >= 0) return waits_.at[step_of_.at[d_.kernel[node]] - 1];
    if (known_.at[node]) return known_.at[node] - 1;
    int most = 0;
    each_operand(node, [&](int r) {
      int const w = r == node ? 0 : waits_of(r);
      if (w > most) most = w;
    });
    known_.at[node] = most + 1;
    return most;
  }
  constexpr void need(int node) {
    if (d_.kernel[node] >= 0) {
      needed_.at[step_of_.at[d_.kernel[node]] - 1] = true;
      return;
    }
    if (seen_.at[node]) return;
    seen_.at[node] = true;
    each_operand(node, [&](int r) {
      if (r != node) need(r);
    });
  }
};

/// Pass.
constexpr void run_meanwhile(planner& d) {
  meanwhile m(d);
  if (m.any()) m.order();
}

}  // namespace etna::planning
