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
template <class Plan> constexpr little_work work_of(Plan const& p, step const& st) {
  constexpr extent most = most_to_try;
  bool const fused = st.kind == step_kind::fused,
             update = st.kind == step_kind::routine && st.kernel == code<ops::update_p>;
  if (!fused && !update && st.kind != step_kind::contraction) return {most + 1, 0};
  extent n = fused ? st.inputs + p.words[p.kernel_at[st.kernel] + 2] : 2,
         elements = update ? p.buffers[p.views[st.view].buffer].size : 1;
  if (!update)
    for (int i = 0; i < (fused ? st.n_outer + st.n_mid : 4) && elements <= most; ++i) elements *= st.loop[i];
  if (fused && elements <= most) elements *= st.inner;
  if (elements > most || n * elements > most) return {most + 1, 0};
  extent const work = n * elements + st.flops;
  return {work, update || (fused && elements == 1) ? work : 0};
}
/// How much work straight-line code of this plan may be, where its results are in their objects; 0: it is not worth
/// making.
template <class Plan> constexpr extent straight_limit(Plan const& p) {
  if (ETNA_MOST_STRAIGHT == 0 || !p.is_static || p.n_frames != 1 || p.n_steps == 0) return 0;
  for (int b = 0; b < p.n_buffers; ++b)
    if (buffer const& x = p.buffers[b];
        x.kind == buffer::result && x.size * bytes_of(x.d) > etna::detail::most_in_object)
      return 0;
  little_work all;
  for (int s = 0; s < p.n_steps && all.straight <= most_to_try; ++s) {
    little_work const one = work_of(p, p.steps[s]);
    all.straight += one.straight;
    all.spared += one.spared;
  }
  if (all.straight <= ETNA_MOST_STRAIGHT) return most_straight_work;
  return all.straight > most_to_try || 8 * all.spared < all.straight
             ? 0
             : std::min<extent>(ETNA_MOST_STRAIGHT + all.spared, most_straight_work);
}

}  // namespace etna::planning
