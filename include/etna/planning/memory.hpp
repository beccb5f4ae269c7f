// SPDX-License-Identifier: BSD-3-Clause
// Where buffers lie: results take the memory of donated arguments where that is safe, temporaries get
// places in an arena. Read next: groups.hpp.
#pragma once
#include "step_table.hpp"

namespace etna::planning {

/// The views of one step, found by their buffer.
class views_by_buffer {
 public:
  constexpr explicit views_by_buffer(draft const& p) : p_(p) {}
  /// Those of step st, from now on.
  constexpr void list(step const& st) {
    if (st.view == listed_) return;
    listed_ = st.view;
    ++list_;
    for (int k = st.inputs + st.outputs - 1; k >= 0; --k)
      if (int const b = p_.views[st.view + k].buffer; b >= 0) {
        next_.at[k] = first(b);
        first_.at[b] = k;
        of_.at[b] = list_;
      }
  }
  /// The first of them on a buffer, inputs before outputs, and the next behind one; -1: there is none.
  constexpr int first(int buffer) const { return of_.at[buffer] == list_ ? first_.at[buffer] : -1; }
  constexpr int next(int k) const { return next_.at[k]; }

 private:
  draft const& p_;
  int listed_ = -1, list_ = 0;      // the step's first view; how many lists there were
  tracing::zeros<int> first_, of_;  // by buffer, and of which list that is
  tracing::zeros<int> next_;        // by view
};

/// The order in which the n statements of a kernel of one phase read and write, as numbers that are compared: the loops
/// (lower/fused.hpp) do not run one statement after the other. For each row they compute the values of the row that
/// need no element, then the elements with their sums, and then the values that need a sum. Columns have no values
/// before their elements.
///
/// reads    when the i-th statement reads its operands
/// writes   when it writes its results: those of sums are complete when all elements are done
struct moment {
  int reads, writes;
  constexpr moment(stmt_head const& h, bool columns, int i, int n) {
    int part = 3;  // of the values that need a sum
    if (h.at == level::element) part = 1;
    else if (h.at == level::reduce) part = 2;
    else if (h.phases == 0 && !columns) part = 0;
    reads = i + n * part;
    writes = h.at == level::reduce ? i + 3 * n : reads;
  }
};

/// Is this a step that starts from one operand, and reads that there alone: may buffer b take a's memory?
constexpr bool replaces(draft const& p, step const& st, int& a, int& b) {
  int const from = rules_of(st).starts_from(st);
  if (from < 0) return false;
  view_in_step const* v = p.views + st.view;
  a = v[from].buffer;
  b = v[st.inputs].buffer;
  buffer const &x = p.buffers[a], &r = p.buffers[b];
  if (v[from].offset != 0 || x.d != r.d || x.size != r.size || x.size == ext::invalid) return false;
  for (int k = 0; k < st.inputs; ++k)
    if (k != from && v[k].buffer == a) return false;
  return true;
}
/// May outputs of kernels have the memory of their inputs? Of kernels of one phase it is known when each input is read
/// for the last time, and each output written: a kernel's statements are looked at once, however many steps run it.
class replacing {
 public:
  constexpr explicit replacing(draft const& p) : p_(p), views_(p) {}
  /// May output `out` of this kernel have the memory of its input a?
  constexpr bool may(step const& st, int a, int out) {
    view_in_step const& to = p_.views[st.view + st.inputs + out];
    buffer const &x = p_.buffers[a], &r = p_.buffers[to.buffer];
    if (r.in_pieces || x.d != r.d || x.size != r.size || x.size == ext::invalid) return false;
    if (!known_.at[st.kernel]) {
      known_.at[st.kernel] = true;
      look(st.kernel);
    }
    int const at = p_.kernel_at[st.kernel];
    views_.list(st);
    for (int k = views_.first(a); k >= 0 && k < st.inputs; k = views_.next(k))
      if (!is_same_element(st, p_.views[st.view + k], to) || reads_.at[at + k] > writes_.at[at + out]) return false;
    return true;
  }

