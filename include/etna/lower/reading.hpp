// SPDX-License-Identifier: BSD-3-Clause
// What the statements of a kernel read: numbers of the call, inputs as they move along the innermost loop, picked rows,
// blocks of patches, values of other statements; and which lanes can compute its elements. Read next: statements.hpp.
#pragma once
#include "kept.hpp"

namespace etna::lower {

template <class K> struct reading;
template <nest Nest, int Phases, class... In, class... S> struct reading<kernel<Nest, Phases, list<In...>, S...>>
    : keeping<kernel<Nest, Phases, list<In...>, S...>> {
  using typename keeping<kernel<Nest, Phases, list<In...>, S...>>::kept_row;
  static constexpr int n = sizeof...(S), n_in = sizeof...(In), n_out = (stmt_of<S>::out_count + ... + 0);
  template <int Nth> using S_ = stmt_of<std::tuple_element_t<std::size_t(Nth), std::tuple<S...>>>;
  template <int Nth> using In_ = input_traits<std::tuple_element_t<std::size_t(Nth), std::tuple<In...>>>;
  static constexpr int n_numbers = [] {
    int m = 0;
    ((m = stmt_of<S>::numbers > m ? stmt_of<S>::numbers : m), ...);
    return m;
  }();
  using seq = std::make_integer_sequence<int, n>;

  /// Values of the statements in lanes L.
  template <class L> using values = registers<L, n, (stmt_of<S>::types | ... | 0u)>;

  // In the numbers of a call, windows come behind the literals.
  static constexpr bool is_window(motion m) { return m == motion::window || m == motion::strided_window; }
  static constexpr int n_windows = (int(is_window(input_traits<In>::m)) + ... + 0);
  template <int J> static constexpr bool has_window = [] {
    int i = 0;
    return ((i++ == J && is_window(input_traits<In>::m)) || ... || false);
  }();
  template <int J> static constexpr int window_at = [] {
    int at = n_numbers, i = 0;
    ((at += i++ < J && is_window(input_traits<In>::m) ? planning::words_of_window : 0), ...);
    return at;
  }();
  static constexpr int n_all_numbers = n_numbers + n_windows * planning::words_of_window;

  // Do the lanes of a register have elements of one row, so that a value of the row is one number? Else each lane has a
  // row, or a column, of its own.
  static constexpr bool along_rows = Nest == nest::pointwise || Nest == nest::rows;
  static constexpr bool has_best = (stmt_of<S>::is_arg || ... || false);

  /// Operations of an element, and whether its statements read input J.
  static constexpr int work = ((stmt_of<S>::at == level::element ? stmt_of<S>::P::flops : 0) + ... + 0);
  template <int J> static constexpr bool reads =
      ((stmt_of<S>::at != level::row && stmt_of<S>::template reads<J>) || ...);

  /// May each part of a row have its own sums, joined at the end?
  static constexpr bool sums_join =
      Nest == nest::rows && Phases == 1 &&
      ((!stmt_of<S>::is_arg && !(stmt_of<S>::at == level::row && stmt_of<S>::phases == 0 && stmt_of<S>::outs != 0)) &&
       ...);

  /// Does a statement pick whole rows: by an index that stands still along the innermost loop, of elements side by
  /// side?
  template <class X> struct row_gather {
    static constexpr int index = -1;
  };
  template <class P, dtype D, level At, int Ph, int Outs, int X, int Nth>
  struct row_gather<stmt<P, D, At, Ph, Outs, input<X>, input<Nth>>> {
    static constexpr int index =
        P::form == ops::form::gather && In_<X>::m == motion::indexed_rows && In_<Nth>::m == motion::still ? Nth : -1;
  };
  /// Is an input read as such an index only?
  static constexpr bool is_index(int input) {
    bool found = false, other = false;
    auto look = [&](int index, auto const& operands) {
      for (int o : operands)
        if (o == input) (o == index ? found : other) = true;
    };
    (look(row_gather<S>::index, stmt_of<S>::inputs), ...);
    return found && !other;
  }

  /// The type of an operand's elements.
  template <class O> struct type_of;
  template <int Nth> struct type_of<input<Nth>> {
    static constexpr dtype d = In_<Nth>::d;
  };
  template <int Nth, dtype D> struct type_of<number<Nth, D>> {
    static constexpr dtype d = D;
  };
  template <int Nth, int R> struct type_of<value<Nth, R>> {
    static constexpr dtype d = R == 1 ? dtype::i32 : S_<Nth>::d;
  };

  // Can lanes of so many bytes compute a statement? They hold narrower elements widened. So these can be chosen and
  // converted there, but not computed: a sum of f32 in lanes of f64, say, would be rounded differently.
  template <int Bytes, class P, dtype D, level At, int Ph, int Outs, class... O>
  static constexpr bool statement_fits(stmt<P, D, At, Ph, Outs, O...>*) {
    using of = stmt_of<stmt<P, D, At, Ph, Outs, O...>>;
    constexpr ops::form f = P::form;
    if (At == level::row && along_rows) return true;
    if (bytes_of(D) > Bytes || !of::numbers_fit(Bytes)) return false;
    if constexpr (f == ops::form::convert) return conversion_fits<Bytes, D>(static_cast<list<O...>*>(nullptr));
    if (f == ops::form::gather) return row_gather<stmt<P, D, At, Ph, Outs, O...>>::index >= 0;
    if (f == ops::form::arg_reduction && !is_floating(D)) return false;
    bool picks = f == ops::form::patch || std::is_same_v<P, ops::select_p>;
    if constexpr (f == ops::form::reduction) picks = P::selects;
    return picks || D == dtype::boolean || bytes_of(D) == Bytes;
  }
  template <int Bytes, dtype To, class X> static constexpr bool conversion_fits(list<X>*) {
#if defined(ETNA_HAS_SIMD)
    return conversion<Bytes>::template fits<element_of<To>, element_of<type_of<X>::d>>;
#else
    return false;
#endif
  }
  template <int Bytes> static constexpr bool elements_fit() {
    bool ok = (statement_fits<Bytes>(static_cast<S*>(nullptr)) && ...);
    int input = 0;
    [[maybe_unused]] auto in_fits = [&](dtype d, motion m) {
      if (is_index(input++)) return;
      bool const moves = m == motion::next || m == motion::strided || m == motion::ramp || m == motion::strided_ramp ||
                         m == motion::window;
      bool const stands = m == motion::still || m == motion::still_ramp;
      if (m == motion::strided_window || (m == motion::indexed && Nest == nest::columns)) ok = false;
      if (moves || (stands && Nest != nest::rows)) ok = ok && bytes_of(d) <= Bytes;
    };
    (in_fits(input_traits<In>::d, input_traits<In>::m), ...);
    return ok;
  }
#if defined(ETNA_HAS_SIMD)
  using lanes =
      std::conditional_t<elements_fit<4>(), packed<float>, std::conditional_t<elements_fit<8>(), packed<double>, one>>;
#else
  using lanes = one;
#endif

  /// What of the innermost loop an input has: elements [from, from + size).
  struct window {
    std::int64_t from, size;
    bool has_row;
  };
  struct state {
    kept_row* kept;
    std::int64_t at = 0;  // of SIMD across rows: which element
    bool non_temporal = false;
    view_numbers const* v;
    void* p[n_in + 2 * n + 1];                // moved to the current row (and column of mid)
    std::int64_t base[n_in == 0 ? 1 : n_in];  // of ramps: the index at the start of the row
    std::int64_t origin[n_in + 2 * n + 1];    // offset of the row, before mid
    window windows[n_windows == 0 ? 1 : n_in];
    values<one> row;  // values of the row, and inputs that stand still
    registers<one, n_in, (bit_of(input_traits<In>::d) | ... | 0u)> still;
    registers<one, n_numbers, (stmt_of<S>::number_types | ... | 0u)> numbers;
    registers<one, n, bit_of(dtype::i32)> second;  // second results (indices of arg reductions)
  };

  template <class L, class O> struct fetch;
  template <int Nth> struct fetch<one, input<Nth>> {
    static constexpr dtype d = In_<Nth>::d;
    template <dtype, bool Row> ETNA_FN static auto get(state& s, values<one>&, std::int64_t k) {
      using T = element_of<d>;
      constexpr motion m = In_<Nth>::m;
      if constexpr (m == motion::still) return s.still.template get<d>(Nth);
      else if constexpr (planning::is_ramp(m))
        return T(s.base[Nth] + (m == motion::still_ramp ? 0 : k * s.v[Nth].inner));
      else return static_cast<T const*>(s.p[Nth])[k * s.v[Nth].inner];
    }
  };
  template <class L, int Nth> struct fetch<L, input<Nth>> {
    static constexpr dtype d = In_<Nth>::d;
    template <dtype, bool Row> ETNA_FN static auto get(state& s, values<L>&, std::int64_t k) {
      using T = element_of<d>;
      constexpr motion m = In_<Nth>::m;
      if constexpr (m == motion::next) return L::template load<T>(static_cast<T const*>(s.p[Nth]) + k);
      else if constexpr (m == motion::strided) {
        T const* const at = static_cast<T const*>(s.p[Nth]) + k * s.v[Nth].inner;
        if (Nest == nest::across_rows && s.v[Nth].inner == 1) return L::template load<T>(at);
        if (Nest == nest::across_rows && s.v[Nth].inner == 0) return L::template spread<T>(*at);
        return L::template load<T>(at, s.v[Nth].inner);
      } else return no_memory<T, m>(s, k);
    }

   private:
    /// No memory is read: a ramp, or what stands still.
    template <class T, motion M> ETNA_FN static auto no_memory(state& s, std::int64_t k) {
      if constexpr (M == motion::ramp) return L::template ramp<T>(T(s.base[Nth] + k));
      else if constexpr (M == motion::strided_ramp)
        return L::template ramp<T>(T(s.base[Nth] + k * s.v[Nth].inner), T(s.v[Nth].inner));
      else return L::template spread<T>(s.still.template get<d>(Nth));
    }
  };
  template <class L, int Nth, dtype D> struct fetch<L, number<Nth, D>> {
    template <dtype, bool Row> ETNA_FN static auto get(state& s, values<L>&, std::int64_t) {
      return L::template spread<element_of<D>>(s.numbers.template get<D>(Nth));
    }
  };
  template <class L, int Nth, int R> struct fetch<L, value<Nth, R>> {
    static constexpr dtype d = type_of<value<Nth, R>>::d;
    // columns, and SIMD across rows, keep rows' values in lanes; rows keep them one by one
    template <dtype, bool Row> ETNA_FN static auto get(state& s, values<L>& r, std::int64_t) {
      if constexpr (S_<Nth>::at == level::element || !along_rows) return r.template get<d>(Nth);
      else if constexpr (R == 1) return L::template spread<std::int32_t>(s.second.template get<d>(Nth));
      else return L::template spread<element_of<d>>(s.row.template get<d>(Nth));
    }
  };

  template <class L, class Index> ETNA_FN static std::int64_t index_of(state& s, values<L>& r, std::int64_t k, Index*) {
    return std::int64_t(fetch<L, Index>::template get<dtype::i64, false>(s, r, k));
  }
  template <class L, int Nth>
  ETNA_FN static std::int64_t index_of(state& s, values<L>& r, std::int64_t k, input<Nth>*) {
    if constexpr (In_<Nth>::m == motion::still) return std::int64_t(s.still.template get<In_<Nth>::d>(Nth));
    else return std::int64_t(fetch<L, input<Nth>>::template get<dtype::i64, false>(s, r, k));
  }
  template <class L, dtype D, int X, class Index>
  ETNA_FN static auto gather(state& s, values<L>& r, std::int64_t k, list<input<X>, Index>*) {
    using T = element_of<D>;
    view_numbers const& x = s.v[X];
    std::int64_t i = index_of<L>(s, r, k, static_cast<Index*>(nullptr));
    if (i < 0) i += x.gather_size;
    T missing = T(0);
    if constexpr (is_real<T>) missing = std::numeric_limits<T>::quiet_NaN();
    if (i < 0 || i >= x.gather_size) return L::template spread<T>(missing);
    T const* at = static_cast<T const*>(s.p[X]) + i * x.gather_stride;
    if constexpr (std::is_same_v<L, one>) return at[k * x.inner];
    else return L::template load<T>(at + k);
  }

  /// Input U inside its window, X outside. Where both are in one register, one by one.
  template <class L, dtype D, bool Row, class X, int U>
  ETNA_FN static auto patch(state& s, values<L>& r, std::int64_t k, list<X, input<U>>*) {
    using T = element_of<D>;
    using R = typename L::template of<T>;
    R x = fetch<L, X>::template get<D, Row>(s, r, k);
    auto const* u = static_cast<T const*>(s.p[U]);
    window const& w = s.windows[U];
    std::int64_t const at = k - w.from;
    if constexpr (std::is_same_v<L, one>) return at >= 0 && at < w.size ? u[at * s.v[U].inner] : x;
    else {
      if (at >= 0 && at <= w.size - L::width) return R(L::template load<T>(u + at));
      if (at <= -L::width || at >= w.size) return x;
      alignas(64) T lane[L::width];
      L::template store<T>(lane, x);
      for (int i = 0; i < L::width; ++i)
        if (at + i >= 0 && at + i < w.size) lane[i] = u[at + i];
      return R(L::template load<T>(lane));
    }
  }

  // Literals are read once, before the first row.
  template <class P, dtype D, level At, int Ph, int Outs, class... O>
  ETNA_FN static void read_numbers(loop_numbers const& c, state& s, stmt<P, D, At, Ph, Outs, O...>*) {
    (read_number(c, s, static_cast<O*>(nullptr)), ...);
  }
  ETNA_FN static void read_number(loop_numbers const&, state&, void*) {}
  template <int Nth, dtype D> ETNA_FN static void read_number(loop_numbers const& c, state& s, number<Nth, D>*) {
    s.numbers.template get<D>(Nth) = from_bits<element_of<D>>(c.numbers[Nth]);
  }
  using window_reader = planning::window_words<std::int64_t const>;
  /// A step of a walk to a row: is place i of loop `axis` in the window? Then where, counted from its begin.
  ETNA_FN static std::int64_t within(window_reader window, int axis, std::int64_t i, bool& in) {
    std::int64_t const at = i - window.begin(axis), size = window.size(axis);
    in = in && (size == 0 || (at >= 0 && at < size));
    return at;
  }
  /// The window of input J in a row that it has, or has not; its memory begins at `data`.
  template <int J>
  ETNA_FN static void open_window(state& s, window_reader window, bool has_row, void* data, std::int64_t offset) {
    std::int64_t const size = window.size(window.inner);
    s.windows[J].from = window.begin(window.inner);
    s.windows[J].size = !has_row ? 0 : size == 0 ? std::numeric_limits<std::int64_t>::max() : size;
    s.p[J] = static_cast<element_of<In_<J>::d>*>(data) + (has_row ? offset : 0);
  }
  template <int J> ETNA_FN static void refresh(state& s) {
    if constexpr (In_<J>::m == motion::still)
      s.still.template get<In_<J>::d>(J) = *static_cast<element_of<In_<J>::d> const*>(s.p[J]);
    else if constexpr (In_<J>::m == motion::still_ramp)
      s.still.template get<In_<J>::d>(J) = element_of<In_<J>::d>(s.base[J]);
  }
};

}  // namespace etna::lower
