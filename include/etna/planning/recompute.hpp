// SPDX-License-Identifier: BSD-3-Clause
// What a program computes again, so that its temporaries fit a budget: values that lie idle while memory is scarce.
// Their later readers get a copy, made shortly before they need it. Read next: copied_graph.hpp.
#pragma once
#include <algorithm>

#include "memory.hpp"

namespace etna::planning {

/// Which values are computed again, by the steps of the plan that they were found in.
struct recomputation : tracing::working {
  int from[tracing::most_nodes]{};   // by value: the step + 1 from which on readers have the copy; 0: there is none
  int step[tracing::most_nodes]{};   // by node: the step + 1 that runs it
  int after[tracing::most_nodes]{};  // by step: the value + 1 behind which the copies for it are computed
  bool is_memory[tracing::most_nodes]{};  // by value
};

/// What is known of the memory of a plan's frame, and of what it would be. Steps are counted from the frame's first.
///
/// source  Chen, Xu, Zhang and Guestrin, "Training Deep Nets with Sublinear Memory Cost", 2016: segments that are
///         computed again; here a value at a time, the cheapest bytes first, and of equal ones the earliest: those of a
///         chain become segments that are longer where less else is alive
class memory_of_steps {
 public:
  constexpr memory_of_steps(planner const& d, recomputation& r) : g_(d.g), v_(d.v), c_(d.c), r_(r), steps_(d.f.steps) {
    read_steps(d);
    read_values(d);
    for (int s = 0; s < steps_; ++s) most_ = std::max(most_, live_.at[s]);
    list_candidates();
  }
  /// Bytes that are alive at once, of the plan as it is.
  constexpr extent most() const { return most_; }

  /// Choose what is computed again, so that at most so many bytes are alive at once; false where that is not found, and
  /// then nothing is chosen.
  constexpr bool choose(extent target) {
    clear();
    bool found = false;
    for (bool more = true; more && !(found = is_within(target));) {
      more = false;
      for (int k = 0; k < n_candidates_ && !is_within(target); ++k) more = try_again(candidates_.at[k], target) || more;
    }
    if (!found) clear();
    return found;
  }
  /// The least number of bytes, within a hundredth, for which something is found.
  constexpr extent least() {
    extent low = 0, high = most_;
    while (high - low > most_ / 128) {
      extent const middle = low + (high - low) / 2;
      (choose(middle) ? high : low) = middle;
    }
    return high;
  }

 private:
  /// When a value is read by a step.
  struct use {
    int step, next;
  };
  struct value_facts {
    extent bytes;       // 0: it is no temporary
    int first, last;    // steps that write and read it
    int idle;           // the last step that reads it before it is computed again
    int until;          // the last that reads the copy
    int use, last_use;  // the first and the last that read it, in their order, + 1
    int of_copies;      // those for which copies are made of it, the newest first, + 1
    bool is_argument;   // or a constant
    bool may_be_given;  // an argument whose memory a result may take
    bool may_run_again;
  };
  struct candidate {
    int value, idle, from;  // read by step `idle`, and not before step `from`
    extent flops, bytes;
  };
  struct change {
    int value, from, idle, until;
  };

  graph const& g_;
  view const* v_;
  cut const& c_;
  recomputation& r_;
  int steps_, n_uses_ = 0, n_planned_ = 0, n_candidates_ = 0, n_changes_ = 0;
  extent most_ = 0;
  tracing::zeros<extent> live_, as_planned_, before_, flops_;  // by step
  tracing::zeros<value_facts> facts_;                          // by value
  tracing::zeros<use, 3 * tracing::most_nodes> uses_;
  tracing::zeros<int, 3 * tracing::most_nodes> copied_;  // by use for a copy: of which value
  tracing::zeros<candidate> candidates_;
  tracing::zeros<change> changes_;
  tracing::zeros<int> seen_, stack_;  // of walks: by value, in which it was met; what is to be looked at
  tracing::zeros<int> chosen_;
  int walk_ = 0, n_chosen_ = 0;

  constexpr int root_of(int value) const { return v_[value].root; }
  constexpr node_info const& node_of(int value) const { return g_.nodes[g_.values[value].node]; }
  constexpr int step_of(int value) const { return r_.step[g_.values[value].node] - 1; }

