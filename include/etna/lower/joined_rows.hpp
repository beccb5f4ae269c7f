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
    for (int j = 0; may_stand_still && j < F::n_in; ++j)
      if (c.views[j].outer[c.n_outer - 1] == 0) still_ |= 1u << j;
    if (c.inner % width != 0) again_ = width - int(c.inner % width);
  }
  /// The first row of some that follow each other.
  void start(index_walk const& first) {
    at::move_to_row(c_, s_, first, views{});
    done_ = 0;
  }
  /// The sums of the next `rows` rows, a register's width of them at most, each in its lane of `to`.
  template <class To> void sum(std::int64_t rows, To& to) {
    if (done_ > 0) step<0>(s_, done_);
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
  unsigned still_ = 0;
  int again_;  // elements that a row's last register has once more
  std::int64_t done_ = 0;

  // So many rows are summed side by side: what none of them moves on is loaded once, and their sums are joined as soon
  // as they are there. Of few statements, since they are written out for each row, and of operands that only pointers
  // tell apart. Extremes gain nothing: comparisons are most of their work.
  template <int Nth> static constexpr bool is_extreme() {
    if constexpr (S_<Nth>::is_arg) return true;
    else return S_<Nth>::P::selects;
  }
  static constexpr bool is_small = [] {
    bool const extreme = []<int... R>(std::integer_sequence<int, R...>) {
      return (is_extreme<R>() || ... || false);
    }(reductions{});
    if (extreme) return false;
    for (int j = 0; j < at::n_in; ++j)
      if (F::facts.inputs[std::size_t(j)].m != motion::next) return false;
    return at::n <= tuning::short_rows::joined_statements && F::n_windows == 0;
  }();
  static constexpr int together = is_small ? std::min(4, lanes::width) : 1, groups = lanes::width / together;
  static constexpr bool may_stand_still = is_small && at::n_in == 2;

  /// Sum Nth of rows, not yet joined.
  template <int Nth, int Count> struct sums_of {
    typename lanes::template of<element_of<S_<Nth>::d>> row[Count];
  };
  template <int Count, int... R> struct all_sums : sums_of<R, Count>... {};
  template <class L> struct one_row {
    void* p[at::n_in + at::n_out];
    values<L> sum;
  };

  template <class L, class To, class Sums> void sum_all(std::int64_t rows, To& to, Sums sums) {
    if constexpr (together > 1) {
      if (rows == lanes::width) {
        if constexpr (may_stand_still) {
          if (still_ == 1) return sum_together<L, 1>(to, sums);
          if (still_ == 2) return sum_together<L, 2>(to, sums);
        }
        return sum_together<L, 0>(to, sums);
      }
    }
    sum_one_by_one<L>(rows, to, sums);
  }
  template <class L, class To, int... R>
  void sum_one_by_one(std::int64_t rows, To& to, std::integer_sequence<int, R...> sums) {
    all_sums<lanes::width, R...> of;
    state s = s_;  // of this function alone, so that its parts may be registers
    auto const again = had<L>();
    for (std::int64_t i = 0; i < lanes::width; ++i) {
      values<L> sum;
      (F::template start<L, R>(sum), ...);
      each_register<L>([&](std::int64_t k) ETNA_INLINE_LAMBDA { add<L>(s, sum, k, elements{}, sums); },
                       [&](std::int64_t k) ETNA_INLINE_LAMBDA { add_again<L>(s, sum, k, again, sums); });
      ((static_cast<sums_of<R, lanes::width>&>(of).row[i] = sum.template get<S_<R>::d>(R)), ...);
      if (i + 1 < rows) step<0>(s, 1);  // behind the last it is once more
    }
    (join<L, R>(to, of), ...);
  }
  /// Still: of the operands, those that do not move from row to row. (Flat, so that no call needs pointers in memory.)
  template <class L, unsigned Still, class To, int... R>
  ETNA_FLATTEN void sum_together(To& to, std::integer_sequence<int, R...> sums) {
    all_sums<groups, R...> of;
    state s = s_;
    auto const again = had<L>();
    one_row<L> first;
    each_view([&]<int J>() ETNA_INLINE_LAMBDA { first.p[J] = s.p[J]; });
    ETNA_UNROLL for (int g = 0; g < groups; ++g) group<L, Still>(g, s, again, first, of, sums);
    (join<L, R>(to, of), ...);
  }
  /// Group g: each row that is as many behind another of it as there are groups.
  template <class L, unsigned Still, class Mask, class Of, class Sums, class... Row>
  ETNA_INLINE void group(int g, state& s, Mask const& again, one_row<L> const& first, Of& of, Sums sums, Row&... row) {
    if constexpr (sizeof...(Row) == together) sum_group<L>(g, s, again, of, sums, row...);
    else {
      one_row<L> next;
      each_view([&]<int J>() ETNA_INLINE_LAMBDA { s.p[J] = first.p[J]; });
      step<Still>(s, g + int(sizeof...(Row)) * groups);
      each_view([&]<int J>() ETNA_INLINE_LAMBDA { next.p[J] = s.p[J]; });
      group<L, Still>(g, s, again, first, of, sums, row..., next);
    }
  }
  template <class L, class Mask, class Of, int... R, class... Row>
  ETNA_INLINE void sum_group(int g, state& s, Mask const& again, Of& of, std::integer_sequence<int, R...> sums,
                             Row&... row) {
    auto begin = [](auto& x) ETNA_INLINE_LAMBDA { (F::template start<L, R>(x.sum), ...); };
    (begin(row), ...);
    auto at = [&](auto& x) ETNA_INLINE_LAMBDA -> values<L>& {
      each_view([&]<int J>() ETNA_INLINE_LAMBDA { s.p[J] = x.p[J]; });
      return x.sum;
    };
    each_register<L>([&](std::int64_t k) ETNA_INLINE_LAMBDA { (add<L>(s, at(row), k, elements{}, sums), ...); },
                     [&](std::int64_t k) ETNA_INLINE_LAMBDA { (add_again<L>(s, at(row), k, again, sums), ...); });
    auto end = [&]<int Nth>() ETNA_INLINE_LAMBDA {
      sums_of<Nth, together> mine{{row.sum.template get<S_<Nth>::d>(Nth)...}};
      static_cast<sums_of<Nth, groups>&>(of).row[g] = joined<L, Nth, together, lanes::width / 2>(mine);
    };
    (end.template operator()<R>(), ...);
  }
  template <class Each> ETNA_INLINE static void each_view(Each f) {
    [&]<int... J>(std::integer_sequence<int, J...>) ETNA_INLINE_LAMBDA { (f.template operator()<J>(), ...); }(views{});
  }
  /// Which elements of a row's last register the one before it has had.
  template <class L> ETNA_INLINE auto had() const {
    return L::template each<mask_number>([](int i) { return mask_number(i); }) <
           L::template spread<mask_number>(mask_number(again_));
  }
  /// whole(k) of each register of a row, and behind the loop, where sums would be in memory, rest(k) of the last where
  /// the row ends in a part of one.
  template <class L, class Whole, class Rest> ETNA_INLINE void each_register(Whole whole, Rest rest) const {
    for (std::int64_t k = 0; k + L::width <= c_.inner; k += L::width) whole(k);
    if (again_ > 0) rest(c_.inner - L::width);
  }
  template <class L, class Mask, int... R> ETNA_INLINE static void add_again(state& s, values<L>& sum, std::int64_t k,
                                                                             Mask const& again,
                                                                             std::integer_sequence<int, R...> sums) {
    values<L> before = sum;
    add<L>(s, sum, k, elements{}, sums);
    (keep<L, R>(sum, before, again), ...);
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
  template <unsigned Still> ETNA_INLINE void step(state& s, std::int64_t rows) const {
    each_view([&]<int J>() ETNA_INLINE_LAMBDA {
      if constexpr ((Still >> J & 1) == 0) at::template step<J>(s, rows * s.v[J].outer[c_.n_outer - 1]);
    });
  }
  /// Of the rows of `sums` one register, by pairs whose lanes are N apart, and nearer.
  template <class L, int Nth, int Count, int N> ETNA_INLINE static auto joined(sums_of<Nth, Count>& sums) {
    auto const pair = [](auto const& a, auto const& b) ETNA_INLINE_LAMBDA { return S_<Nth>::P::lower(a, b); };
    return L::template joined_pairs<Count, N, element_of<S_<Nth>::d>>(pair, sums.row);
  }
  template <class L, int Nth, class To, int Count> ETNA_INLINE static void join(To& to, sums_of<Nth, Count>& sums) {
    to.template get<S_<Nth>::d>(Nth) = joined<L, Nth, Count, Count / 2>(sums);
  }
};

}  // namespace etna::lower
