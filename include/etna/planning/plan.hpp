// SPDX-License-Identifier: BSD-3-Clause
// What a plan is: kernels in order, what they read and write, and where it lies. Kernels stand in a
// normal form (no addresses, no names), so that equal computations are one. Read next: schedule.hpp.
#pragma once
#include <climits>

#include <etna/ops/table.hpp>
#include <etna/tuning.hpp>

#include "nest.hpp"
#include "step_list.hpp"

namespace etna::planning {

using ops::code;
using tracing::graph;
using tracing::node_info;

enum class level { element, row, reduce };
/// How an input moves along the innermost loop.
enum class motion {
  still,
  next,
  strided,
  ramp,
  still_ramp,
  strided_ramp,
  indexed,
  indexed_rows,
  window,
  strided_window
};
/// One element behind the other, or one for all.
constexpr bool goes_along(motion m) {
  return m == motion::next || m == motion::still || m == motion::ramp || m == motion::still_ramp;
}
constexpr bool is_ramp(motion m) { return m == motion::ramp || m == motion::still_ramp || m == motion::strided_ramp; }

// Normal form of a kernel: form, phases, statements, inputs; then for each statement these words; then
// for each input its element type and motion.
inline constexpr int head_words = 4;
inline constexpr int stmt_words = 4;  // head, operands (3)

/// An operand of a statement, as one word. Literals are numbers of the call, so that kernels that differ in literals
/// only are one; `moved` is the value of a statement further along the row (patches.hpp).
struct kernel_operand {
  enum kind_t { value, input, literal, moved } kind;
  int of;     // the statement, input or literal
  int which;  // value: which of its results; moved: by how many elements
  dtype d;    // of a literal

  static constexpr std::int64_t word_of_value(int statement, int result) {
    return 2 * std::int64_t(statement) + result;
  }
  static constexpr std::int64_t word_of_input(int k) { return -1 - std::int64_t(k); }
  static constexpr std::int64_t word_of_literal(int k, dtype d) { return literals - types * std::int64_t(k) - int(d); }
  static constexpr std::int64_t word_of_moved(int statement, extent by) {
    return moves + 2 * reach * std::int64_t(statement) + by + reach;
  }
  static constexpr kernel_operand read(std::int64_t w) {
    if (w <= literals) return {literal, int((literals - w) / types), 0, dtype((literals - w) % types)};
    if (w >= moves) return {moved, int((w - moves) / (2 * reach)), int((w - moves) % (2 * reach)) - int(reach), {}};
    if (w < 0) return {input, int(-1 - w), 0, {}};
    return {value, int(w / 2), int(w % 2), {}};
  }