  constexpr void read_steps(planner const& d) {
    tracing::zeros<int> by_head;
    for (int s = 0; s < steps_; ++s) {
      by_head.at[d.p.steps[d.f.step + s].node] = s + 1;
      flops_.at[s] = d.p.steps[d.f.step + s].flops;
    }
    for (int i = 0; i < g_.n_nodes; ++i)
      if (d.kernel[i] >= 0) r_.step[i] = by_head.at[d.kernel[i]];
    for (int b = d.f.buffer; b < d.f.buffer + d.f.buffers; ++b) {
      buffer const& x = d.p.buffers[b];
      if (x.kind != buffer::temporary && x.kind != buffer::size_of) continue;
      for (int s = x.first - d.f.step; s <= x.last - d.f.step; ++s) live_.at[s] += aligned(x.size * bytes_of(x.d));
    }
    for (int s = 0; s < steps_; ++s) as_planned_.at[s] = live_.at[s];
  }
  constexpr void read_values(planner const& d) {
    for (int id = 0; id < g_.n_values; ++id) {
      if (d.value_buffer[id] == 0) continue;
      r_.is_memory[id] = true;
      buffer const& x = d.p.buffers[d.value_buffer[id] - 1];
      node_info const& n = node_of(id);
      int const i = g_.values[id].node;
      value_facts& f = facts_.at[id];
      f.first = f.last = r_.step[i] - 1;
      f.is_argument = x.kind == buffer::argument || x.kind == buffer::constant || x.kind == buffer::size_of;
      if (x.kind == buffer::argument) {
        f.last = x.last - d.f.step;
        for (int b = d.f.result; b < d.f.result + d.n_out; ++b)
          f.may_be_given = f.may_be_given || (d.p.buffers[b].d == x.d && d.p.buffers[b].size == x.size);
      }
      if (x.kind != buffer::temporary || f.first < 0) continue;
      f.bytes = aligned(x.size * bytes_of(x.d));
      bool const is_of_ranks = ops::table.at[n.op].is_collective || n.op == code<ops::awaited_p>;  // sent once
      f.may_run_again = n.results == 1 && !n.effect && !x.in_pieces && !c_.whole[i] && !c_.place[i] &&
                        !ops::is_nested(c_.form[i]) && !is_of_ranks;
    }
    for (int s = 0; s < steps_; ++s)
      for (int j = d.head[d.p.steps[d.f.step + s].node]; j > 0; j = d.next[j - 1]) note_uses(j - 1, s);
    n_planned_ = n_uses_;
  }
  constexpr void note_uses(int node, int s) {
    node_info const& n = g_.nodes[node];
    for (int k = 0; k < n.operands; ++k) {
      value_facts& f = facts_.at[root_of(g_.edges[n.edge + k])];
      if (f.bytes == 0 || f.first == s || (f.last_use && uses_.at[f.last_use - 1].step == s)) continue;
      uses_.at[n_uses_++] = {s, 0};
      (f.last_use ? uses_.at[f.last_use - 1].next : f.use) = n_uses_;
      f.last_use = n_uses_;
      f.last = s;
    }
  }

  /// Call f(root) for what a value is computed of that is memory and that step s may still read; what is over is
  /// computed as well. Returns what that costs; -1: something on the way has an effect, and happens once.
  template <class F> constexpr extent each_source(int value, int s, F const& f) {
    extent cost = 0;
    int n_stack = 0;
    auto push = [&](int id) {
      seen_.at[id] = walk_;
      stack_.at[n_stack++] = id;
    };
    ++walk_;
    push(value);
    while (n_stack > 0) {
      int const id = stack_.at[--n_stack];
      node_info const& n = node_of(id);
      if (n.effect) return -1;
      cost += flops_of(id);
      for (int k = 0; k < n.operands; ++k) {
        int const x = root_of(g_.edges[n.edge + k]);
        value_facts const& of = facts_.at[x];
        if (seen_.at[x] == walk_ || c_.cls[g_.values[x].node] == node_class::free) continue;
        bool const is_memory = of.bytes > 0 || of.is_argument || step_of(x) < 0;
        if (!is_memory || (of.may_run_again && of.last < s)) push(x);
        else {
          seen_.at[x] = walk_;
          f(x);
        }
      }
    }
    return cost;
  }
  constexpr extent flops_of(int id) const {
    node_info const& n = node_of(id);
    if (c_.cls[g_.values[id].node] == node_class::opaque) return step_of(id) < 0 ? 0 : flops_.at[step_of(id)];
    extent size = g_.values[id].type.size();
    if (n.operands) size = std::max(size, g_.values[g_.edges[n.edge]].type.size());
    return ops::table.at[n.op].flops * std::max<extent>(size, 0);
  }
  /// Of each value the longest time that nobody reads it, if anything else happens in between.
  constexpr void list_candidates() {
    for (int id = 0; id < g_.n_values; ++id) {
      value_facts const& f = facts_.at[id];
      if (!f.may_run_again || f.bytes < most_ / 4096) continue;
      int idle = f.first, from = -1;
      for (int u = f.use, before = f.first; u; u = uses_.at[u - 1].next) {
        int const s = uses_.at[u - 1].step;
        if (s - before > from - idle && s - before > 1) idle = before, from = s;
        before = s;
      }
      if (from < 0) continue;
      extent const flops = each_source(id, from, [](int) {});
      if (flops < 0) continue;
      candidates_.at[n_candidates_++] = {id, idle, from, flops, f.bytes};
    }
    std::sort(candidates_.at, candidates_.at + n_candidates_, [&](candidate const& a, candidate const& b) {
      double const x = double(a.flops) / double(a.bytes), y = double(b.flops) / double(b.bytes);
      return x != y ? x < y : a.idle != b.idle ? a.idle < b.idle : a.value < b.value;
    });
  }

