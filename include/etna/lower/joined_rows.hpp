// SPDX-License-Identifier: BSD-3-Clause
// Short rows that are summed once, and lie in memory one behind the other: registers go along each row, and at last the
// sums of as many rows as a register has lanes are joined by a tree of pairs of registers, which leaves each row's in a
// lane of its own. That moves half as much between lanes as to transpose the rows of one register, and less for longer
// ones. Read next: across_rows.hpp.
#pragma once
#include "fused.hpp"

namespace etna::lower {

template <class K> struct joined_rows;
template <int Phases, class Body> struct joined_rows<kernel<nest::joined_rows, Phases, Body>> {
  using at = placing<kernel<nest::rows, Phases, Body>>;
  using F = typename at::F;
  using state = typename at::state;
  using lanes = typename at::lanes;
  using views = typename at::views;
  using half = typename F::half;
  template <class L> using values = typename F::template values<L>;
  template <int Nth> using S_ = typename F::template S_<Nth>;
  using elements = typename F::template elements<0>;
  using reductions = typename F::template reductions<0>;
  static constexpr int bytes = F::facts.widest;

  /// Rows of at least one register, the last of which ends where the row ends. (Those that are long store no elements.)
  static bool takes(loop_numbers const& c) {
    bool const fits = c.inner >= lanes::width || (half::width > 1 && c.inner >= half::width);
    return fits && !(stores_elements && at::is_in_place(c.views));
  }

  explicit joined_rows(loop_numbers const& c) : c_(c), again_(0) {
    at::begin(c, s_);
    int const width = c.inner < lanes::width ? half::width : lanes::width;
    if (c.inner % width != 0) again_ = width - int(c.inner % width);
  }
  /// The first row of some that follow each other.
  void start(index_walk const& first) {
    at::move_to_row(c_, s_, first, views{});
    done_ = 0;
  }
  /// The sums of the next `rows` rows, a register's width of them at most, each in its lane of `to`.
  template <class To> void sum(std::int64_t rows, To& to) {
    if (done_ > 0) step(s_, done_, views{});
    done_ = rows;
    if constexpr (half::width > 1)
      if (c_.inner < lanes::width) return sum_all<half>(rows, to, reductions{});
    sum_all<lanes>(rows, to, reductions{});
  }

 private:
  static constexpr bool stores_elements =
      F::any_statement([](statement_fact const& s) { return s.at == level::element && s.outs != 0; });

  loop_numbers const& c_;
  state s_;
  int again_;  // elements that a row's last register has once more
  std::int64_t done_ = 0;

  /// Sum Nth of a register's width of rows, each not yet joined.
  template <int Nth> struct sums_of {
    typename lanes::template of<element_of<S_<Nth>::d>> row[lanes::width];
  };
  template <int... R> struct all_sums : sums_of<R>... {};

  template <class L, class To, int... R> void sum_all(std::int64_t rows, To& to, std::integer_sequence<int, R...>) {
    all_sums<R...> of;
    state s = s_;  // of this function alone, so that its parts may be registers
    auto const again = L::template each<mask_number>([](int i) { return mask_number(i); }) <
                       L::template spread<mask_number>(mask_number(again_));
    for (std::int64_t i = 0;;) {
      values<L> sum;
      (F::template start<L, R>(sum), ...);
      std::int64_t k = 0;
      for (; k + L::width <= c_.inner; k += L::width) add<L>(s, sum, k, elements{}, reductions{});
      if (again_ > 0) {  // not in the loop: sums would be in memory
        values<L> before = sum;
        add<L>(s, sum, c_.inner - L::width, elements{}, reductions{});
        (keep<L, R>(sum, before, again), ...);
      }
      ((static_cast<sums_of<R>&>(of).row[i] = sum.template get<S_<R>::d>(R)), ...);
      if (++i == rows) break;
      step(s, 1, views{});
    }
    for (std::int64_t i = rows; i < lanes::width; ++i)
      ((static_cast<sums_of<R>&>(of).row[i] = static_cast<sums_of<R>&>(of).row[rows - 1]), ...);
    (join<L, R>(to, static_cast<sums_of<R>&>(of)), ...);
  }
  template <class L, int... Nth, int... R> ETNA_INLINE static void add(state& s, values<L>& sum, std::int64_t k,
                                                                       std::integer_sequence<int, Nth...>,
                                                                       std::integer_sequence<int, R...>) {
    values<L> r;
    (F::template element<L, 0, false, Nth>(s, r, k), ...);
    (F::template accumulate<L, R>(s, r, sum, k), ...);
  }
  using mask_number = std::conditional_t<bytes == 8, double, float>;
  template <class L, int Nth, class Mask> ETNA_INLINE static void keep(values<L>& sum, values<L>& before, Mask again) {
    auto& x = sum.template get<S_<Nth>::d>(Nth);
    x = select_lanes(L::template mask_for<element_of<S_<Nth>::d>>(again), before.template get<S_<Nth>::d>(Nth), x);
  }
  template <int... J> ETNA_INLINE void step(state& s, std::int64_t rows, std::integer_sequence<int, J...>) const {
    (at::template step<J>(s, rows * s.v[J].outer[c_.n_outer - 1]), ...);
  }
  template <class L, int Nth, class To> static void join(To& to, sums_of<Nth>& of) {
    auto const together = [](auto const& a, auto const& b) ETNA_INLINE_LAMBDA { return S_<Nth>::P::lower(a, b); };
    to.template get<S_<Nth>::d>(Nth) = L::template joined_each<element_of<S_<Nth>::d>>(together, of.row);
  }
};

}  // namespace etna::lower