 private:
  static constexpr std::int64_t literals = -(std::int64_t(1) << 32), moves = std::int64_t(1) << 32;  // from there on
  static constexpr std::int64_t types = 16, reach = 8;
  static_assert(dtype_count <= types && tracing::max_results <= 2 && tuning::stencil::most_shift < reach);
};

/// The head of a statement: primitive, element type, where it runs, which results are stored, in which phases.
struct stmt_head {
  int op;
  dtype d;
  level at;
  int outs, phases;
  static_assert(ops::table.size() <= 0x10000 && dtype_count <= 16 && tracing::max_results <= 2);
  static constexpr int apart = 4;  // among outs: elements of the result lie apart along the innermost loop
  static constexpr std::int64_t word(int op, dtype d, level at, int outs, int phases) {
    return std::int64_t(op) | std::int64_t(d) << 16 | std::int64_t(at) << 20 | std::int64_t(outs) << 22 |
           std::int64_t(phases) << 25;
  }
  static constexpr stmt_head read(std::int64_t w) {
    return {int(w & 0xffff), dtype(w >> 16 & 15), level(w >> 20 & 3), int(w >> 22 & 7), int(w >> 25)};
  }
};

/// Memory that kernels read and write.
struct buffer {
  enum kind_t { temporary, argument, result, constant, size_of } kind;
  dtype d;
  extent size;         // elements
  int index;           // argument or result number; for constants their place among the numbers
  int first, last;     // steps between which it is alive
  extent offset, end;  // bytes in the arena (temporaries of static plans)
  int donor;           // for results: the argument whose memory they may take, or -1
  bool in_pieces;      // more than one step may write a part of it
};

/// What a call reads of each view, in each round of a loop, is in one line.
struct alignas(tuning::cache::line) view_in_step {
  int buffer;     // or a ramp of an element type, which is no memory
  int window;     // the place + 1 of its window, or of a product's loops, among the plan's numbers; 0: none
  extent offset;  // elements before the first
  extent inner;
  extent gather_stride, gather_size;
  extent stride[max_rank];  // on the step's loops; of a routine's operands and results, their extents
};
/// Of the block that a patch reads, among the numbers of a step: for each loop (outer, mid) where it begins, and its
/// size (0: all); then of the innermost one.
template <class Word> struct window_words {
  Word* w;  // null: there is none
  static constexpr int count = 2 * max_rank + 2, inner = max_rank;
  constexpr explicit operator bool() const { return w != nullptr; }
  constexpr Word& begin(int loop) const { return w[2 * loop]; }
  constexpr Word& size(int loop) const { return w[2 * loop + 1]; }
};
inline constexpr int words_of_window = window_words<std::int64_t>::count;
constexpr int ramp_of(dtype d) { return -3 - int(d); }
constexpr dtype type_of_ramp(int buffer) { return dtype(-3 - buffer); }

struct step {
  step_kind kind;
  int kernel;  // unique kernel, for fused steps; the primitive, for routines
  int node;    // the equation (contraction, scatter, routine) or the kernel's first
  int view, inputs, outputs;
  int number,
      numbers;  // its literals or attributes, among the plan's numbers; of a nested step: its words, then its frames
  int n_outer, n_mid;     // loops outside; then reduced axes of columns, or those of rows that do not merge into inner
  extent loop[max_rank];  // their extents, in this order
  extent inner;
  extent flops;
  int scope;   // the place + 1 of its scopes among the plan's numbers, as packed_text; 0: none
  bool apart;  // of a loop: no round needs another's, so that threads may share them
  static constexpr int most_grouped = 24;
  int grouped;          // it and those behind it that run tile by tile (groups.hpp); 0: it runs alone
  extent rounds, tile;  // the first of them: rounds of their loop, and of a tile;
  extent grain;         // where threads share the loop, each share but the last has a multiple of this
  extent passed_on;     // bytes of a tile that only the group reads (is_passed_on): each thread has a place for them
  extent lag, lead;     // rounds that a stage is behind, and where it may begin in the middle of the loop
};
/// Does the buffer live in the group of steps from s on only?
constexpr bool is_passed_on(buffer const& b, step const& head, int s) {
  return b.kind == buffer::temporary && b.first >= s && b.last == s + head.grouped - 1;
}
/// A text as numbers: how many letters, and these, eight a word.
struct packed_text {
  std::int64_t const* words;
  constexpr int size() const { return words ? int(words[0]) : 0; }
  constexpr char operator[](int i) const { return packed::letter(words, 1, i); }
};

/// Steps that run one after another: the program's (the last frame), or those of a block that a nested step runs.
/// Its buffers begin with its arguments; its results follow one another.
struct frame {
  int step, steps, buffer, buffers, result;
  extent arena;
};

/// Room for a plan's parts. Zeros that nobody writes cost the compiler nothing.
template <int Steps, int Buffers, int Views, int Words, int Kernels, int Numbers, int Frames> struct plan_storage {
  frame frames[Frames];
  step steps[Steps];
  buffer buffers[Buffers];
  view_in_step views[Views];
  std::int64_t words[Words];  // normal forms of kernels
  int kernel_at[Kernels], kernel_size[Kernels];
  std::int64_t numbers[Numbers];  // of constants and literals, as bits; the extents that scalars stand for
  int n_steps, n_buffers, n_views, n_words, n_kernels, n_numbers, n_frames;
  int n_traced;          // equations of the trace
  int most_views;        // of a step
  int needed, n_needed;  // place and number of pairs among the numbers: a primitive, and a named extent that it cannot
                         // take as 0
  bool has_constants;
  bool is_static;
  bool is_sized;  // each temporary's size can be said
  extent arena;
};
inline constexpr int most_words = 12 * tracing::most_nodes;
/// A plan being made.
using draft = plan_storage<tracing::most_nodes, tracing::most_nodes, 3 * tracing::most_nodes, most_words,
                           tracing::most_nodes, 4 * tracing::most_nodes, tracing::most_nodes>;

/// Is the step of this kind? is<product_step>(s)
template <class Row> constexpr bool is(step const& s) { return s.kind == kind_of<Row>; }

/// A plan as it is read: by passes, by what shows it, and by calls. The program's storage, or a draft's.
struct plan {
  frame const* frames;
  step const* steps;
  buffer const* buffers;
  view_in_step const* views;
  std::int64_t const* words;
  int const* kernel_at;
  std::int64_t const* numbers;
  int n_frames, n_steps, n_buffers, n_kernels, n_words, n_numbers, most_views;
  bool is_static;
  extent arena;
  template <class Storage> requires requires(Storage const& s) { s.kernel_size; }
  constexpr explicit plan(Storage const& s)
      : frames(s.frames),
        steps(s.steps),
        buffers(s.buffers),
        views(s.views),
        words(s.words),
        kernel_at(s.kernel_at),
        numbers(s.numbers),
        n_frames(s.n_frames),
        n_steps(s.n_steps),
        n_buffers(s.n_buffers),
        n_kernels(s.n_kernels),
        n_words(s.n_words),
        n_numbers(s.n_numbers),
        most_views(s.most_views),
        is_static(s.is_static),
        arena(s.arena) {}
  /// Call f(head) for each statement of a kernel's step.
  template <class F> constexpr void each_operation(step const& s, F const& f) const;
};

/// An input that is picked from by an index: the first one whose rows lie as its rows do, so that an index says the
/// same place in both (-1: nothing is picked); whether each place, in elements, is known to be a number of 32 bits; and
/// the input that is the index, where it alone is, moves along the loop and says the places of other inputs, too: of
/// the elements of short rows (-1: there is none). Of a table that lies in a row and that few registers hold, how many
/// elements it has (0: it is none).
struct picking {
  int as = -1;
  bool is_near = false;
  int by = -1;
  int table = 0;
};
/// The words of a kernel in normal form: four of its head, then its statements, then of each input its element type and
/// motion.
struct kernel_words {
  std::int64_t const* w;
  template <class Plan> constexpr kernel_words(Plan const& p, int kernel) : w(p.words + p.kernel_at[kernel]) {}
  template <class Plan> constexpr kernel_words(Plan const& p, step const& s) : kernel_words(p, s.kernel) {}
  constexpr nest loops() const { return nest(w[0]); }
  constexpr int phases() const { return int(w[1]); }
  constexpr int statements() const { return int(w[2]); }
  constexpr int inputs() const { return int(w[3]); }
  constexpr stmt_head head(int i) const { return stmt_head::read(w[head_words + i * stmt_words]); }
  constexpr kernel_operand operand(int i, int k) const {
    return kernel_operand::read(w[head_words + i * stmt_words + 1 + k]);
  }
  constexpr dtype input_type(int j) const { return dtype(of_input(j)[0]); }
  constexpr motion input_motion(int j) const { return motion(of_input(j)[1] & 0xff); }
  constexpr picking input_picking(int j) const {
    std::int64_t const word = of_input(j)[1] >> 8;
    return {int(word >> 1 & 0xfffff) - 1, (word & 1) != 0, int(word >> 28) - 1, int(word >> 21 & 0x7f)};
  }
  /// Of statements and inputs, not of the loops around them.
  constexpr std::uint64_t hash_of_body(std::uint64_t factor) const {
    std::uint64_t h = factor;
    for (std::int64_t const *x = w + 2, *end = of_input(inputs()); x < end; ++x) {
      h = (h ^ std::uint64_t(*x)) * factor;
      h ^= h >> 29;
    }
    return h;
  }
  static_assert(tuning::table_bytes / 4 < 0x80, "a table's elements are a number of 7 bits");
  static constexpr std::int64_t word_of_input(motion m, picking k) {
    return std::int64_t(m) |
           (std::int64_t(k.by + 1) << 28 | std::int64_t(k.table) << 21 | (k.as + 1) << 1 | int(k.is_near)) << 8;
  }

