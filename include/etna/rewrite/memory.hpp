// SPDX-License-Identifier: BSD-3-Clause
// Where buffers lie: results take the memory of donated arguments where that is safe, temporaries get
// places in an arena. Read next: planner.hpp.
#pragma once
#include "normal_form.hpp"

namespace etna::rewrite {

/// Does the step read buffer a at the same element only as it writes b?
constexpr bool reads_in_place(plan const& p, step const& st, int a, int b) {
  view_in_step const *views = p.views + st.view, *out = nullptr;
  for (int k = st.inputs; k < st.inputs + st.outputs; ++k)
    if (views[k].buffer == b) out = views + k;
  if (!out) return false;
  for (int k = 0; k < st.inputs; ++k) {
    view_in_step const& v = views[k];
    if (v.buffer != a) continue;
    bool same = v.inner == out->inner && v.gather_size == 0;
    for (int i = 0; i < st.n_outer; ++i) same = same && v.outer[i] == out->outer[i];
    for (int i = 0; i < st.n_mid; ++i) same = same && v.mid[i] == out->mid[i];
    if (!same) return false;
  }
  return true;
}

/// Is input k of a kernel read by a statement behind number i?
constexpr bool is_read_after(std::int64_t const* kernel, int k, int i) {
  for (++i; i < int(kernel[2]); ++i)
    for (int o = 1; o < stmt_words; ++o)
      if (kernel[head_words + i * stmt_words + o] == -1 - k) return true;
  return false;
}

/// A result takes the memory of an argument of its type that nobody reads after it is written, and
/// that the writing kernel reads at the same element only, in one phase. Results are taken in the order in which
/// their statements write them, so that each finds the argument it comes from.
constexpr void donate(plan& p) {
  trace::zeros<bool> given;  // by buffer
  for (int s = 0; s < p.n_steps; ++s) {
    step const& st = p.steps[s];
    if (st.kind != step_kind::fused) continue;
    std::int64_t const* kernel = p.words + p.kernel_at[st.kernel];
    if (kernel[1] > 1) continue;
    int out = st.inputs;
    for (int i = 0; i < int(kernel[2]); ++i) {
      int outs = stmt_head::read(kernel[head_words + i * stmt_words]).outs;
      for (int bit = 1; bit <= outs; bit *= 2) {
        if (!(outs & bit)) continue;
        int b = p.views[st.view + out++].buffer;
        buffer& r = p.buffers[b];
        if (r.kind != buffer::result) continue;
        for (int k = 0; k < st.inputs && r.donor < 0; ++k) {
          int a = p.views[st.view + k].buffer;
          if (a < 0 || p.buffers[a].kind != buffer::argument || given.at[a]) continue;
          buffer const& x = p.buffers[a];
          if (x.d != r.d || x.size != r.size || x.last > s) continue;
          if (is_read_after(kernel, k, i) || !reads_in_place(p, st, a, b)) continue;
          given.at[a] = true;
          r.donor = a;
        }
      }
    }
  }
}

/// Bytes to the next cache line.
constexpr extent aligned(extent bytes) { return (bytes + 63) / 64 * 64; }

/// Ints that assign_memory works with.
constexpr int memory_work(int buffers, int steps) { return 4 * (buffers + 1) + 2 * (steps + 1); }

/// Places in the arena: buffers that are alive together do not overlap. First fit by first use; returns the bytes.
///
/// size    makes an extent a number
/// work    memory_work(n, steps) zeros
template <class Size> constexpr extent assign_memory(buffer* b, int n, int steps, Size size, int* work) {
  int *born = work, *born_next = born + steps + 1;          // by step, those first used there (number + 1)
  int *dies = born_next + n + 1, *dies_next = dies + steps + 1;
  int *after = dies_next + n + 1, *before = after + n + 1;  // the living in order of their place; 0 is both ends
  for (int i = n - 1; i >= 0; --i) {
    if ((b[i].kind != buffer::temporary && b[i].kind != buffer::size_of) || b[i].last < 0) continue;
    born_next[i] = born[b[i].first];
    born[b[i].first] = i + 1;
    dies_next[i] = dies[b[i].last];
    dies[b[i].last] = i + 1;
  }
  extent top = 0;
  for (int s = 0; s < steps; ++s) {
    for (int i = born[s]; i > 0; i = born_next[i - 1]) {
      buffer& x = b[i - 1];
      extent bytes = aligned(size(x.size) * bytes_of(x.d)), at = 0;
      int left = 0;
      for (int k = after[0]; k > 0 && at + bytes > b[k - 1].offset; k = after[k]) {
        at = b[k - 1].end;
        left = k;
      }
      int right = after[left];
      after[left] = before[right] = i;
      after[i] = right;
      before[i] = left;
      x.offset = at;
      x.end = at + bytes;
      if (x.end > top) top = x.end;
    }
    for (int i = dies[s]; i > 0; i = dies_next[i - 1]) {
      after[before[i]] = after[i];
      before[after[i]] = before[i];
    }
  }
  return top;
}

}  // namespace etna::rewrite
