// SPDX-License-Identifier: BSD-3-Clause
// A fused step inside a function of many steps: its loops and strides are constants, so the compiler sees which memory
// each statement reads and writes, and keeps what is local in registers. Statements are those of statements.hpp; only
// the loops around them are other ones. Read next: gemm.hpp.
#pragma once
#include "statements.hpp"

namespace etna::lower {

/// f(0), f(1), ... with constants.
template <int N, class F> ETNA_INLINE void unrolled(F&& f) {
  [&]<int... Nth>(std::integer_sequence<int, Nth...>) {
    (f(std::integral_constant<int, Nth>{}), ...);
  }(std::make_integer_sequence<int, N>{});
}

/// N numbers from one place to another: in registers where kernels before and behind have as many at once.
template <extent N, class T> ETNA_INLINE void copy_numbers(T* to, T const* from) {
#if defined(ETNA_HAS_SIMD)
  if constexpr (!std::is_same_v<T, bool> && sizeof(T) >= 4) {
    constexpr int most_unrolled = tuning::inlining::unrolled_copies;
    using lanes = packed<T>;
    constexpr extent whole = N / lanes::width, done = whole * lanes::width;
    auto some = [&](extent i)
                    ETNA_INLINE_LAMBDA { lanes::template store<T>(to + i, lanes::template load<T>(from + i)); };
    if constexpr (whole <= most_unrolled)
      unrolled<int(whole)>([&](auto i) ETNA_INLINE_LAMBDA { some(i * lanes::width); });
    else
      for (extent i = 0; i < whole; ++i) some(i * lanes::width);
    unrolled<int(N - done)>([&](auto i) ETNA_INLINE_LAMBDA { to[done + i] = from[done + i]; });
    return;
  }
#endif
  for (extent i = 0; i < N; ++i) to[i] = from[i];
}

/// A routine's operands and results inside such a function: their extents and places are constants too.
template <class Program, int Step, int J> struct inlined_operand {
  static constexpr auto const& p = Program::value;
  static constexpr planning::view_in_step v = p.views[p.steps[Step].view + J];
  static constexpr int rank = int(v.inner), buffer = v.buffer;
  using T = element_of<p.buffers[buffer].d>;
  static constexpr extent size = [] {
    extent n = 1;
    for (int i = 0; i < rank; ++i) n *= v.stride[i];
    return n;
  }();
  ETNA_INLINE static T* in(void* const* at) { return static_cast<T*>(at[buffer]) + v.offset; }
};
/// The row `update`: a block put into an array, at a place that is known. Other routines are calls.
template <class Program, int Step> struct inlined_update {
  static constexpr auto const& p = Program::value;
  static constexpr bool applies =
      planning::is<planning::routine_step>(p.steps[Step]) && p.steps[Step].kernel == ops::code<ops::update_p>;
  template <int J> using operand = inlined_operand<Program, Step, J>;
  using array = operand<0>;
  using block = operand<1>;
  using result = operand<2>;
  static constexpr extent attr(int i) { return p.numbers[p.steps[Step].number + i]; }
  /// Elements that lie in a row in both.
  static constexpr extent run_length = block::rank > 0 && attr(2 * block::rank - 1) == 1
                                           ? block::v.stride[block::rank - 1]
                                           : 1;
  static constexpr extent runs = block::size == 0 ? 0 : block::size / run_length;
  ETNA_INLINE static constexpr extent begin_of(extent i) {
    extent o = 0, stride = 1;
    for (int a = block::rank - 1; a >= 0; --a) {
      o += (attr(2 * a) + i % block::v.stride[a] * attr(2 * a + 1)) * stride;
      i /= block::v.stride[a];
      stride *= array::v.stride[a];
    }
    return o;
  }
  ETNA_INLINE static void run(void* const* at) {
    auto* to = result::in(at);
    if constexpr (array::buffer != result::buffer)
      copy_numbers<array::size>(to, static_cast<typename array::T const*>(array::in(at)));
    auto one_run = [&](extent i, extent place) ETNA_INLINE_LAMBDA {
      copy_numbers<run_length>(to + place, static_cast<typename block::T const*>(block::in(at)) + i * run_length);
    };
    if constexpr (runs <= 16)
      unrolled<int(runs)>([&](auto i) ETNA_INLINE_LAMBDA {
        constexpr extent known = begin_of(i * run_length);
        one_run(i, known);
      });
    else
      for (extent i = 0; i < runs; ++i) one_run(i, begin_of(i * run_length));
  }
};

template <class Program, int Step, class Kernel> struct inlined_step;
template <class Program, int Step, nest Nest, int Phases, class Body>
struct inlined_step<Program, Step, kernel<Nest, Phases, Body>> {
  using F = statements<kernel<Nest, Phases, Body>>;
  using state = typename F::state;
  using lanes = typename F::lanes;
  template <class L> using values = typename F::template values<L>;
  static constexpr auto const& p = Program::value;
  static constexpr planning::step st = p.steps[Step];
  static constexpr int n = F::n, n_in = F::n_in, n_views = st.inputs + st.outputs;
  static constexpr int most_written_out = tuning::inlining::written_out;
  // negative strides are written as extents are
  template <int J> static constexpr planning::view_in_step view = [] {
    planning::view_in_step v = p.views[st.view + J];
    for (extent& e : v.stride) e = ext::number_in(e);
    v.inner = ext::number_in(v.inner);
    v.gather_stride = ext::number_in(v.gather_stride);
    return v;
  }();
  static constexpr std::int64_t product_of(int from, int count) {
    std::int64_t m = 1;
    for (int i = from; i < from + count; ++i) m *= st.loop[i];
    return m;
  }
  static constexpr std::int64_t rows = product_of(0, st.n_outer), mid = product_of(st.n_outer, st.n_mid),
                                inner = st.inner;