 private:
  static constexpr bool is_same_element(step const& st, view_in_step const& v, view_in_step const& to) {
    bool same = v.inner == to.inner && v.offset == 0 && v.gather_size == 0 && v.window == 0;
    for (int i = 0; i < st.n_outer + st.n_mid; ++i) same = same && v.stride[i] == to.stride[i];
    return same;
  }
  constexpr void look(int kernel) {
    kernel_words const k(p_, kernel);
    int const at = p_.kernel_at[kernel], n = k.statements();
    int writes = at;
    for (int i = 0; i < n; ++i) {
      stmt_head const h = k.head(i);
      moment const m(h, k.loops() == nest::columns, i, n);
      for (int o = 0; o < stmt_words - 1; ++o)
        if (kernel_operand const x = k.operand(i, o); x.kind == kernel_operand::input)
          reads_.at[at + x.of] = std::max(reads_.at[at + x.of], m.reads);
      for (int left = h.outs & ~stmt_head::apart; left; left >>= 1)
        if (left & 1) writes_.at[writes++] = m.writes;
    }
  }
  draft const& p_;
  views_by_buffer views_;
  tracing::zeros<int, most_words> reads_,
      writes_;                  // from a kernel's first word on: an input, and an output, has a word at least
  tracing::zeros<bool> known_;  // by kernel
};

/// May what this step posts lie where its result comes? Nobody else reads it until it is awaited, which only says that
/// it was sent.
constexpr bool is_sent_only(draft const& p, int s, int buffer) {
  step const& st = p.steps[s];
  if (!is<routine_step>(st) || !ops::table.at[st.kernel].is_collective) return false;
  int const last = p.buffers[buffer].last;
  if (last < s) return false;  // it lies in another's memory by now
  for (int t = s + 1; t <= last; ++t) {
    step const& later = p.steps[t];
    for (int k = 0; k < later.inputs + later.outputs; ++k) {
      if (p.views[later.view + k].buffer != buffer) continue;
      if (t < last || !is<routine_step>(later) || later.kernel != code<ops::awaited_p> || k != 1) return false;
    }
  }
  return true;
}
/// Temporaries that end where a step reads them, and writes the same element of a result, are that result: a chain of
/// updates has one buffer.
constexpr void share_in_place(draft& p, frame const& f) {
  tracing::zeros<int> becomes;  // by buffer: another's number + 1
  replacing replaces_input(p);
  bool any = false;
  auto join = [&](int s, int a, int b) {  // before this step b is a
    buffer& x = p.buffers[a];
    if (x.kind != buffer::temporary || (x.last != s && !is_sent_only(p, s, a))) return;
    if (becomes.at[b]) b = becomes.at[b] - 1;
    becomes.at[a] = b + 1;
    p.buffers[b].first = x.first;
    x.first = INT_MAX;
    x.last = -1;
    any = true;
  };
  for (int s = p.n_steps - 1; s >= f.step; --s) {
    step const& st = p.steps[s];
    if (int a = 0, b = 0; replaces(p, st, a, b)) join(s, a, b);
    else if (rules_of(st).is_by_element(plan(p), st))
      for (int out = 0; out < st.outputs; ++out) {
        b = p.views[st.view + st.inputs + out].buffer;
        int from = -1;
        bool donates = false;  // what an argument may give a result costs nothing
        for (int k = 0; k < st.inputs; ++k) {
          a = p.views[st.view + k].buffer;
          if (a < 0 || p.buffers[a].last > s || !replaces_input.may(st, a, out)) continue;
          if (p.buffers[a].kind == buffer::temporary) from = a;
          donates = donates || (p.buffers[a].kind == buffer::argument && p.buffers[b].kind == buffer::result);
        }
        if (from >= 0 && !donates) join(s, from, b);
      }
  }
  for (int k = 0; any && k < p.n_views; ++k)
    if (int b = p.views[k].buffer; b >= 0 && becomes.at[b]) p.views[k].buffer = becomes.at[b] - 1;
}

/// A result takes the memory of an argument of its type that nobody reads after it is written, and
/// that the writing kernel reads at the same element only, in one phase. Results are taken in the order in which
/// their statements write them, so that each finds the argument it comes from.
constexpr void donate(draft& p) {
  tracing::zeros<bool> given;  // by buffer
  replacing replaces_input(p);
  frame const& f = p.frames[p.n_frames - 1];
  for (int s = f.step; s < f.step + f.steps; ++s) {
    step const& st = p.steps[s];
    if (int a = 0, b = 0; replaces(p, st, a, b)) {
      buffer const& x = p.buffers[a];
      buffer& r = p.buffers[b];
      if (x.kind != buffer::argument || given.at[a] || x.last > s || r.kind != buffer::result || r.donor >= 0 ||
          r.first != s)
        continue;
      given.at[a] = true;
      r.donor = a;
    }
    if (!rules_of(st).is_by_element(plan(p), st)) continue;
    for (int out = 0; out < st.outputs; ++out) {
      int b = p.views[st.view + st.inputs + out].buffer;
      buffer& r = p.buffers[b];
      if (r.kind != buffer::result || r.first != s) continue;  // it may have been a temporary before
      for (int k = 0; k < st.inputs && r.donor < 0; ++k) {
        int a = p.views[st.view + k].buffer;
        if (a < 0 || given.at[a]) continue;
        buffer const& x = p.buffers[a];
        if (x.kind != buffer::argument || x.last > s || !replaces_input.may(st, a, out)) continue;
        given.at[a] = true;
        r.donor = a;
      }
    }
  }
}

/// The free parts of an arena below its top, by place: as many as there are buffers at most.
struct holes {
  struct hole {
    extent at, end;
    int next;
  };  // next: a number + 1
  hole* h;
  int first, n;
  extent top;

