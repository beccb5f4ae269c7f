// SPDX-License-Identifier: BSD-3-Clause
// The statements of a kernel, whatever loops run them (fused.hpp, inlined.hpp): elements, sums and the values of a row.
// Every index into the local values is a constant, so they stay in registers. Read next: transpose_tile.hpp.
#pragma once
#include <bit>

#include <etna/math/lane.hpp>

#include "joined_products.hpp"
#include "reading.hpp"

namespace etna::lower {

template <class L, dtype D, class X> ETNA_FN auto in_lanes(X x) {
  if constexpr (D == dtype::boolean) return L::mask(x);
  else return typename L::template of<element_of<D>>(x);
}
template <class M, class X> ETNA_FN X select_lanes(M const& m, X const& x, X const& y) {
#if defined(ETNA_HAS_SIMD)
  return xsimd::select(m, x, y);
#else
  return m ? x : y;
#endif
}

template <class K> struct statements : reading<K> {
  using base = reading<K>;
  using base::n, base::n_in, base::facts, base::Nest, base::Phases;
  using typename base::state, typename base::lanes, typename base::seq;
  template <int Nth> using stmt_t = typename base::template stmt_t<Nth>;
  template <int Nth> using S_ = typename base::template S_<Nth>;
  template <class L> using values = typename base::template values<L>;
  template <class L, class O> using fetch = typename base::template fetch<L, O>;

  // The statements of a level that run in phase Ph (values of a row: before it). Loops are made of these alone. If they
  // called every statement, and those of other phases did nothing, half of a kernel's functions would be empty ones.
  struct chosen {
    int count = 0;
    std::array<int, n + 1> at{};
  };
  template <level At, int Ph> static constexpr chosen those = [] {
    chosen c;
    for (int i = 0; i < n; ++i) {
      auto const& s = facts.statements[std::size_t(i)];
      if (s.at == At && (At == level::row ? s.phases == Ph : (s.phases >> Ph & 1) != 0))
        c.at[std::size_t(c.count++)] = i;
    }
    return c;
  }();
  template <level At, int Ph, int... Q> static auto sequence_of(std::integer_sequence<int, Q...>)
      -> std::integer_sequence<int, those<At, Ph>.at[Q]...>;
  template <level At, int Ph> using at_level =
      decltype(sequence_of<At, Ph>(std::make_integer_sequence<int, those<At, Ph>.count>{}));
  template <int Ph> using elements = at_level<level::element, Ph>;
  template <int Ph> using reductions = at_level<level::reduce, Ph>;
  template <int Ph> using row_values = at_level<level::row, Ph>;

  static constexpr contraction_fact fact_of_contraction(statement_fact const& s, bool kept) {
    bool const real = is_floating(s.d), total = s.op == ops::code<ops::sum_p>;
    contraction_fact f;
    f.product = real && s.op == ops::code<ops::mul_p> && s.outs == 0 && !kept;
    f.sum = real && (total || s.op == ops::code<ops::add_p> || s.op == ops::code<ops::sub_p>);
    for (int k = 0; k < 3; ++k) {
      f.in[k] = s.values[std::size_t(k)].from;
      f.sum = f.sum && s.values[std::size_t(k)].shift == 0;
    }
    f.place = total ? int(level::element) : int(s.at);
    for (int input : s.inputs) f.loads = f.loads || input >= 0;
    f.stores = s.outs != 0;
    // Sums of columns, of which each waits for the one before it, are sooner there without products.
    f.outside = s.at != level::element && Nest != nest::columns;
    f.last = total;
    return f;
  }
  static constexpr contraction<std::size_t(n + 1)> products = [] {
    std::array<contraction_fact, n + 1> facts_of_all{};
    for (int i = 0; i < n; ++i)
      facts_of_all[std::size_t(i)] =
          fact_of_contraction(facts.statements[std::size_t(i)], base::is_kept[std::size_t(i)]);
    return contract(facts_of_all);
  }();
  /// The product that statement Nth takes in, or -1.
  template <int Nth> static constexpr int product_of = products.taken[Nth];

  /// The sum or difference of x and y, one of which is a product that is not rounded by itself.
  template <class L, class P, int J, dtype D, bool Row, class X, class Y>
  ETNA_FN static auto joined_product(state& s, values<L>& r, std::int64_t k) {
    constexpr bool first = read_of<X>.from == J;
    auto const [a, b] = factors<L, D, Row>(s, r, k, static_cast<stmt_t<J>*>(nullptr));
    auto const c = fetch<L, std::conditional_t<first, Y, X>>::template get<D, Row>(s, r, k);
    if constexpr (std::is_same_v<P, ops::add_p>) return math::mad(a, b, c);
    else if constexpr (first) return math::msub(a, b, c);
    else return math::nmad(a, b, c);
  }
  template <class T> struct two {
    T a, b;
  };
  template <class L, dtype D, bool Row, class P, level At, int Ph, int Outs, class A, class B>
  ETNA_FN static auto factors(state& s, values<L>& r, std::int64_t k, stmt<P, D, At, Ph, Outs, A, B>*) {
    return two<typename L::template of<element_of<D>>>{fetch<L, A>::template get<D, Row>(s, r, k),
                                                       fetch<L, B>::template get<D, Row>(s, r, k)};
  }

  /// The result of statement Nth in lanes L.
  template <class L, int Nth, bool Joins = (product_of<Nth> >= 0), class P, dtype D, level At, int Ph, int Outs,
            class... O>
  ETNA_FN static auto apply(state& s, values<L>& r, std::int64_t k, stmt<P, D, At, Ph, Outs, O...>*) {
    constexpr bool row = At == level::row;
    if constexpr (Joins) return in_lanes<L, D>(joined_product<L, P, product_of<Nth>, D, row, O...>(s, r, k));
    else if constexpr (products.apart[Nth])
      return math::kept_apart(P::lower(fetch<L, O>::template get<D, row>(s, r, k)...));
    else if constexpr (P::form == ops::form::gather)
      return base::template gather<L, D>(s, r, k, static_cast<list<O...>*>(nullptr));
    else if constexpr (P::form == ops::form::patch)
      return base::template patch<L, D, row>(s, r, k, static_cast<list<O...>*>(nullptr));
    else if constexpr (P::form == ops::form::convert) {
      using First = std::tuple_element_t<0, std::tuple<O...>>;
      constexpr dtype from = base::template type_of<First>::d;
      return L::template convert<element_of<D>, element_of<from>, (input_of<First>::number >= 0)>(
          fetch<L, First>::template get<from, row>(s, r, k));
    } else if constexpr (std::is_same_v<P, ops::select_p>) return select<L, D, row, O...>(s, r, k);
    else {
      // comparisons are of their operands' type
      constexpr dtype d = D == dtype::boolean ? operand_type<O...>() : D;
      auto const x = in_lanes<L, D>(P::lower(fetch<L, O>::template get<d, row>(s, r, k)...));
      if constexpr (facts.statements[Nth].has_any_width()) return L::template exact<element_of<D>>(x);
      else return x;
    }
  }
  template <class... O> static constexpr dtype operand_type() {
    dtype d = dtype::boolean;
    ((d = base::template type_of<O>::d), ...);
    return d;
  }

  template <class L, dtype D, bool Row, class C, class X, class Y>
  ETNA_FN static auto select(state& s, values<L>& r, std::int64_t k) {
    auto m = L::template mask_for<element_of<D>>(fetch<L, C>::template get<dtype::boolean, Row>(s, r, k));
    auto x = fetch<L, X>::template get<D, Row>(s, r, k);
    auto y = fetch<L, Y>::template get<D, Row>(s, r, k);
    if constexpr (std::is_same_v<L, one>) return m ? x : y;
    else if constexpr (D == dtype::boolean) return (m & x) | (!m & y);
    else return select_lanes(m, x, y);
  }
  template <int Nth> static constexpr int out_index = n_in + facts.statements[Nth].first_out;

  /// Elements of statement Nth in phase Ph: compute, store. Keep: the row is short.
  template <class L, int Ph, bool Keep, int Nth> ETNA_FN static void element(state& s, values<L>& r, std::int64_t k) {
    if constexpr (Keep && base::is_kept[Nth]) {
      using T = element_of<S_<Nth>::d>;
      T* kept = reinterpret_cast<T*>(s.kept->at[base::template kept_index<Nth>]) +
                (Nest == nest::across_rows ? s.at * L::width : k);
      if constexpr (own_phase<Nth> == Ph)
        L::template store<T>(
            kept, r.template get<S_<Nth>::d>(Nth) = apply<L, Nth>(s, r, k, static_cast<stmt_t<Nth>*>(nullptr)));
      else r.template get<S_<Nth>::d>(Nth) = L::template load<T>(kept);
    } else r.template get<S_<Nth>::d>(Nth) = apply<L, Nth>(s, r, k, static_cast<stmt_t<Nth>*>(nullptr));
    if constexpr (S_<Nth>::outs != 0 && own_phase<Nth> == Ph)
      put<L, S_<Nth>::d, S_<Nth>::lies_apart>(s, out_index<Nth>, k, r.template get<S_<Nth>::d>(Nth));
  }
  /// May results be stored past the caches (non-temporal stores)? Not where much is computed between two stores, which
  /// would wait for each other; and a stencil is often one of many small ones, where the question would cost.
  static constexpr bool may_store_non_temporal = lanes::width > 1 &&
                                                 ((Nest == nest::rows && Phases > 1) ||
                                                  (base::along_rows && base::work < tuning::kept::dear &&
                                                   base::n_windows == 0));
  // Results are stored once: in the earliest phase
  template <int Nth> static constexpr int own_phase = std::countr_zero(unsigned(S_<Nth>::phases));
  template <class L, dtype D, bool Apart, class X>
  ETNA_FN static void put(state& s, int at, std::int64_t k, X const& x) {
    using T = element_of<D>;
    if constexpr (std::is_same_v<L, one>) static_cast<T*>(s.p[at])[k * s.v[at].inner] = x;
    else if ((Apart || Nest == nest::across_rows) && s.v[at].inner != 1) {
      std::int64_t const step = s.v[at].inner;
      T* const to = static_cast<T*>(s.p[at]) + k * step;
      L::template store<T>(to, step, x);
      // Results side by side, as the elements of a matrix, fetch a line each of where the next register's will be: no
      // processor sees how such stores go on.
      if constexpr (Apart) __builtin_prefetch(to + (L::width + at % L::width) * step, 1);
    } else {
      T* const to = static_cast<T*>(s.p[at]) + k;
      if constexpr (may_store_non_temporal && L::template streams<T>)
        if (s.non_temporal && reinterpret_cast<std::uintptr_t>(to) % (sizeof(T) * L::width) == 0)
          return L::template stream<T>(to, x);
      L::template store<T>(to, x);
    }
  }

  /// Accumulators of reductions.
  template <class L, int Nth> ETNA_FN static void start(values<L>& acc) {
    if constexpr (!S_<Nth>::is_arg || L::width > 1 || Nest == nest::across_rows) {
      using T = element_of<S_<Nth>::d>;
      if constexpr (S_<Nth>::is_arg)
        acc.template get<index_beside<S_<Nth>::d>>(Nth) = L::template spread<element_of<index_beside<S_<Nth>::d>>>(0);
      acc.template get<S_<Nth>::d>(Nth) = L::template spread<T>(S_<Nth>::P::template identity<T>());
    }
  }
  template <class L, int Nth> ETNA_FN static void accumulate(state& s, values<L>& r, values<L>& acc, std::int64_t k) {
    accumulate_one<L, Nth>(s, r, acc, k, static_cast<stmt_t<Nth>*>(nullptr));
  }
  template <class L, int Nth, class P, dtype D, level At, int Ph, int Outs, class O>
  ETNA_FN static void accumulate_one(state& s, values<L>& r, values<L>& acc, std::int64_t k,
                                     stmt<P, D, At, Ph, Outs, O>*) {
    if constexpr (product_of<Nth> >= 0) {
      auto const [a, b] = factors<L, D, false>(s, r, k, static_cast<stmt_t<product_of<Nth>>*>(nullptr));
      auto& sum = acc.template get<D>(Nth);
      sum = typename L::template of<element_of<D>>(math::mad(a, b, sum));
      return;
    }
    auto x = fetch<L, O>::template get<D, false>(s, r, k);
    if constexpr (P::form == ops::form::arg_reduction && (L::width > 1 || Nest == nest::across_rows)) {
      using T = element_of<D>;
      using I_ = element_of<index_beside<D>>;
      auto& best = acc.template get<D>(Nth);
      auto& where = acc.template get<index_beside<D>>(Nth);
      auto wins = P::wins(best, x);
      auto here = [&] {
        if constexpr (Nest == nest::across_rows) return L::template spread<I_>(I_(s.at));
        else return L::template ramp<I_>(k);
      }();
      where = select_lanes(L::template mask_for<I_>(L::template mask<T>(wins)), here, where);
      best = select_lanes(wins, x, best);
    } else if constexpr (P::form == ops::form::arg_reduction) {
      auto& best = s.row.template get<D>(Nth);
      auto& where = s.second.template get<dtype::i32>(Nth);
      if (P::wins(best, x)) {
        best = x;
        where = std::int32_t(k);
      }
    } else acc.template get<D>(Nth) = typename L::template of<element_of<D>>(P::lower(acc.template get<D>(Nth), x));
  }

  /// What statement Nth reduces.
  template <class L, int Nth> ETNA_FN static auto reduced(state& s, values<L>& r, std::int64_t k) {
    return reduced_operand<L>(s, r, k, static_cast<stmt_t<Nth>*>(nullptr));
  }
  template <class L, class P, dtype D, level At, int Ph, int Outs, class O>
  ETNA_FN static auto reduced_operand(state& s, values<L>& r, std::int64_t k, stmt<P, D, At, Ph, Outs, O>*) {
    return fetch<L, O>::template get<D, false>(s, r, k);
  }

  // ---- rows, and pointwise loops: elements lie along the innermost axis. Sums of f32 are joined in f64.
  template <int Nth> static constexpr bool widens = S_<Nth>::d == dtype::f32 && !S_<Nth>::P::selects;
  template <int Nth> ETNA_FN static void begin_total(state& s, values<one>& wide, values<one>& total) {
    using T = element_of<S_<Nth>::d>;
    if constexpr (S_<Nth>::is_arg) {
      s.row.template get<S_<Nth>::d>(Nth) = S_<Nth>::P::template identity<T>();
      s.second.template get<dtype::i32>(Nth) = 0;
    } else if constexpr (widens<Nth>) wide.template get<dtype::f64>(Nth) = S_<Nth>::P::template identity<double>();
    else total.template get<S_<Nth>::d>(Nth) = S_<Nth>::P::template identity<T>();
  }
  template <class L, int Nth> ETNA_FN static void join(values<L>& acc, values<one>& wide, values<one>& total) {
    if constexpr (!S_<Nth>::is_arg) {
      using T = element_of<S_<Nth>::d>;
      using P = typename S_<Nth>::P;
      using Wide = std::conditional_t<widens<Nth>, double, T>;
      auto& to = [&]() -> Wide& {
        if constexpr (widens<Nth>) return wide.template get<dtype::f64>(Nth);
        else return total.template get<S_<Nth>::d>(Nth);
      }();
      auto lower = [](auto const& a, auto const& b) { return P::lower(a, b); };
      to = Wide(P::lower(to, L::template joined<Wide, T>(lower, acc.template get<S_<Nth>::d>(Nth))));
    }
  }
  template <class L, int Nth> ETNA_FN static void join_best(state& s, values<L>& acc) {
    if constexpr (S_<Nth>::is_arg && L::width > 1) {
      using T = element_of<S_<Nth>::d>;
      using I_ = element_of<index_beside<S_<Nth>::d>>;
      alignas(64) T lane[L::width];
      alignas(64) I_ place[L::width];
      L::template store<T>(lane, acc.template get<S_<Nth>::d>(Nth));
      L::template store<I_>(place, acc.template get<index_beside<S_<Nth>::d>>(Nth));
      T& best = s.row.template get<S_<Nth>::d>(Nth);
      std::int32_t& where = s.second.template get<dtype::i32>(Nth);
      for (int i = 0; i < L::width; ++i) {
        bool const equal = lane[i] == best || (lane[i] != lane[i] && best != best);
        if (!S_<Nth>::P::wins(best, lane[i]) && !(equal && place[i] < where)) continue;
        best = lane[i];
        where = std::int32_t(place[i]);
      }
    }
  }
  /// What a part of the row has, added to the totals.
  template <int Nth> ETNA_FN static void join_part(values<one>& wide, values<one>& total, values<one>& part_wide,
                                                   values<one>& part_total) {
    auto join = [](auto& to, auto x) { to = std::remove_reference_t<decltype(to)>(S_<Nth>::P::lower(to, x)); };
    if constexpr (widens<Nth>) join(wide.template get<dtype::f64>(Nth), part_wide.template get<dtype::f64>(Nth));
    else join(total.template get<S_<Nth>::d>(Nth), part_total.template get<S_<Nth>::d>(Nth));
  }
  template <int Nth> ETNA_FN static void end_total(state& s, values<one>& wide, values<one>& total) {
    if constexpr (!S_<Nth>::is_arg) {
      if constexpr (widens<Nth>) s.row.template get<S_<Nth>::d>(Nth) = float(wide.template get<dtype::f64>(Nth));
      else s.row.template get<S_<Nth>::d>(Nth) = total.template get<S_<Nth>::d>(Nth);
    }
    if constexpr (S_<Nth>::outs != 0) put_row<Nth>(s);
  }
  template <int Nth> ETNA_FN static void put_row(state& s) {
    constexpr int outs = S_<Nth>::outs, at = out_index<Nth>;
    if constexpr ((outs & 1) != 0) *static_cast<element_of<S_<Nth>::d>*>(s.p[at]) = s.row.template get<S_<Nth>::d>(Nth);
    if constexpr ((outs & 2) != 0)
      *static_cast<std::int32_t*>(s.p[at + (outs & 1)]) = s.second.template get<dtype::i32>(Nth);
  }
  template <int... V, int... R> ETNA_FN static void begin_phase(state& s, values<one>& wide, values<one>& total,
                                                                std::integer_sequence<int, V...>,
                                                                std::integer_sequence<int, R...>) {
    (row_value<V>(s), ...);
    (begin_total<R>(s, wide, total), ...);
  }
  template <int... R>
  ETNA_FN static void end_phase(state& s, values<one>& wide, values<one>& total, std::integer_sequence<int, R...>) {
    (end_total<R>(s, wide, total), ...);
  }
  template <int... Nth> ETNA_FN static void put_row_values(state& s, std::integer_sequence<int, Nth...>) {
    (row_value<Nth>(s), ...);
  }
  template <int Nth> ETNA_FN static void row_value(state& s) {
    s.row.template get<S_<Nth>::d>(Nth) = apply<one, Nth>(s, s.row, 0, static_cast<stmt_t<Nth>*>(nullptr));
    if constexpr (S_<Nth>::outs != 0) put_row<Nth>(s);
  }

  // ---- columns, and SIMD across rows: the reduced axis is walked for each register of kept columns or rows
  template <class L, int Nth> ETNA_FN static void column_value(state& s, values<L>& r, std::int64_t k) {
    if constexpr (S_<Nth>::at == level::row) {
      r.template get<S_<Nth>::d>(Nth) = apply<L, Nth>(s, r, k, static_cast<stmt_t<Nth>*>(nullptr));
      if constexpr (S_<Nth>::outs != 0)
        put<L, S_<Nth>::d, S_<Nth>::lies_apart>(s, out_index<Nth>, k, r.template get<S_<Nth>::d>(Nth));
    } else if constexpr (S_<Nth>::at == level::reduce) {
      constexpr int outs = S_<Nth>::outs, at = out_index<Nth>;
      if constexpr (S_<Nth>::is_arg && index_beside<S_<Nth>::d> == dtype::i64)
        r.template get<dtype::i32>(Nth) =
            L::template convert<std::int32_t, std::int64_t>(r.template get<dtype::i64>(Nth));
      if constexpr ((outs & 1) != 0) put<L, S_<Nth>::d, S_<Nth>::lies_apart>(s, at, k, r.template get<S_<Nth>::d>(Nth));
      if constexpr ((outs & 2) != 0) put<L, dtype::i32, false>(s, at + (outs & 1), k, r.template get<dtype::i32>(Nth));
    }
  }
  template <class L, int Nth> ETNA_FN static void fold(values<L>& total, values<L> const& acc_) {
    auto& acc = const_cast<values<L>&>(acc_);
    total.template get<S_<Nth>::d>(Nth) = typename L::template of<element_of<S_<Nth>::d>>(
        S_<Nth>::P::lower(total.template get<S_<Nth>::d>(Nth), acc.template get<S_<Nth>::d>(Nth)));
  }

  struct out_fact {
    dtype d{};
    bool lies_apart = false;  // perhaps, along the row
  };
  static constexpr auto outs = [] {
    std::array<out_fact, 2 * n + 1> t{};
    std::size_t k = 0;
    for (int i = 0; i < n; ++i) {
      auto const& s = facts.statements[std::size_t(i)];
      if (s.outs & 1) t[k++] = {s.d, s.lies_apart};
      if (s.outs & 2) t[k++] = {dtype::i32, s.lies_apart};
    }
    return t;
  }();
};

}  // namespace etna::lower
