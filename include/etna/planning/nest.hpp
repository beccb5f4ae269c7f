// SPDX-License-Identifier: BSD-3-Clause
// The loop nests that a kernel may have, a row each. The loops themselves are `fused<kernel<nest::NAME, ...>>` and
// `host_loops_of` of it, in a file of ../lower each.
#pragma once
#include <etna/array/extent.hpp>
#include <etna/tuning.hpp>

namespace etna::planning {

/// Which loops a kernel has around its statements.
///
/// stencil      of a row whose elements are computed from their neighbours' values
/// flat         of short rows that lie one behind the other, as one row; nothing is summed
/// pointwise    of elements; nothing is summed
/// columns      of columns, whose sums lie side by side
/// joined_rows  of short rows that are summed once: registers go along each, sums of several rows are joined together
/// across_rows  of short rows, one in each lane of a register (SIMD across rows)
/// rows         of rows, each summed along registers
enum class nest { stencil, flat, pointwise, columns, joined_rows, across_rows, rows };

/// What a kernel is, as its nest is chosen.
struct nest_facts {
  bool moves;       // a statement reads its neighbours' values
  bool sums;        // it has reductions,
  bool by_columns;  // of leading axes
  bool short_rows;  // registers would be longer than its rows,
  bool joined;      // or its rows are summed once, as they lie in memory
  extent elements;  // of all its loops together; below 0: known at the call
};
/// applies     may a kernel have this nest? The first row that applies is taken
/// sums_inner  is the innermost loop summed?
/// by_element  is an element of a result written when nothing else is left to compute from what it replaces?
/// is_inlined  may it be a part of a function, with its neighbours?
/// one_by_one  what runs it one element at a time: in such functions, and for a thread of a device
struct nest_row {
  bool (*applies)(nest_facts const&);
  bool sums_inner, by_element, is_inlined;
  nest one_by_one;
};
/// In the order of the enumerators.
inline constexpr nest_row nests[] = {
    {[](nest_facts const& f) { return f.moves; }, false, false, false, nest::stencil},
    {[](nest_facts const& f) { return !f.sums && f.short_rows; }, false, true, true, nest::pointwise},
    {[](nest_facts const& f) { return !f.sums; }, false, true, true, nest::pointwise},
    {[](nest_facts const& f) { return f.by_columns; }, false, true, true, nest::columns},
    {[](nest_facts const& f) { return f.joined; }, true, true, true, nest::rows},
    {[](nest_facts const& f) { return f.short_rows; }, true, true, true, nest::rows},
    {[](nest_facts const&) { return true; }, true, true, true, nest::rows},
};
constexpr nest choose_nest(nest_facts const& f) {
  int i = 0;
  while (!nests[i].applies(f)) ++i;
  return nest(i);
}
/// Rows of a unit of work, those of the last of the outer loops.
constexpr extent rows_of_unit(nest n) {
  if (n == nest::flat) return tuning::short_rows::flat_unit;
  return n == nest::across_rows || n == nest::joined_rows ? tuning::short_rows::summed_unit : 1;
}
constexpr nest_row const& row_of(nest n) { return nests[int(n)]; }

}  // namespace etna::planning