  /// The lowest place for so many bytes.
  constexpr extent take(extent bytes) {
    for (int* link = &first; *link; link = &h[*link - 1].next) {
      hole& x = h[*link - 1];
      if (x.end == top && x.end - x.at < bytes) top = x.end = x.at + bytes;  // it is the last, and grows
      if (x.end - x.at < bytes) continue;
      extent at = x.at;
      x.at += bytes;
      if (x.at == x.end) *link = x.next;
      return at;
    }
    top += bytes;
    return top - bytes;
  }
  constexpr void give(extent at, extent end) {
    int *link = &first, left = 0;
    while (*link && h[*link - 1].at < at) {
      left = *link;
      link = &h[left - 1].next;
    }
    int right = *link;
    if (right && h[right - 1].at == end) {
      end = h[right - 1].end;
      right = h[right - 1].next;
    }
    if (left && h[left - 1].end == at) {
      h[left - 1].end = end;
      h[left - 1].next = right;
    } else {
      h[n] = {at, end, right};
      *link = ++n;
    }
  }
};

/// What assign_memory works with: zeros.
struct memory_work {
  int *born, *dies;            // by step: the first of those first or last used there (number + 1), ...
  int *born_next, *dies_next;  // ... and by buffer: the next
  holes::hole* h;              // one a buffer
  static constexpr int ints(int buffers, int steps) { return 2 * buffers + 2 * steps; }
  constexpr memory_work(int* zeros, holes::hole* h, int buffers, int steps)
      : born(zeros), dies(born + steps), born_next(dies + steps), dies_next(born_next + buffers), h(h) {}
};

/// Places in the arena: buffers that are alive together do not overlap. First fit by first use; returns the bytes.
///
/// b       of the frame; what the program knows of a size at the start (size_of) lives as long as the frame
/// size    makes an extent a number
template <class Size>
constexpr extent assign_memory(buffer* b, int n, int first_step, int steps, Size size, memory_work w) {
  for (int i = n - 1; i >= 0; --i) {
    if ((b[i].kind != buffer::temporary && b[i].kind != buffer::size_of) || b[i].last < 0) continue;
    int first = b[i].first - first_step, last = b[i].last - first_step;
    w.born_next[i] = w.born[first];
    w.born[first] = i + 1;
    w.dies_next[i] = w.dies[last];
    w.dies[last] = i + 1;
  }
  holes free{w.h, 0, 0, 0};
  for (int s = 0; s < steps; ++s) {
    for (int i = w.born[s]; i > 0; i = w.born_next[i - 1]) {
      buffer& x = b[i - 1];
      extent bytes = aligned(size(x.size) * bytes_of(x.d));
      x.offset = free.take(bytes);
      x.end = x.offset + bytes;
    }
    for (int i = w.dies[s]; i > 0; i = w.dies_next[i - 1]) free.give(b[i - 1].offset, b[i - 1].end);
  }
  return free.top;
}

/// Elements of one kind of buffer of the whole program, in bytes.
template <class Plan> constexpr extent bytes_of_kind(Plan const& p, buffer::kind_t k) {
  extent n = 0;
  for (int i = p.frames[p.n_frames - 1].buffer; i < p.n_buffers; ++i)
    if (p.buffers[i].kind == k) n += p.buffers[i].size * etna::bytes_of(p.buffers[i].d);
  return n;
}
/// Of results that take the memory of arguments.
template <class Plan> constexpr extent donated_bytes(Plan const& p) {
  extent n = 0;
  for (int i = 0; i < p.n_buffers; ++i)
    if (p.buffers[i].donor >= 0) n += p.buffers[i].size * etna::bytes_of(p.buffers[i].d);
  return n;
}
/// Arguments, results and temporaries together, with rvalue arguments donated; in bytes.
template <class Plan> constexpr extent peak_bytes(Plan const& p) {
  return p.arena + bytes_of_kind(p, buffer::argument) + bytes_of_kind(p, buffer::result) - donated_bytes(p);
}

}  // namespace etna::planning
