// SPDX-License-Identifier: BSD-3-Clause
// Which loops and branches run as one function: their frames are little, so a launch for each kernel of each round
// would cost more than the work. Said of a plan, before any type exists. Read next: ../lower/inlined.hpp.
#pragma once
#include "little.hpp"
#include "memory.hpp"

namespace etna::planning {

/// Limits of what runs inside such a function: elements of a kernel, multiplications of a product, bytes that its
/// frames keep to themselves; and the statements that a program has in such functions, which is what they cost to
/// compile.
struct inlining_limits {
  static constexpr extent elements = 1024, product = 65536, bytes = 16384;
  static constexpr int statements = ETNA_MOST_STRAIGHT > 0 ? 1024 : 0;
};

template <class Plan> constexpr int statements_of(Plan const& p, bool const* local, step const& s);

/// Statements of all kernels that a frame runs, those of inner frames too; -1 if it must not be inlined.
///
/// local   of each buffer: does its frame keep it to itself?
template <class Plan> constexpr int statements_of(Plan const& p, bool const* local, frame const& f) {
  using most = inlining_limits;
  int n = 0;
  extent bytes = 0;
  for (int b = f.buffer; b < f.buffer + f.buffers; ++b) {
    buffer const& x = p.buffers[b];
    if (x.kind == buffer::size_of) return -1;
    if (x.kind == buffer::result || local[b]) bytes += x.size * bytes_of(x.d);
  }
  for (int s = f.step; s < f.step + f.steps && n <= most::statements; ++s) {
    int more = statements_of(p, local, p.steps[s]);
    if (more < 0) return -1;
    n += more;
  }
  return bytes > most::bytes ? -1 : n;
}
template <class Plan> constexpr int statements_of(Plan const& p, bool const* local, step const& s) {
  using most = inlining_limits;
  extent work = 1;
  if (is_nested(s.kind)) {
    int n = 1;
    frame_list frames(p, s);
    for (int k = 0; k < frames.n; ++k) {
      int more = statements_of(p, local, p.frames[frames[k]]);
      if (more < 0) return -1;
      n += more;
    }
    return n;
  }
  if (s.kind == step_kind::fused) {
    for (int i = 0; i < s.n_outer + s.n_mid && work <= most::elements; ++i) work *= s.loop[i];
    return work * s.inner > most::elements || nest_of(p, s) == nest::stencil ? -1
                                                                             : int(p.words[p.kernel_at[s.kernel] + 2]);
  }
  if (s.kind == step_kind::contraction) {
    for (int i = 0; i < 4 && work <= most::product; ++i) work *= s.loop[i];
    return work > most::product ? -1 : 8;
  }
  if (s.kind == step_kind::routine && (ops::table.at[s.kernel].effect || ops::table.at[s.kernel].at_once)) return -1;
  for (int k = 0; k < s.inputs + s.outputs; ++k)
    if (int b = p.views[s.view + k].buffer; b >= 0 && p.buffers[b].size > most::product) return -1;
  return 1;
}

/// What of a plan runs how.
template <int Steps, int Kernels, int Buffers> struct inlining {
  bool in_function[Steps + 1];  // a nested step that is one function with all that it runs
  bool launched[Kernels + 1];   // a kernel that other steps run
  bool local[Buffers + 1];      // a temporary that is not the room of inner frames
  bool whole;                   // the whole program is one function
};
template <class Program> constexpr auto find_inlining() {
  auto const& p = Program::value;
  inlining<Program::size.steps, Program::size.kernels, Program::size.buffers> r{};
  int frames = p.n_frames;  // as a constant nvcc warns of what comes behind
  if (frames < 2) {
    for (bool& x : r.launched) x = true;
    return r;
  }
  for (int b = 0; b < p.n_buffers; ++b) r.local[b] = p.buffers[b].kind == buffer::temporary && p.buffers[b].last >= 0;
  for (int s = 0; s < p.n_steps; ++s)
    if (step const& st = p.steps[s]; is_nested(st.kind))
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
      if (is_nested(st.kind)) {
        int n = p.is_static ? statements_of(p, r.local, st) : -1;
        r.in_function[s] = n >= 0 && used + n <= inlining_limits::statements;
        r.whole = r.whole && r.in_function[s];
        if (r.in_function[s]) {
          used += n;
          continue;
        }
        frame_list inner(p, st);
        for (int i = 0; i < inner.n; ++i) active[inner[i]] = true;
      } else {
        if (st.kind == step_kind::fused) r.launched[st.kernel] = true;
        if (r.whole) r.whole = (work += work_of(p, st).straight) <= ETNA_MOST_STRAIGHT;
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

}  // namespace etna::planning
