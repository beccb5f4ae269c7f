// SPDX-License-Identifier: BSD-3-Clause
// Stages of a stencil as one loop over a row. A stage reads values of an earlier one at its own place and at
// neighbours, all out of registers that the loop keeps. To read a neighbour further along the row, a stage runs some
// registers behind the one that it reads. So a step of several stages reads and writes each array once. Read next:
// transposed.hpp.
#pragma once
#include "fused.hpp"

namespace etna::lower {

/// How a stencil's statements follow one another, counted in registers.
///
/// lag     how far a statement runs behind the loop: it reads values further along the row
/// warm    how many registers before a piece of the row it starts: it reads values from before the piece
/// depth   how many older registers of its value are kept for readers
template <int N> struct stencil_order {
  int lag[N]{}, warm[N]{}, depth[N]{};
  int behind = 0, before = 0;  // the largest lag, the largest warm
  int left = 0, right = 0;     // how far, in elements, values are read before and behind their place
};

template <int Phases, class Body, seen As, class Unit> struct fused<kernel<nest::stencil, Phases, Body, As>, Unit> {
  using at = placing<kernel<nest::pointwise, Phases, Body, As>>;
  using F = typename at::F;
  static constexpr int n = at::n, n_in = at::n_in, n_out = at::n_out;

 private:
  using L = typename at::lanes;
  using state = typename at::state;
  using values = typename F::template values<L>;
  using seq = typename F::seq;
  template <int Nth> using S_ = typename F::template S_<Nth>;
  template <int J> using In_ = typename F::template In_<J>;
  static constexpr int width = L::width;
  static constexpr std::int64_t piece = Unit::piece / width;  // registers of a row that are a unit

  static constexpr int up(int shift) { return (shift + width - 1) / width; }
  static constexpr stencil_order<n> order = [] {
    std::array<value_read, 3> of[n + 1];
    for (int i = 0; i < n; ++i) of[i] = F::facts.statements[std::size_t(i)].values;
    stencil_order<n> o;
    int soonest[n]{};  // + 1: where a value is first read
    for (int i = 0; i < n; ++i)
      for (auto [from, shift, result] : of[i]) {
        if (from < 0) continue;
        o.lag[i] = std::max(o.lag[i], o.lag[from] + (shift > 0 ? up(shift) : 0));
        o.warm[i] = std::max(o.warm[i], o.warm[from] + (shift < 0 ? up(-shift) : 0));
        o.left = std::max(o.left, -shift);
        o.right = std::max(o.right, shift);
      }
    for (int i = 0; i < n; ++i)
      for (auto [from, shift, result] : of[i]) {
        if (from < 0) continue;
        int const at = o.lag[i] - (shift > 0 ? up(shift) : 0);
        if (soonest[from] == 0 || at < soonest[from] - 1) soonest[from] = at + 1;
      }
    for (int i = 0; i < n; ++i)  // what is made of inputs alone is made where it is first read
      if (soonest[i] > 0 && of[i][0].from < 0 && of[i][1].from < 0 && of[i][2].from < 0) o.lag[i] = soonest[i] - 1;
    for (int i = 0; i < n; ++i) {
      o.behind = std::max(o.behind, o.lag[i]);
      o.before = std::max(o.before, o.warm[i]);
      for (auto [from, shift, result] : of[i])
        if (from >= 0) o.depth[from] = std::max(o.depth[from], o.lag[i] - o.lag[from] + (shift < 0 ? up(-shift) : 0));
    }
    return o;
  }();

  /// Registers of the row: the newest value of each statement, and older ones.
  template <int Nth> struct kept {
    typename L::template of<element_of<S_<Nth>::d>> at[order.depth[Nth] + 1];
  };
  template <class> struct all_kept;
  template <int... Nth> struct all_kept<std::integer_sequence<int, Nth...>> : kept<Nth>... {
    template <int K> ETNA_FN_INLINE auto& of(int age) { return this->kept<K>::at[age]; }
  };
  using past = all_kept<seq>;
  /// The last register of a row, where it is not whole: what of it there is, of each input and result.
  struct ending {
    state s;
    view_numbers views[n_in + n_out == 0 ? 1 : n_in + n_out];
    struct {
      alignas(64) unsigned char at[width * 8];
    } lane[n_in + n_out == 0 ? 1 : n_in + n_out];
  };
  struct row {
    loop_numbers const& c;
    state& s;
    ending& end;
    std::int64_t registers, from, to;  // of the row; of the unit
  };

  /// Operands as statement Nth reads them, where statements find them.
  template <int Nth, class O> ETNA_FN_INLINE static void see(past& p, values& now, O*) {
    constexpr value_read r = read_of<O>;
    if constexpr (r.from >= 0 && r.shift == 0)
      now.template get<S_<r.from>::d>(r.from) = p.template of<r.from>(order.lag[Nth] - order.lag[r.from]);
  }
  /// Statement Nth of the register that begins at element k. Inside: all of its neighbours are in the row.
  template <int Nth, bool Inside, class P, dtype D, level At, int Ph, int Outs, class... O>
  ETNA_FN_INLINE static auto compute(row const& w, state& s, past& p, values& now, std::int64_t k,
                                     stmt<P, D, At, Ph, Outs, O...>*) {
    (see<Nth>(p, now, static_cast<O*>(nullptr)), ...);
    if constexpr (has_moved<O...>) return moved_value<Nth, Inside, D, O...>(w, s, p, now, k);
    else {
      constexpr int product = F::template product_of<Nth>;
      constexpr bool joins = product >= 0 && order.lag[Nth] == order.lag[product < 0 ? Nth : product];
      if constexpr (joins) see_factors<product>(p, now, static_cast<typename F::template stmt_t<product>*>(nullptr));
      return F::template apply<L, Nth, joins>(s, now, k, static_cast<stmt<P, D, At, Ph, Outs, O...>*>(nullptr));
    }
  }
  template <int J, class P, dtype D, level At, int Ph, int Outs, class... O>
  ETNA_FN_INLINE static void see_factors(past& p, values& now, stmt<P, D, At, Ph, Outs, O...>*) {
    (see<J>(p, now, static_cast<O*>(nullptr)), ...);
  }
  template <class... O> static constexpr bool has_moved = ((read_of<O>.shift != 0) || ...);
  template <int Nth, bool Inside, dtype D, class X, class U>
  ETNA_FN_INLINE static typename L::template of<element_of<D>> moved_value(row const& w, state& s, past& p, values& now,
                                                                           std::int64_t k) {
    using T = element_of<D>;
    using R = typename L::template of<T>;
    constexpr int from = read_of<U>.from, shift = read_of<U>.shift;
    constexpr int whole = shift >= 0 ? shift / width : -up(-shift), part = shift - whole * width,
                  depth = order.lag[Nth] - order.lag[from] - whole;
    R u = p.template of<from>(depth);
    if constexpr (part != 0) u = L::template between<T, part>(u, p.template of<from>(depth - 1));
    if constexpr (Inside) return u;
    else {
      std::int64_t const at = k + shift, end = w.c.inner;
      if (at >= 0 && at + width <= end) return u;
      R const x = F::template fetch<L, X>::template get<D, false>(s, now, k);
      if constexpr (width == 1) return x;
      else {
        alignas(64) T in[width], lane[width];
        L::template store<T>(in, u);
        L::template store<T>(lane, x);
        for (int i = 0; i < width; ++i)
          if (at + i >= 0 && at + i < end) lane[i] = in[i];
        return R(L::template load<T>(lane));
      }
    }
  }
  template <int Nth, bool Inside>
  ETNA_FN_INLINE static void run_statement(row const& w, past& p, values& now, std::int64_t step) {
    std::int64_t const q = step - order.lag[Nth], k = q * width;
    if (!Inside && (q < 0 || q >= w.registers)) return;
    state& s = !Inside && k + width > w.c.inner ? w.end.s : w.s;
    auto& y = p.template of<Nth>(0);
    y = compute<Nth, Inside>(w, s, p, now, k, static_cast<typename F::template stmt_t<Nth>*>(nullptr));
    if constexpr (S_<Nth>::outs != 0)
      if (Inside || (q >= w.from && q < w.to))
        F::template put<L, S_<Nth>::d, false>(s, F::template out_index<Nth>, k, y);
  }
  template <int Nth, int T> ETNA_FN_INLINE static void age(past& p) {
    if constexpr (T > 0) {
      p.template of<Nth>(T) = p.template of<Nth>(T - 1);
      age<Nth, T - 1>(p);
    }
  }
  template <int Nth, int T> ETNA_FN_INLINE static void clear(past& p) {
    using E = element_of<S_<Nth>::d>;
    if constexpr (T >= 0) {
      p.template of<Nth>(T) = L::template spread<E>(E(0));
      clear<Nth, T - 1>(p);
    }
  }
  template <bool Inside, int... Nth>
  ETNA_FN_INLINE static void run_step(row const& w, past& p, std::int64_t step, std::integer_sequence<int, Nth...>) {
    values now;  // for all statements: unoptimised, what each of them had would be in the frame at once
    (age<Nth, order.depth[Nth]>(p), ...);
    (run_statement<Nth, Inside>(w, p, now, step), ...);
  }
  template <int... Nth> ETNA_FN_INLINE static void start(past& p, std::integer_sequence<int, Nth...>) {
    (clear<Nth, order.depth[Nth]>(p), ...);
  }

  /// The input or result J of the last register, `size` elements from k on: in lanes of its own.
  template <int J> ETNA_FN static void begin_end(row const& w, std::int64_t k, std::int64_t size) {
    if constexpr (J >= n_in) take<element_of<F::outs[J - n_in].d>, J>(w, k, 0);
    else if constexpr (In_<J>::m == motion::next || In_<J>::m == motion::strided)
      take<element_of<In_<J>::d>, J>(w, k, size);
  }
  template <class T, int J> ETNA_FN static void take(row const& w, std::int64_t k, std::int64_t size) {
    T* const lane = reinterpret_cast<T*>(w.end.lane[J].at);
    for (int i = 0; i < width; ++i)
      lane[i] = i < size ? static_cast<T const*>(w.s.p[J])[(k + i) * w.s.v[J].inner] : T(0);
    w.end.views[J].inner = 1;
    w.end.s.p[J] = lane - k;
  }
  template <int J> ETNA_FN static void finish_end(row const& w, std::int64_t k, std::int64_t size) {
    using T = element_of<F::outs[J - n_in].d>;
    for (int i = 0; i < size; ++i) static_cast<T*>(w.s.p[J])[k + i] = reinterpret_cast<T const*>(w.end.lane[J].at)[i];
  }

  ETNA_FN static void run_unit(loop_numbers const& c, state& s, std::int64_t part) {
    ending end;
    row w{c, s, end, (c.inner + width - 1) / width, part * piece, 0};
    w.to = std::min(w.from + piece, w.registers);
    std::int64_t const last = w.to + order.behind, rest = c.inner % width, tail = c.inner - rest;
    bool const ends = rest != 0 && last >= w.registers;
    if (ends) {
      end.s = s;
      end.s.v = end.views;
      end.s.non_temporal = false;
      [&]<int... J>(std::integer_sequence<int, J...>) {
        ((end.views[J] = s.v[J], begin_end<J>(w, tail, rest)), ...);
      }(typename at::views{});
    }
    std::int64_t i = std::max(w.from - order.before, std::int64_t(0));
    std::int64_t const inside = std::min(std::max<std::int64_t>(w.from, up(order.left)) + order.behind, last),
                       outside = std::min(w.to, (c.inner - order.right) / width);
    past p;
    start(p, seq{});
    for (; i < inside; ++i) run_step<false>(w, p, i, seq{});
    for (; i < outside; ++i) run_step<true>(w, p, i, seq{});
    for (; i < last; ++i) run_step<false>(w, p, i, seq{});
    if (ends && w.to == w.registers)
      [&]<int... J>(std::integer_sequence<int, J...>) {
        (finish_end<n_in + J>(w, tail, rest), ...);
      }(std::make_integer_sequence<int, n_out>{});
  }
  ETNA_FN static std::int64_t units_in_row(loop_numbers const& c) {
    return ((c.inner + width - 1) / width + piece - 1) / piece;
  }

 public:
  static std::int64_t units(loop_numbers const& c) { return c.rows * units_in_row(c); }
  ETNA_NOINLINE static void run(loop_numbers const& c, std::int64_t from, std::int64_t to) {
    state s;
    at::begin(c, s);
    at::each_unit(c, s, units_in_row(c), from, to, [&](std::int64_t, std::int64_t part) { run_unit(c, s, part); });
    if constexpr (F::may_store_non_temporal)
      if (c.non_temporal) end_of_stream();
  }
};

}  // namespace etna::lower
