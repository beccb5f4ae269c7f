// SPDX-License-Identifier: BSD-3-Clause
// Which loops and branches run as one function: their frames are little, so a launch for each kernel of each round
// would cost more than the work. Said of a plan, before any type exists. Read next: ../lower/inlined.hpp.
#pragma once
#include <etna/array/array.hpp>

#include "step_table.hpp"

namespace etna::planning {

/// What of a plan runs how.
template <int Steps, int Kernels, int Buffers> struct inlining {
  bool in_function[Steps + 1];  // a nested step that is one function with all that it runs
  bool launched[Kernels + 1];   // a kernel that other steps run
  bool local[Buffers + 1];      // a temporary that is not the room of inner frames
  bool whole;                   // the whole program is one function
};
template <class Program> constexpr auto find_inlining() {
  plan const p(Program::value);
  inlining<Program::size.steps, Program::size.kernels, Program::size.buffers> r{};
  int frames = p.n_frames;  // as a constant nvcc warns of what comes behind
  if (frames < 2) {
    for (bool& x : r.launched) x = true;
    return r;
  }
  for (int b = 0; b < p.n_buffers; ++b) r.local[b] = p.buffers[b].kind == buffer::temporary && p.buffers[b].last >= 0;
  for (int s = 0; s < p.n_steps; ++s)
    if (step const& st = p.steps[s]; is_nested(st))
      r.local[p.views[st.view + st.inputs + st.outputs - 1].buffer] = false;
  bool active[Program::size.frames + 1]{};  // a frame whose steps are run one by one
  int used = 0;
  extent work = 0;
  active[p.n_frames - 1] = true;
  r.whole = p.is_static;
  for (int k = p.n_frames - 1; k >= 0; --k) {  // inner frames have lower numbers
    if (!active[k]) continue;
    frame const& f = p.frames[k];
    for (int s = f.step; s < f.step + f.steps; ++s) {
      step const& st = p.steps[s];
      if (is_nested(st)) {
        int n = p.is_static ? rules_of(st).statements(p, r.local, st) : -1;
        r.in_function[s] = n >= 0 && used + n <= most_inlined_statements;
        r.whole = r.whole && r.in_function[s];
        if (r.in_function[s]) {
          used += n;
          continue;
        }
        frame_list const inner = frames_of(p, st);
        for (int i = 0; i < inner.n; ++i) active[inner[i]] = true;
      } else {
        if (is<kernel_step>(st)) r.launched[st.kernel] = true;
        if (r.whole) r.whole = (work += rules_of(st).straight(p, st).straight) <= ETNA_MOST_STRAIGHT;
      }
    }
  }
  for (int b = p.frames[p.n_frames - 1].buffer; b < p.n_buffers; ++b)
    r.whole = r.whole && p.buffers[b].kind != buffer::size_of;
  if (r.whole)
    for (bool& x : r.launched) x = false;
  return r;
}
template <class Program> inline constexpr auto inlining_of = find_inlining<Program>();

/// How much work straight-line code of this plan may be, where its results are in their objects; 0: it is not worth
/// making.
constexpr extent straight_limit(plan const& p) {
  if (ETNA_MOST_STRAIGHT == 0 || !p.is_static || p.n_frames != 1 || p.n_steps == 0) return 0;
  for (int b = 0; b < p.n_buffers; ++b)
    if (buffer const& x = p.buffers[b];
        x.kind == buffer::result && x.size * bytes_of(x.d) > etna::detail::most_in_object)
      return 0;
  little_work all;
  for (int s = 0; s < p.n_steps && all.straight <= most_to_try; ++s) {
    little_work const one = rules_of(p.steps[s]).straight(p, p.steps[s]);
    all.straight += one.straight;
    all.spared += one.spared;
  }
  if (all.straight <= ETNA_MOST_STRAIGHT) return most_straight_work;
  if (all.straight > most_to_try || 8 * all.spared < all.straight) return 0;
  return std::min<extent>(ETNA_MOST_STRAIGHT + all.spared, most_straight_work);
}

}  // namespace etna::planning
