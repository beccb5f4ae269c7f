// SPDX-License-Identifier: BSD-3-Clause
// A product and what follows it: kernels that go over its rows, and other products with these rows. Step after step,
// each result would go to memory and come back. So they run tile by tile: all steps for some rows, then all steps for
// the next ones, and what one step hands to the next is still in the second cache. Examples are a gradient with the
// update of its weights, and the scores of attention with their softmax. The loop of such a group has a round for each
// row of the product; of a batch of products, a round for each of them.
#pragma once
#include "groups.hpp"

namespace etna::planning {

class epilogues : groups {
 public:
  constexpr epilogues(draft& p, frame const& f) : groups(p, f) {
    for (int s = f.step; s < end_;) s += group(s);
  }

 private:
  using limits = tuning::epilogue;
  extent rounds_ = 0;  // of the group

  static constexpr bool is_product(step const& st) { return is<product_step>(st); }
  static constexpr bool is_batch(step const& st) { return st.loop[0] > 1; }
  static constexpr extent rounds(step const& st) { return is_batch(st) ? st.loop[0] : st.loop[1]; }
  static constexpr extent rows_of(step const& st, int axes) {
    extent n = 1;
    for (int i = 0; i < axes; ++i) n *= st.loop[i];
    return n;
  }
  /// Can the step run for some of the rounds?
  constexpr bool divides(step const& st) const {
    if (is_product(st)) return rounds(st) == rounds_;
    if (!is<kernel_step>(st) || st.n_mid != 0) return false;
    nest const loops = nest_of(p_, st);
    bool const sums = loops == nest::rows;
    if (loops == nest::across_rows)
      return rows_of(st, st.n_outer) % rounds_ == 0 && st.loop[st.n_outer - 1] % tuning::short_rows::summed_unit == 0 &&
             rows_of(st, st.n_outer) / rounds_ % tuning::short_rows::summed_unit == 0;
    if (!sums && loops != nest::pointwise) return false;
    return st.n_outer == 0 ? !sums && st.inner % rounds_ == 0
                           : st.inner <= tuning::loops::part && rows_of(st, st.n_outer) % rounds_ == 0;
  }
  /// Does the view walk from part to part of its buffer along the first axes of these? Along the others it stays inside
  /// a part, since it stays inside the last one.
  static constexpr bool walks(view_in_step const& v, extent const* e, int axes, extent part) {
    for (int i = axes - 1; i >= 0; part *= e[i], --i)
      if (e[i] != 1 && v.stride[i] != part) return false;
    return true;
  }
  /// Does round r touch the r-th part of the buffer only?
  constexpr bool by_rounds(step const& st, view_in_step const& v) const {
    extent const size = p_.buffers[v.buffer].size;
    if (size % rounds_ != 0 || v.window != 0) return false;
    if (is_product(st)) {
      int const k = int(&v - begin(st));
      if (k == added_to || k == st.inputs) return true;  // as it lies
      return (k == 0 || is_batch(st)) && walks(v, st.loop, is_batch(st) ? 1 : 2, size / rounds_);
    }
    if (st.n_outer == 0) return v.inner == 1 && st.inner == size;
    for (int axes = 1; axes <= st.n_outer; ++axes)
      if (extent const n = rows_of(st, axes); n % rounds_ == 0 && size % n == 0 && walks(v, st.loop, axes, size / n))
        return true;
    return false;
  }
  /// May the n-th step from s on follow those before it?
  constexpr bool joins(int s, int n) const {
    step const& st = p_.steps[s + n];
    if (!divides(st)) return false;
    if (n == 0) return true;
    bool may = reads_of(st, s + 1);
    for (int i = 0; i < n && may; ++i) {
      step const& before = p_.steps[s + i];
      may = each_meeting(before, st, [&](view_in_step const& a, view_in_step const& b, bool) {
        return by_rounds(before, a) && by_rounds(st, b);
      });
    }
    return may;
  }
  /// The group that begins with step s, if there is one: its size.
  constexpr int group(int s) {
    step const& head = p_.steps[s];
    if (!is_product(head) || rounds(head) < 2) return 1;
    rounds_ = rounds(head);
    extent handed_on = 0, again = 0;
    bool by_rows = false;
    int n = 0;
    for (; n < step::most_grouped && s + n < end_ && joins(s, n); ++n) {
      step const& st = p_.steps[s + n];
      if (is_product(st) && !is_batch(st)) {
        extent const operand = st.loop[2] * st.loop[3] * bytes(begin(st)[1].buffer);
        if (again + operand > limits::operands) break;
        again += operand;
        by_rows = true;
      }
      for (int k = 0; k < views(st); ++k) {
        int const b = begin(st)[k].buffer, group = s + 1;
        if (b < 0) continue;
        if (k >= st.inputs) written_.at[b] = group;
        else if (written_.at[b] == group && seen_.at[b] != group) {
          seen_.at[b] = group;
          handed_on += p_.buffers[b].size * bytes(b);
        }
      }
    }
    if (n < 2 || handed_on < limits::least) return 1;
    extent const step_of = by_rows ? limits::rows : 1, fits = limits::tile * rounds_ / handed_on / step_of * step_of,
                 tile = std::max(fits, step_of);
    if (tile * handed_on / rounds_ > limits::most || 2 * tile > rounds_) return 1;
    make_group(s, n, rounds_, tile, by_rows ? limits::rows / 2 : 1);
    for (int i = s; i < s + n; ++i)
      for (int k = p_.steps[i].inputs; k < views(p_.steps[i]); ++k)
        if (int const b = begin(p_.steps[i])[k].buffer; is_passed_on(p_.buffers[b], head, s))
          p_.steps[s].passed_on += aligned(p_.buffers[b].size / rounds_ * tile * bytes(b));
    return n;
  }
};

}  // namespace etna::planning