  constexpr bool is_within(extent target) const {
    for (int s = 0; s < steps_; ++s)
      if (live_.at[s] > target) return false;
    return true;
  }
  constexpr void clear() {
    for (int k = 0; k < n_chosen_; ++k) r_.from[chosen_.at[k]] = 0;
    for (int id = 0; id < g_.n_values; ++id) facts_.at[id].of_copies = 0;
    for (int s = 0; s < steps_; ++s) r_.after[s] = 0;
    n_chosen_ = 0;
    n_uses_ = n_planned_;
    for (int s = 0; s < steps_; ++s) live_.at[s] = as_planned_.at[s];
  }
  constexpr void add(int from, int to, extent bytes) {
    for (int s = from; s < to; ++s) live_.at[s] += bytes;
  }

  /// Compute this again, if that helps where there is too much, and makes nowhere else too much.
  constexpr bool try_again(candidate const& x, extent target) {
    if (r_.from[x.value]) return false;
    for (int s = 0; s < steps_; ++s) before_.at[s] = live_.at[s];
    n_changes_ = 0;
    int const uses = n_uses_;
    value_facts& f = facts_.at[x.value];
    note(x.value);
    int from = x.from;
    for (int u = f.of_copies; u; u = uses_.at[u - 1].next)
      if (int const s = uses_.at[u - 1].step; s > x.idle) from = std::min(from, s);
    f.idle = x.idle;
    f.until = f.last;
    r_.from[x.value] = from + 1;
    add(x.idle + 1, from, -f.bytes);
    bool fine = reads(x.value, from), helps = false;
    for (int s = 0; s < steps_ && fine; ++s) {
      fine = live_.at[s] <= target || live_.at[s] <= before_.at[s];
      helps = helps || (before_.at[s] > target && live_.at[s] < before_.at[s]);
    }
    if (fine && helps) {
      for (int k = 0; k < n_changes_; ++k)
        if (changes_.at[k].from == 0) chosen_.at[n_chosen_++] = changes_.at[k].value;
      choose_place(from);
      return true;
    }
    while (n_changes_ > 0) {
      change const& o = changes_.at[--n_changes_];
      r_.from[o.value] = o.from;
      facts_.at[o.value].idle = o.idle;
      facts_.at[o.value].until = o.until;
    }
    while (n_uses_ > uses) {
      value_facts& of = facts_.at[copied_.at[--n_uses_]];
      of.of_copies = uses_.at[n_uses_].next;
    }
    for (int s = 0; s < steps_; ++s) live_.at[s] = before_.at[s];
    return false;
  }
  constexpr void note(int value) {
    changes_.at[n_changes_++] = {value, r_.from[value], facts_.at[value].idle, facts_.at[value].until};
  }
  /// What the copy is made of is there at step s, or is computed again as well.
  constexpr bool reads(int value, int s) {
    int n = 0;
    int* const of = new int[std::size_t(g_.n_values)];
    bool fine = each_source(value, 0, [&](int x) { of[n++] = x; }) >= 0;
    for (int k = 0; k < n && fine; ++k) fine = is_there(of[k], s);
    delete[] of;
    return fine;
  }
  constexpr bool is_there(int value, int s) {
    value_facts& f = facts_.at[value];
    if (f.is_argument) return s <= f.last || !f.may_be_given;
    if (f.bytes == 0) return false;  // a result, or put together
    copied_.at[n_uses_] = value;
    uses_.at[n_uses_++] = {s, f.of_copies};
    f.of_copies = n_uses_;
    int const from = r_.from[value] - 1;
    if (from < 0 && s <= f.last) return true;
    if (from >= 0 && s <= f.idle) return true;
    if (from >= 0 && s >= from) {
      if (s <= f.until) return true;
      note(value);
      add(f.until + 1, s + 1, f.bytes);
      f.until = s;
      return true;
    }
    if (!f.may_run_again) return false;
    note(value);
    if (from < 0) {  // it is over, and lives for this step
      f.idle = f.last;
      f.until = s;
      add(s, s + 1, f.bytes);
    } else add(s, from, f.bytes);
    r_.from[value] = s + 1;
    return reads(value, s);
  }
  /// Copies for a step are computed when what it reads besides is there, and not before: behind the latest of that, or
  /// of all that came before.
  constexpr void choose_place(int s) {
    if (r_.after[s]) return;
    int of_step = -1, of_all = -1, value = -1, any = -1;
    for (int i = 0; i < g_.n_nodes; ++i) {
      int const at = r_.step[i] - 1;
      node_info const& n = g_.nodes[i];
      if (at < s && at > of_all && n.results > 0) {
        of_all = at;
        any = n.value;
      }
      for (int k = 0; at == s && k < n.operands; ++k) {
        int const x = root_of(g_.edges[n.edge + k]), made = step_of(x);
        if (r_.from[x] || made >= s || made <= of_step) continue;
        of_step = made;
        value = x;
      }
    }
    r_.after[s] = (value < 0 ? any : value) + 1;
  }
};

}  // namespace etna::planning