  // what statements.hpp reads of a view besides its place
  struct strides {
    view_numbers at[n_views + 1];
  };
  template <int... J> static constexpr strides strides_of(std::integer_sequence<int, J...>) {
    return {{view_numbers{nullptr, 0, view<J>.inner, view<J>.gather_stride, view<J>.gather_size, {}, {}}...,
             view_numbers{}}};
  }
  static constexpr strides table = strides_of(std::make_integer_sequence<int, n_views>{});

  static constexpr typename F::window_reader window(int j) { return {p.numbers + p.views[st.view + j].window - 1}; }
  template <int First, int Count, int J> ETNA_INLINE static std::int64_t offset(std::int64_t i, bool& in) {
    auto along = [&](int axis, std::int64_t at) ETNA_INLINE_LAMBDA {
      if constexpr (F::template has_window<J>) at = F::within(window(J), axis, at, in);
      return at * view<J>.stride[axis];
    };
    if constexpr (Count == 0) return 0;
    else if constexpr (Count == 1) return along(First, i);
    else
      return along(First + Count - 1, i % st.loop[First + Count - 1]) +
             offset<First, Count - 1, J>(i / st.loop[First + Count - 1], in);
  }
  template <int J> ETNA_INLINE static void place(state& s, void* const* at, std::int64_t offset, bool in) {
    if constexpr (F::template has_window<J>)
      F::template open_window<J>(
          s, window(J), in, static_cast<element_of<p.buffers[view<J>.buffer].d>*>(at[view<J>.buffer]) + view<J>.offset,
          offset);
    else if constexpr (view<J>.buffer < 0) s.base[J] = view<J>.offset + offset;
    else s.p[J] = static_cast<element_of<p.buffers[view<J>.buffer].d>*>(at[view<J>.buffer]) + view<J>.offset + offset;
    if constexpr (J < n_in) F::template refresh<J>(s);
  }
  template <int... J> ETNA_INLINE static void move_to(state& s, void* const* at, std::int64_t row, std::int64_t m,
                                                      std::integer_sequence<int, J...>) {
    (move_view<J>(s, at, row, m), ...);
  }
  template <int J> ETNA_INLINE static void move_view(state& s, void* const* at, std::int64_t row, std::int64_t m) {
    bool in = true;
    std::int64_t const o = offset<0, st.n_outer, J>(row, in) + offset<st.n_outer, st.n_mid, J>(m, in);
    place<J>(s, at, o, in);
  }
  using views = std::make_integer_sequence<int, n_views>;

  template <int... Nth> ETNA_INLINE static void all_numbers(state& s, std::integer_sequence<int, Nth...>) {
    (numbers_of(s, static_cast<typename F::template stmt_t<Nth>*>(nullptr)), ...);
  }
  template <class P, dtype D, level At, int Ph, int Outs, class... O>
  ETNA_INLINE static void numbers_of(state& s, stmt<P, D, At, Ph, Outs, O...>*) {
    (number_of_operand(s, static_cast<O*>(nullptr)), ...);
  }
  ETNA_INLINE static void number_of_operand(state&, void*) {}
  template <int Nth, dtype D> ETNA_INLINE static void number_of_operand(state& s, number<Nth, D>*) {
    constexpr element_of<D> x = from_bits<element_of<D>>(p.numbers[st.number + Nth]);
    s.numbers.template get<D>(Nth) = x;
  }

