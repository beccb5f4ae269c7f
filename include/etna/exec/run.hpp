// SPDX-License-Identifier: BSD-3-Clause
// A plan run: memory for its buffers, numbers for its extents, one launch a step. Nothing is
// allocated after the first call (blocks come back from the pool). Read next: run_nested.hpp.
#pragma once
#include <etna/eager/ranks.hpp>
#include <etna/eager/reference.hpp>
#include <etna/lower/by_thread.hpp>
#include <etna/lower/routine.hpp>

#include "run_kernel.hpp"

namespace etna::exec {

template <class T, class Sum, bool Folds>
inline void run_product_of(label const& name, lower::gemm_numbers n, some_rounds const* part) {
  if constexpr (device::is_present)
    start(name.shown(), lower::gemm_body<T, Sum>::units(n), lower::gemm_body<T, Sum>{n});
  else {
    using P = typename lower::gemm_of<T, Sum, Folds>::type;
    double const work = double(n.batch) * double(n.m) * double(n.n) * double(n.k) / tuning::gemm::in_an_operation;
    lower::gemm_parts<T, Sum, Folds> const parts(n);
    if (part) n = P::rounds(n, part->from, part->to);
    if (parts.n > 1) {
      share const own{memory::allocate(parts.bytes(n))};
      auto* const sums = static_cast<Sum*>(own.b->data);
      auto const run = [&](std::int64_t from, std::int64_t to) { parts.run(n, sums, from, to); };
      if (part) run(0, parts.n);
      else launch(name, parts.n, work, run);
      return parts.join(n, sums);
    }
    if (part) return P::run(n, 0, P::units(n));
    n.shares = threads_for(work);
    launch(name, P::units(n), work, [&](std::int64_t from, std::int64_t to) { P::run(n, from, to); });
  }
}
/// The pairs of element types of a program's steps of a kind, that of the first view and that of the first result: a
/// bit each. Bodies are instantiated for these, and once for all programs that have the same.
constexpr std::uint64_t pair_bit(dtype in, dtype out) {
  constexpr int computed_pairs = computed_count * computed_count;
  static_assert(computed_pairs + dtype_count - computed_count <= 64, "a pair of types has one bit of 64");
  if (is_narrow(in)) return std::uint64_t(1) << (computed_pairs + int(in) - computed_number(in));  // of f32
  return std::uint64_t(1) << (computed_count * computed_number(in) + computed_number(out));
}
template <class Program, class Row, bool Folds = false> constexpr std::uint64_t pairs_of() {
  auto const& p = Program::value;
  std::uint64_t pairs = 0;
  for (int i = 0; i < p.n_steps; ++i) {
    step const& s = p.steps[i];
    if (!planning::is<Row>(s)) continue;
    view_in_step const* v = p.views + s.view;
    if (Folds && v[0].window == 0 && v[1].window == 0) continue;
    pairs |= pair_bit(p.buffers[v[0].buffer].d, p.buffers[v[s.inputs].buffer].d);
  }
  return pairs;
}
template <std::uint64_t Products, std::uint64_t Folded, dtype In, dtype Out>
inline bool run_product_as(label const& name, dtype in, dtype out, lower::gemm_numbers const& n,
                           some_rounds const* part) {
  if constexpr ((Products & pair_bit(In, Out)) != 0)
    if (in == In && out == Out) {
      run_product_of<element_of<In>, element_of<Out>, (Folded & pair_bit(In, Out)) != 0>(name, n, part);
      return true;
    }
  return false;
}
/// The loops of an operand that is read by windows: its free axis, and its sums. Are there any?
inline bool read_folds(step_call const& c, view_in_step const& v, lower::operand_folds& to) {
  to.free.n = to.sums.n = 0;
  if (v.window == 0) return false;
  std::int64_t const* w = c.p.numbers + v.window - 1;
  for (lower::folded_axis* axis : {&to.free, &to.sums}) {
    axis->n = int(*w++);
    for (int i = 0; i < axis->n; ++i) {
      axis->size[i] = c.size(*w++);
      axis->stride[i] = c.size(*w++);
    }
  }
  return true;
}
lower::prefetch_list reads_ahead(running const& r, planning::frame const& f, int i);
template <std::uint64_t Products, std::uint64_t Folded> inline void run_product(step_call const& c) {
  plan_view const& p = c.p;
  step const& s = c.s;
  view_in_step const *a = p.views + s.view, *b = a + 1, *result = a + s.inputs;
  auto loop = [&](int i) { return c.size(s.loop[i]); };
  auto stride = [&](view_in_step const* v, int i) { return c.size(v->stride[i]); };
  auto at = [&](view_in_step const* v) { return address_of(p, *v, c.at, c.size); };
  lower::gemm_numbers n{at(a),        at(b),        c.at[result->buffer], loop(0),      loop(1),
                        loop(2),      loop(3),      stride(a, 0),         stride(a, 1), stride(a, 2),
                        stride(b, 0), stride(b, 1), stride(b, 2)};
  [[maybe_unused]] lower::operand_folds folds[2];
  if constexpr (Folded != 0) {
    bool const of_a = read_folds(c, *a, folds[0]), of_b = read_folds(c, *b, folds[1]);
    if (of_a || of_b) n.folds = folds;
  }
  dtype in = p.buffers[a->buffer].d, out = p.buffers[result->buffer].d;
  if (s.inputs > planning::added_to) {
    n.start = at(a + planning::added_to);
    n.literal = bits_to_double(out, p.numbers[s.number]);
    if (s.inputs > planning::scaled_by) n.scale_at = at(a + planning::scaled_by);
  }
  lower::prefetch_list prefetch;
  if (!device::is_present && c.call && s.flops >= tuning::prefetch::from) {
    prefetch = reads_ahead(*c.call, *c.frame, int(&s - p.steps));
    n.prefetch = &prefetch;
  }
  using enum dtype;
  label const name = label_of(p, s, "dot_general");
  auto const as = [&]<dtype In, dtype Out>() {
    return run_product_as<Products, Folded, In, Out>(name, in, out, n, c.rounds);
  };
  (void)(as.template operator()<f32, f32>() || as.template operator()<f64, f64>() ||
         as.template operator()<f32, f64>() || as.template operator()<bf16, f32>() ||
         as.template operator()<f16, f32>() || as.template operator()<i32, i32>() ||
         as.template operator()<i64, i64>() || as.template operator()<u32, u32>() ||
         as.template operator()<u64, u64>());
}
template <class T, class Index> inline void run_scatter_of(label const& name, lower::scatter_numbers const& n) {
  if constexpr (device::is_present)
    start(name.shown(), lower::scatter_body<T, Index>::units(n), lower::scatter_body<T, Index>{n});
  else {
    using P = lower::scatter<T, Index>;
    launch(name, P::units(n), n.work(), [&](std::int64_t from, std::int64_t to) { P::run(n, from, to); });
  }
}
template <std::uint64_t Scatters, dtype D>
inline bool run_scatter_as(label const& name, dtype d, dtype index, lower::scatter_numbers const& n) {
  if constexpr ((Scatters & pair_bit(D, D)) != 0)
    if (d == D) {
      if (index == dtype::i64) run_scatter_of<element_of<D>, std::int64_t>(name, n);
      else if (index == dtype::u32) run_scatter_of<element_of<D>, std::uint32_t>(name, n);
      else if (index == dtype::u64) run_scatter_of<element_of<D>, std::uint64_t>(name, n);
      else run_scatter_of<element_of<D>, std::int32_t>(name, n);
      return true;
    }
  return false;
}
template <std::uint64_t Scatters> inline void run_scatter(step_call const& c) {
  plan_view const& p = c.p;
  view_in_step const* v = p.views + c.s.view;
  auto at = [&](int k) { return address_of(p, v[k], c.at, c.size); };
  auto loop = [&](int i) { return c.size(c.s.loop[i]); };
  lower::scatter_numbers n{at(0),   at(1),   at(2),   c.at[v[3].buffer], loop(0), loop(1),
                           loop(2), loop(3), loop(4), loop(5),           loop(6)};
  dtype index = p.buffers[v[1].buffer].d, d = p.buffers[v[0].buffer].d;
  using enum dtype;
  label const name = label_of(p, c.s, "scatter_add");
  (void)(run_scatter_as<Scatters, f32>(name, d, index, n) || run_scatter_as<Scatters, f64>(name, d, index, n) ||
         run_scatter_as<Scatters, i32>(name, d, index, n) || run_scatter_as<Scatters, i64>(name, d, index, n) ||
         run_scatter_as<Scatters, u32>(name, d, index, n) || run_scatter_as<Scatters, u64>(name, d, index, n));
}

template <int Op> inline bool run_routine_as(plan_view const& p, step const& s, ops::call const& c) {
  if (s.kernel != Op) return false;
  using P = ops::primitive_at<Op>;
  if constexpr (ops::runs_at_once<P>) {
    seen_by_tool const here(label_of(p, s, P::name));
    P::run(c);
  } else {
    double work = double(c.in_type[0].size()) * (P::flops + 1);
    launch(label_of(p, s, P::name), P::units(c), work,
           [&](std::int64_t from, std::int64_t to) { P::run(c, from, to); });
  }
  return true;
}
template <int... Op> inline void run_routine(step_call const& call) {
  wait();  // routines are the host's
  plan_view const& p = call.p;
  step const& s = call.s;
  void* memory[tracing::max_operands + tracing::max_results];
  tensor_type types[tracing::max_operands + tracing::max_results];
  for (int k = 0; k < s.inputs + s.outputs; ++k) {
    memory[k] = address_of(p, p.views[s.view + k], call.at, call.size);
    types[k] = planning::routine_step::type_of(p, s, k);
    for (int i = 0; i < types[k].rank; ++i) types[k].e[i] = call.size(types[k].e[i]);
  }
  ops::call c{memory, types, memory + s.inputs, types + s.inputs, p.numbers + s.number, s.numbers};
  (void)(run_routine_as<Op>(p, s, c) || ...);
}
/// The routines that a plan has: their rows of the table.
template <class Program> struct routines_of {
  struct codes {
    int count = 0;
    std::array<int, ops::table.size() + 1> at{};
  };
  static constexpr codes value = [] {
    auto const& p = Program::value;
    std::array<bool, ops::table.size()> has{};
    for (int i = 0; i < p.n_steps; ++i)
      if (planning::is<planning::routine_step>(p.steps[i])) has[std::size_t(p.steps[i].kernel)] = true;
    codes c;
    for (int op = 0; op < int(has.size()); ++op)
      if (has[std::size_t(op)]) c.at[std::size_t(c.count++)] = op;
    return c;
  }();
  template <int... K> static constexpr step_function run(std::integer_sequence<int, K...>) {
    return &run_routine<value.at[K]...>;
  }
  static constexpr step_function run() { return run(std::make_integer_sequence<int, value.count>{}); }
};

/// Results take donated memory where the plan says so: owned blocks by argument, taken ones by result.
inline void donate(plan_view const& p, memory_block* const* owned, memory_block** take) {
  planning::frame const& f = p.frames[p.n_frames - 1];
  for (int b = f.buffer; b < f.buffer + f.buffers; ++b) {
    buffer const& r = p.buffers[b];
    if (r.kind != buffer::result || r.donor < 0) continue;
    if (memory_block* x = owned[p.buffers[r.donor].index]) {
      retain(x);
      take[r.index] = x;
    }
  }
}

/// A call: the plan, where each buffer is, and room for the views of a step.
struct running {
  plan_view const& p;
  buffer const* buffers;
  void** at;
  lower::view_numbers* views;
  ext::bindings const& size;
  char* operator[](int b) const { return static_cast<char*>(at[b]); }
  extent bytes(int b) const { return size(buffers[b].size) * bytes_of(buffers[b].d); }
  /// What lives while a step runs: nothing. What watches a call derives from this (explain.hpp).
  struct unwatched {};
  static constexpr bool is_watched = false;
  static unwatched watch(int) { return {}; }
};

/// Temporaries of a frame lie at `memory`.
inline void enter(running const& r, planning::frame const& f, char* memory) {
  for (int i = f.buffer; i < f.buffer + f.buffers; ++i) {
    buffer const& b = r.buffers[i];
    if (b.kind == buffer::temporary || b.kind == buffer::size_of) r.at[i] = memory + b.offset;
    else if (b.kind == buffer::constant) r.at[i] = r.p.constants[i];
    if (b.kind == buffer::size_of) {
      // constants_of keeps the extent that the scalar stands for
      double v = double(r.size(reinterpret_cast<extent const*>(r.p.constants[i])[0]));
      eager::store_bits(b.d, r.at[i], 0, to_bits(b.d, v));
    }
  }
}

/// What the steps behind product i read, up to the next product, and those before it, from the last one on, neither
/// read nor wrote.
inline lower::prefetch_list reads_ahead(running const& r, planning::frame const& f, int i) {
  lower::prefetch_list prefetch;
  auto is_product = [&](int s) { return planning::is<planning::product_step>(r.p.steps[s]); };
  int before = i, behind = i;
  while (before > f.step && i - before < tuning::prefetch::most_between && (before == i || !is_product(before)))
    --before;
  while (behind + 1 < f.step + f.steps && behind - i < tuning::prefetch::most_between &&
         (behind == i || !is_product(behind)))
    ++behind;
  auto was_read = [&](int b) {
    for (int s = before; s <= i; ++s)
      for (int k = 0; k < r.p.steps[s].inputs; ++k)
        if (r.p.views[r.p.steps[s].view + k].buffer == b) return true;
    return false;
  };
  for (int s = i + 1; s <= behind; ++s)
    for (int k = 0; k < r.p.steps[s].inputs; ++k) {
      int const b = r.p.views[r.p.steps[s].view + k].buffer;
      if (b < 0 || (r.buffers[b].kind != buffer::argument && r.buffers[b].first >= before) ||
          r.bytes(b) < tuning::prefetch::least || was_read(b))
        continue;
      bool asked = false;
      for (int a = 0; a < prefetch.n; ++a) asked = asked || prefetch.of[a].at == r[b];
      if (!asked) prefetch.add(r[b], r.bytes(b));
    }
  return prefetch;
}
inline void run_kernel(step_call const& c) { run_fused(c.p, c.s, c.at, c.call->views, c.size); }
inline void run_frames(step_call const& c) { c.p.nested(*c.call, c.s); }
/// A step whose row has its body: `units` and `run` of a step_body (planning/step_row.hpp).
template <class Row> inline void run_body(step_call const& c) {
  wait();  // such bodies are the host's
  void* memory[tracing::max_operands + tracing::max_results];
  planning::step_loop loops[planning::most_loops];
  extent loop[planning::most_loops];
  for (int k = 0; k < c.s.inputs + c.s.outputs; ++k) memory[k] = address_of(c.p, c.p.views[c.s.view + k], c.at, c.size);
  int const n = Row::loops(c.p, c.s, loops);
  for (int i = 0; i < n; ++i) loop[i] = c.size(loops[i].n);
  planning::step_body const body{c.p, c.s, memory, loop};
  std::int64_t const units = Row::units(body);
  if (!c.call) return Row::run(body, 0, units);
  launch(label_of(c.p, c.s, Row::name(c.p, c.s)), units, Row::work(body),
         [&](std::int64_t from, std::int64_t to) { Row::run(body, from, to); });
}

template <class Program, class Row> constexpr bool has_step() {
  bool has = false;
  for (int i = 0; i < Program::value.n_steps; ++i) has = has || planning::is<Row>(Program::value.steps[i]);
  return has;
}
/// What runs the steps of a kind in a program, null where it has none. A row with a body needs no line here.
template <class Program, class Row> constexpr step_function function_of() {
  using namespace planning;
  if constexpr (!has_step<Program, Row>()) return nullptr;
  else if constexpr (std::is_same_v<Row, kernel_step>) return &run_kernel;
  else if constexpr (std::is_same_v<Row, product_step>)
    return &run_product<pairs_of<Program, Row>(), pairs_of<Program, Row, true>()>;
  else if constexpr (std::is_same_v<Row, scatter_step>) return &run_scatter<pairs_of<Program, Row>()>;
  else if constexpr (std::is_same_v<Row, routine_step>) return routines_of<Program>::run();
  else if constexpr (Row::runs_frames) return &run_frames;
  else return &run_body<Row>;
}
template <class Program, class... Row>
constexpr std::array<step_function, sizeof...(Row)> functions_of_steps(ops::type_list<Row...>) {
  return {function_of<Program, Row>()...};
}

template <class Running> inline void run_steps(Running const& r, planning::frame const& f) {
  for (int i = f.step; i < f.step + f.steps; ++i) {
    step const& s = r.p.steps[i];
    if constexpr (!Running::is_watched)
      if (s.grouped && run_group(r.p, &s, r.at, r.views, r.size)) {
        i += s.grouped - 1;
        continue;
      }
    [[maybe_unused]] auto const watch = r.watch(i);
    r.p.run[int(s.kind)]({r.p, s, r.at, r.size, &r, &f});
    if (eager::posted_here > 0) [[unlikely]]
      eager::move_messages();
  }
}

/// The places of all temporaries, where sizes are known at the call only; the bytes of the program's own.
inline extent lay_out(plan_view const& p, buffer* mine, std::byte* work, ext::bindings const& size) {
  using planning::memory_work, planning::holes;
  auto* h = reinterpret_cast<holes::hole*>(work);
  auto* arena = reinterpret_cast<extent*>(h + p.most_frame_buffers);
  auto* ints = reinterpret_cast<int*>(arena + p.n_frames);
  for (int k = 0; k < p.n_frames; ++k) {
    planning::frame const& f = p.frames[k];
    for (int s = f.step; s < f.step + f.steps; ++s)
      if (step const& st = p.steps[s]; planning::is_nested(st))
        mine[p.views[st.view + st.inputs + st.outputs - 1].buffer].size = planning::workspace_bytes(
            p, mine, [&](std::int64_t frame) { return arena[frame]; }, st, size);
    std::memset(static_cast<void*>(h), 0, sizeof(holes::hole) * std::size_t(f.buffers));
    std::memset(ints, 0, sizeof(int) * std::size_t(memory_work::ints(f.buffers, f.steps)));
    arena[k] = planning::assign_memory(mine + f.buffer, f.buffers, f.step, f.steps, size,
                                       memory_work(ints, h, f.buffers, f.steps));
  }
  return arena[p.n_frames - 1];
}
inline std::size_t lay_out_bytes(plan_view const& p) {
  return sizeof(planning::holes::hole) * std::size_t(p.most_frame_buffers) + sizeof(extent) * std::size_t(p.n_frames) +
         sizeof(int) * std::size_t(planning::memory_work::ints(p.most_frame_buffers, p.most_steps));
}

/// Memory for a call with these arguments and results, and then its steps: run_all(running, the program's frame).
template <class Steps> inline void run_with(Steps const& run_all, plan_view const& p, void* const* arguments,
                                            void* const* results, ext::bindings const& size) {
  call_front const front(p);
  buffer const* buffers = p.buffers;
  extent arena = p.arena;
  share own{nullptr};
  if (!p.is_static) {
    std::size_t copied = sizeof(buffer) * std::size_t(p.n_buffers);
    own.b = memory::allocate(copied + lay_out_bytes(p));
    auto* mine = static_cast<buffer*>(own.b->data);
    std::memcpy(static_cast<void*>(mine), p.buffers, copied);
    arena = lay_out(p, mine, static_cast<std::byte*>(own.b->data) + copied, size);
    buffers = mine;
  }
  share all{memory::allocate(std::size_t(front.bytes + arena))};
  done_at_end const here;
  char* base = static_cast<char*>(all.b->data);
  running r{p, buffers, front.at(base), front.views(base), size};
  planning::frame const& program = p.frames[p.n_frames - 1];
  for (int i = program.buffer; i < program.buffer + program.buffers; ++i) {
    if (buffers[i].kind == buffer::argument) r.at[i] = arguments[buffers[i].index];
    if (buffers[i].kind == buffer::result) r.at[i] = results[buffers[i].index];
  }
  enter(r, program, base + front.bytes);
  run_all(r, program);
}
/// A call as it is run where nobody watches.
struct plain_call {
  void operator()(plan_view const& p, void* const* arguments, void* const* results, ext::bindings const& size) const {
    run_with([](running const& r, planning::frame const& f) { run_steps(r, f); }, p, arguments, results, size);
  }
};

}  // namespace etna::exec