 private:
  constexpr std::int64_t const* of_input(int j) const { return w + head_words + statements() * stmt_words + 2 * j; }
};
template <class F> constexpr void plan::each_operation(step const& s, F const& f) const {
  kernel_words const k(*this, s);
  for (int i = 0; i < k.statements(); ++i) f(k.head(i));
}

/// Do two plans do the same work? Literals are numbers of a call, and count too.
constexpr bool same_work(plan const& a, plan const& b) {
  auto same = [](auto const* x, auto const* y, int n, auto const& equal) {
    for (int i = 0; i < n; ++i)
      if (!equal(x[i], y[i])) return false;
    return true;
  };
  auto same_extents = [&](extent const* x, extent const* y, int n) {
    return same(x, y, n, [](extent p, extent q) { return p == q; });
  };
  if (a.n_steps != b.n_steps || a.n_frames != b.n_frames || a.n_buffers != b.n_buffers || a.n_kernels != b.n_kernels ||
      a.arena != b.arena || a.n_numbers != b.n_numbers || a.n_words != b.n_words)
    return false;
  return same_extents(a.words, b.words, a.n_words) && same_extents(a.numbers, b.numbers, a.n_numbers) &&
         same(a.steps, b.steps, a.n_steps,
              [&](step const& x, step const& y) {
                return x.kind == y.kind && x.kernel == y.kernel && x.inputs == y.inputs && x.outputs == y.outputs &&
                       x.n_outer == y.n_outer && x.n_mid == y.n_mid && x.inner == y.inner && x.grouped == y.grouped &&
                       x.tile == y.tile && same_extents(x.loop, y.loop, max_rank) &&
                       same(a.views + x.view, b.views + y.view, x.inputs + x.outputs,
                            [&](view_in_step const& v, view_in_step const& w) {
                              return v.buffer == w.buffer && v.offset == w.offset && v.inner == w.inner &&
                                     v.window == w.window && same_extents(v.stride, w.stride, max_rank);
                            });
              }) &&
         same(a.buffers, b.buffers, a.n_buffers, [](buffer const& x, buffer const& y) {
           return x.kind == y.kind && x.d == y.d && x.size == y.size && x.donor == y.donor;
         });
}

/// The loops of a kernel's step.
template <class Plan> constexpr nest nest_of(Plan const& p, step const& st) { return kernel_words(p, st).loops(); }
/// Operands of a product: two, what it is added to, and times which number in memory; its literal is another such
/// number.
inline constexpr int added_to = 2, scaled_by = 3;
/// Operations for each element of a product's result, beside the product itself.
template <class Plan> constexpr int operations_of_sum(Plan const& p, step const& st) {
  if (st.inputs <= added_to) return 0;
  view_in_step const* v = p.views + st.view;
  double const literal = bits_to_double(p.buffers[v[added_to].buffer].d, p.numbers[st.number]);
  return 1 + (st.inputs > scaled_by || (literal != 1 && literal != -1));
}

/// Bytes to the next cache line.
constexpr extent aligned(extent bytes) { return (bytes + 63) / 64 * 64; }

/// Counts of a plan's parts.
struct plan_size {
  int steps, buffers, views, words, kernels, numbers, frames;
};
constexpr plan_size size_of(draft const& p) {
  return {p.n_steps, p.n_buffers, p.n_views, p.n_words, p.n_kernels, p.n_numbers, p.n_frames};
}
/// The plan without its spare room, fit for the program.
template <class Size> constexpr auto tighten(draft const& p) {
  constexpr plan_size n = Size::size;
  plan_storage<n.steps + 1, n.buffers + 1, n.views + 1, n.words + 1, n.kernels + 1, n.numbers + 1, n.frames> t{};
  for (int i = 0; i < p.n_frames; ++i) t.frames[i] = p.frames[i];
  for (int i = 0; i < p.n_steps; ++i) t.steps[i] = p.steps[i];
  for (int i = 0; i < p.n_buffers; ++i) t.buffers[i] = p.buffers[i];
  for (int i = 0; i < p.n_views; ++i) t.views[i] = p.views[i];
  for (int i = 0; i < p.n_words; ++i) t.words[i] = p.words[i];
  for (int i = 0; i < p.n_kernels; ++i) {
    t.kernel_at[i] = p.kernel_at[i];
    t.kernel_size[i] = p.kernel_size[i];
  }
  for (int i = 0; i < p.n_numbers; ++i) t.numbers[i] = p.numbers[i];
  t.n_steps = p.n_steps;
  t.n_buffers = p.n_buffers;
  t.n_views = p.n_views;
  t.n_words = p.n_words;
  t.n_kernels = p.n_kernels;
  t.n_numbers = p.n_numbers;
  t.n_frames = p.n_frames;
  t.n_traced = p.n_traced;
  t.most_views = p.most_views;
  t.needed = p.needed;
  t.n_needed = p.n_needed;
  t.has_constants = p.has_constants;
  t.is_static = p.is_static;
  t.is_sized = p.is_sized;
  t.arena = p.arena;
  return t;
}

}  // namespace etna::planning