  /// f(0), f(1), ..., written out where that is not too long.
  template <int Rounds, class Each> ETNA_INLINE static void repeat(Each&& f) {
    if constexpr (Rounds == 1 || Rounds * n <= most_written_out) unrolled<Rounds>(f);
    else
      for (std::int64_t i = 0; i < Rounds; ++i) f(i);
  }
  /// f(lanes, k) for all elements of the innermost loop, as many at once as the lanes take.
  template <class Lanes, class Each> ETNA_INLINE static void each(Each&& f) {
    repeat<int(inner / Lanes::width)>([&](std::int64_t i) ETNA_INLINE_LAMBDA { f(Lanes{}, i * Lanes::width); });
  }
  template <class Each> ETNA_INLINE static void rest(Each&& f) {
    constexpr std::int64_t left = lanes::width > 1 ? inner % lanes::width : 0;
    repeat<int(left)>([&](std::int64_t i) ETNA_INLINE_LAMBDA { f(one{}, inner - left + i); });
  }

  template <int Ph, int... Nth, int... R> ETNA_INLINE static void sweep(state& s, values<one>& wide, values<one>& total,
                                                                        std::integer_sequence<int, Nth...>,
                                                                        std::integer_sequence<int, R...>) {
    values<lanes> acc;
    (F::template start<lanes, R>(acc), ...);
    each<lanes>([&]<class L>(L, std::int64_t k) ETNA_INLINE_LAMBDA {
      values<L> r;
      (F::template element<L, Ph, false, Nth>(s, r, k), ...);
      (F::template accumulate<L, R>(s, r, acc, k), ...);
    });
    if constexpr (inner >= lanes::width) (F::template join<lanes, R>(acc, wide, total), ...);
    if constexpr (inner >= lanes::width) (F::template join_best<lanes, R>(s, acc), ...);
    values<one> tail;
    (F::template start<one, R>(tail), ...);
    rest([&]<class L>(L, std::int64_t k) ETNA_INLINE_LAMBDA {
      values<L> r;
      (F::template element<L, Ph, false, Nth>(s, r, k), ...);
      (F::template accumulate<L, R>(s, r, tail, k), ...);
    });
    if constexpr (lanes::width > 1 && inner % lanes::width != 0) (F::template join<one, R>(tail, wide, total), ...);
  }
  template <int Ph> ETNA_INLINE static void phase(state& s, void* const* at, std::int64_t row) {
    constexpr typename F::template reductions<Ph> reductions;
    values<one> wide, total;
    F::begin_phase(s, wide, total, typename F::template row_values<Ph>{}, reductions);
    for (std::int64_t m = 0; m < mid; ++m) {
      if constexpr (mid > 1) move_to(s, at, row, m, views{});
      sweep<Ph>(s, wide, total, typename F::template elements<Ph>{}, reductions);
    }
    if constexpr (mid > 1) move_to(s, at, row, 0, views{});
    F::end_phase(s, wide, total, reductions);
    if constexpr (Ph + 1 < Phases) phase<Ph + 1>(s, at, row);
  }
  template <class L, int... Nth, int... R, int... All>
  ETNA_INLINE static void column(state& s, void* const* at, std::int64_t row, std::int64_t k,
                                 std::integer_sequence<int, Nth...>, std::integer_sequence<int, R...>,
                                 std::integer_sequence<int, All...>) {
    values<L> total;
    (F::template start<L, R>(total), ...);
    for (std::int64_t m = 0; m < mid; ++m) {
      move_to(s, at, row, m, views{});
      values<L> r;
      (F::template element<L, 0, false, Nth>(s, r, k), ...);
      (F::template accumulate<L, R>(s, r, total, k), ...);
    }
    move_to(s, at, row, 0, views{});
    (F::template column_value<L, All>(s, total, k), ...);
  }

  /// at   where each buffer of the plan is
  ETNA_INLINE static void run(void* const* at) {
    state s;
    s.v = table.at;
    if constexpr (F::n_numbers > 0) all_numbers(s, typename F::seq{});
    for (std::int64_t row = 0; row < rows; ++row) {
      move_to(s, at, row, 0, views{});
      if constexpr (Nest == nest::columns) {
        auto columns = [&]<class L>(L, std::int64_t k) ETNA_INLINE_LAMBDA {
          column<L>(s, at, row, k, typename F::template elements<0>{}, typename F::template reductions<0>{},
                    typename F::seq{});
        };
        each<lanes>(columns);
        rest(columns);
      } else {
        if constexpr (Phases > 0) phase<0>(s, at, row);
        if constexpr (Nest == nest::rows) F::put_row_values(s, typename F::template row_values<Phases>{});
      }
    }
  }
};

}  // namespace etna::lower
