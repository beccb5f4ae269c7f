// SPDX-License-Identifier: BSD-3-Clause
// Which plans are so little work that a launch would cost more: they run as straight-line code
// (../straight/scalars.hpp).
#pragma once
#include <algorithm>

#include "plan.hpp"

namespace etna::planning {

/// Compiled functions of at most this much work are straight-line code: one for each equation of single numbers and for
/// each FLOP, about what a kernel takes before its first element. What kernels of a single number do is the same code,
/// and updates are moves of registers: neither counts. 0: none, as in tests of kernels.
#if !defined(ETNA_MOST_STRAIGHT)
#define ETNA_MOST_STRAIGHT 128
#endif
/// Of straight-line code, by the same measure: what it costs to compile; and as a plan's steps say it, before the code
/// is made, which folds what is known.
inline constexpr extent most_straight_work = 16 * ETNA_MOST_STRAIGHT, most_to_try = 4 * most_straight_work;

/// What steps take as straight-line code at most, and how much of that does not count.
struct little_work {
  extent straight = 0, spared = 0;
};
inline constexpr little_work too_much_work{most_to_try + 1, 0};
/// Of n statements for each of so many elements.
///
/// is_spared   none of it counts
constexpr little_work straight_work(extent n, extent elements, extent flops, bool is_spared) {
  if (elements > most_to_try || n * elements > most_to_try) return too_much_work;
  extent const work = n * elements + flops;
  return {work, is_spared ? work : 0};
}
/// The product of these extents, or some number that is more than `most`.
constexpr extent elements_at_most(extent const* loop, int n, extent most) {
  extent elements = 1;
  for (int i = 0; i < n && elements <= most; ++i) elements *= loop[i];
  return elements;
}

}  // namespace etna::planning
