// SPDX-License-Identifier: BSD-3-Clause
// A product and what follows it: kernels that go over its rows, and other products with these rows. Step after step,
// each result would go to memory and come back. So they run tile by tile: all steps for some rows, then all steps for
// the next ones, and what one step hands to the next is still in the second cache. Examples are a gradient with the
// update of its weights, and the scores of attention with their softmax. The loop of such a group has a round for each
// row of the product; of a batch of products, a round for each of them. What stands between and is no part of it, as a
// sum over the rows, runs behind it. Kernels that are no part of such a group and follow each other, as those into
// which a long computation of lanes is cut, run so too: what they hand on is no memory.
#pragma once
#include <numeric>

#include "groups.hpp"

namespace etna::planning {

class epilogues : groups {
 public:
  enum class first { product, kernel };
  constexpr epilogues(draft& p, frame const& f, first head) : groups(p, f), of_kernels_(head == first::kernel) {
    for (int s = f.step; s < end_;) s += p.steps[s].grouped ? p.steps[s].grouped : group(s);
  }

 private:
  using limits = tuning::epilogue;
  static constexpr int most_passed = 16;  // steps that do not belong to a group, among its steps
  bool of_kernels_;
  extent rounds_ = 0;  // of the group

  static constexpr bool is_product(step const& st) { return is<product_step>(st); }
  static constexpr bool is_batch(step const& st) { return st.loop[0] > 1; }
  static constexpr extent rounds(step const& st) { return is_batch(st) ? st.loop[0] : st.loop[1]; }
  /// Rounds of a group that begins with this step; 0: none does.
  constexpr extent rounds_from(step const& st) const {
    if (!of_kernels_) return is_product(st) ? rounds(st) : 0;
    if (!is<kernel_step>(st) || st.n_mid != 0) return 0;
    return st.n_outer == 0 ? st.inner : rows_of(st, st.n_outer);
  }
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
    if (extent const unit = rows_of_unit(loops); unit > 1) {  // some in a round, or one for some rounds
      extent const line = st.loop[st.n_outer - 1], rows = rows_of(st, st.n_outer);
      if (rows == rounds_ && line == rows) return true;
      return rows % rounds_ == 0 && line % unit == 0 && rows / rounds_ % unit == 0;
    }
    if (!sums && loops != nest::pointwise) return false;
    return st.n_outer == 0 ? !sums && st.inner % rounds_ == 0
                           : !may_have_parts(st) && rows_of(st, st.n_outer) % rounds_ == 0;
  }
  /// Rows that are so long that their sums may have parts, which are joined when all rows are done.
  constexpr bool may_have_parts(step const& st) const {
    bool const once = kernel_words(p_, st).phases() == 1;
    return st.inner >= (once ? 2 * tuning::loops::block : tuning::loops::part);
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
    if (st.n_outer == 0) return v.inner > 0 && v.inner * st.inner == size;
    for (int axes = 1; axes <= st.n_outer; ++axes)
      if (extent const n = rows_of(st, axes);
          n > 0 && n % rounds_ == 0 && size % n == 0 && walks(v, st.loop, axes, size / n))
        return true;
    return false;
  }
  /// Steps that are a group, in their order; those between them wait for its end.
  struct members {
    int at[step::most_grouped], n = 0, waiting[most_passed], n_waiting = 0;
  };
  /// May step i follow those before it, and not those that wait?
  constexpr bool joins(members const& of, int i) {
    step const& st = p_.steps[i];
    if (!divides(st)) return false;
    if (of.n == 0) return true;
    bool may = of_kernels_ || reads_of(st, of.at[0] + 1);
    for (int k = 0; k < of.n && may; ++k) {
      step const& before = p_.steps[of.at[k]];
      may = each_meeting(before, st, [&](view_in_step const& a, view_in_step const& b, bool) {
        return by_rounds(before, a) && by_rounds(st, b);
      });
    }
    for (int k = 0; k < of.n_waiting && may; ++k)
      may = each_meeting(p_.steps[of.waiting[k]], st, [](auto&&...) { return false; });
    return may;
  }
  /// Step `from` runs before those from `to` on.
  constexpr void bring_forward(int to, int from) {
    if (to == from) return;
    auto uses = [&](int i, int b) {
      for (int k = 0; k < views(p_.steps[i]); ++k)
        if (begin(p_.steps[i])[k].buffer == b) return true;
      return false;
    };
    for (int b = 0; b < p_.n_buffers; ++b) {
      buffer& x = p_.buffers[b];
      if (x.last < to || x.first > from) continue;
      bool const moves = uses(from, b);
      if (x.first >= to) x.first = moves ? to : x.first + 1;
      if (x.last < from) ++x.last;
      else if (x.last == from) {
        int i = from - 1;
        while (i >= to && !uses(i, b)) --i;
        x.last = i + 1 > x.first ? i + 1 : x.first;
      }
    }
    std::rotate(p_.steps + to, p_.steps + from, p_.steps + from + 1);
  }
  /// The group that begins with step s, if there is one: its size.
  constexpr int group(int s) {
    rounds_ = rounds_from(p_.steps[s]);
    if (rounds_ < 2) return 1;
    extent handed_on = 0, again = 0;
    bool by_rows = false;
    extent unit = 1;  // rows
    members of;
    for (int i = s; i < end_ && of.n < step::most_grouped; ++i) {
      step const& st = p_.steps[i];
      if (of_kernels_ && (!is<kernel_step>(st) || st.grouped)) break;
      bool may = joins(of, i);
      if (may && is_product(st) && !is_batch(st)) {
        extent const operand = st.loop[2] * st.loop[3] * bytes(begin(st)[1].buffer);
        may = again + operand <= limits::operands;
        again += may ? operand : 0;
        by_rows = by_rows || may;
      }
      if (!may) {
        if (of.n == 0 || of.n_waiting == most_passed || of_kernels_) break;
        of.waiting[of.n_waiting++] = i;
        continue;
      }
      of.at[of.n++] = i;
      if (is<kernel_step>(st)) unit = std::max(unit, rows_of_unit(nest_of(p_, st)));
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
    if (of.n < 2 || handed_on < limits::least) return 1;
    // whole blocks of products, and units of rows
    extent const step_of = by_rows       ? std::lcm(limits::rows, unit)
                           : of_kernels_ ? std::lcm(limits::elements, unit)
                                         : unit,
                 of_tile = of_kernels_ ? limits::most : limits::tile,
                 fits = of_tile * rounds_ / handed_on / step_of * step_of, tile = std::max(fits, step_of);
    if (tile * handed_on / rounds_ > limits::most || 2 * tile > rounds_) return 1;
    for (int k = 0; k < of.n; ++k) bring_forward(s + k, of.at[k]);
    make_group(s, of.n, rounds_, tile, unit > 1 || of_kernels_ ? step_of : by_rows ? limits::rows / 2 : 1);
    step& head = p_.steps[s];
    for (int i = s; i < s + of.n; ++i)
      for (int k = p_.steps[i].inputs; k < views(p_.steps[i]); ++k)
        if (int const b = begin(p_.steps[i])[k].buffer; is_passed_on(p_.buffers[b], head, s))
          head.passed_on += aligned(p_.buffers[b].size / rounds_ * tile * bytes(b));
    return of.n;
  }
};

}  // namespace etna::planning
