// SPDX-License-Identifier: BSD-3-Clause
// What the statements of a kernel read: numbers of the call, inputs as they move along the innermost loop, picked rows,
// blocks of patches, values of other statements; and which lanes can compute its elements. Read next: statements.hpp.
#pragma once
#include <cstring>
#include <type_traits>

#include "kept.hpp"

namespace etna::lower {

template <class K> struct reading : keeping<K> {
  using base = keeping<K>;
  using base::n, base::n_in, base::facts;
  using typename base::kept_row, typename base::seq;
  static constexpr nest Nest = parts<K>::loops;
  static constexpr int Phases = parts<K>::phases, n_out = facts.n_out, n_numbers = facts.n_numbers;
  template <int Nth> using stmt_t = typename base::template stmt_t<Nth>;
  template <int Nth> using S_ = typename base::template S_<Nth>;
  template <int Nth> using In_ = typename base::template In_<Nth>;

  /// Values of the statements in lanes L.
  template <class L> using values = registers<L, n, facts.types>;

  // In the numbers of a call, windows come behind the literals.
  static constexpr bool is_window(motion m) { return m == motion::window || m == motion::strided_window; }
  static constexpr int windows_before(int input) {
    int windows = 0;
    for (int j = 0; j < input; ++j) windows += is_window(facts.inputs[std::size_t(j)].m);
    return windows;
  }
  static constexpr int n_windows = windows_before(n_in);
  template <int J> static constexpr bool has_window =
      J < n_in && is_window(facts.inputs[std::size_t(J < n_in ? J : 0)].m);
  template <int J> static constexpr int window_at = n_numbers + windows_before(J) * planning::words_of_window;
  static constexpr int n_all_numbers = n_numbers + n_windows * planning::words_of_window;

  // Do the lanes of a register have elements of one row, so that a value of the row is one number? Else each lane has a
  // row, or a column, of its own.
  static constexpr bool along_rows = Nest == nest::pointwise || Nest == nest::rows;
  /// Is there a statement of which f is true?
  template <class F> static constexpr bool any_statement(F f) {
    for (int i = 0; i < n; ++i)
      if (f(facts.statements[std::size_t(i)])) return true;
    return false;
  }
  static constexpr bool has_best = any_statement([](statement_fact const& s) { return s.is_arg; });

  /// Operations of an element, and whether its statements read input J.
  static constexpr int work = facts.work;
  template <int J> static constexpr bool reads = facts.inputs[J].in_elements;

  /// May each part of a row have its own sums, joined at the end?
  static constexpr bool sums_join = Nest == nest::rows && Phases == 1 && !any_statement([](statement_fact const& s) {
                                      return s.is_arg || (s.at == level::row && s.phases == 0 && s.outs != 0);
                                    });

  static constexpr bool stands(motion m) { return m == motion::still || m == motion::still_ramp; }
  /// Does an index, an input or a statement's value, pick rows of input x: does it stand still along the innermost
  /// loop, where elements lie side by side?
  static constexpr bool picks_rows(int x, int index, value_read v) {
    if (facts.inputs[std::size_t(x)].m != motion::indexed_rows) return false;
    if (index >= 0) return stands(facts.inputs[std::size_t(index)].m);
    return v.from < 0 || (along_rows && facts.statements[std::size_t(v.from)].at == level::row);
  }
  static constexpr bool picks_rows(statement_fact const& s) {
    return picks_rows(s.inputs[0], s.inputs[1], s.values[1]);
  }
  /// Has a tile what an index picks of an input (transposed.hpp)?
  static constexpr bool is_picked(motion m) { return m == motion::next; }
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
  // converted there, but not computed: a sum of f32 in lanes of f64, say, would be rounded differently. Lanes of less
  // than 4 bytes are for integers, element by element.
  static constexpr bool statement_fits(statement_fact const& s, int bytes) {
    ops::form const f = s.form();
    if (s.at == level::row && along_rows) return true;
    if (bytes_of(s.d) > bytes) return false;
    for (std::size_t k = 0; k < s.inputs.size(); ++k)  // numbers
      if (s.inputs[k] < 0 && s.values[k].from < 0 && bytes_of(s.operand_types[k]) > bytes) return false;
#if defined(ETNA_HAS_SIMD)
    if (f == ops::form::convert) return conversion_fits(bytes, s.d, s.operand_types[0]);
#else
    if (f == ops::form::convert) return false;
#endif
    if (f == ops::form::arg_reduction && !is_floating(s.d)) return false;
    if (bytes < 4 && (is_floating(s.d) || s.at != level::element || f == ops::form::gather)) return false;
    if (f == ops::form::gather && s.d == dtype::boolean) return picks_rows(s);
    return s.chooses || s.d == dtype::boolean || bytes_of(s.d) == bytes || s.has_any_width();
  }
  static constexpr bool elements_fit(int bytes) {
#if defined(__AVX512F__) && !defined(__AVX512BW__)
    if (bytes < 4) return false;
#endif
    if (bytes < 4 && Nest != nest::stencil && Nest != nest::flat && Nest != nest::pointwise) return false;
    bool ok = !any_statement([&](statement_fact const& s) { return !statement_fits(s, bytes); });
    for (int j = 0; j < n_in; ++j) {
      input_fact const& x = facts.inputs[std::size_t(j)];
      motion const m = x.m;
      if (x.is_index()) continue;
      bool const moves = m == motion::next || m == motion::strided || m == motion::ramp || m == motion::strided_ramp ||
                         m == motion::window;
      if (m == motion::strided_window) ok = false;
      if (moves || (stands(m) && Nest != nest::rows)) ok = ok && bytes_of(x.d) <= bytes;
    }
    return ok;
  }
#if defined(ETNA_HAS_SIMD)
  static constexpr int narrowest = elements_fit(1)   ? 0
                                   : elements_fit(2) ? 1
                                   : elements_fit(4) ? 2
                                   : elements_fit(8) ? 3
                                                     : 4;
  using lanes =
      std::tuple_element_t<narrowest,
                           std::tuple<packed<std::uint8_t>, packed<std::uint16_t>, packed<float>, packed<double>, one>>;
#else
  using lanes = one;
#endif
  /// For what is left of a row behind its registers, where statements are few: they are there once more. No
  /// gathers element by element, which have an index in every lane.
  static constexpr bool picks_each = any_statement([](statement_fact const& s) {
    return s.form() == ops::form::gather && !picks_rows(s) && !is_picked(facts.inputs[std::size_t(s.inputs[0])].m);
  });
  using half = typename std::conditional_t<n_windows == 0 && !picks_each && n <= tuning::short_rows::walked_statements,
                                           half_of<lanes>, std::type_identity<one>>::type;

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
    registers<one, n_in, facts.input_types> still;
    registers<one, n_numbers, facts.number_types> numbers;
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
      if constexpr (M == motion::ramp) return L::template ramp<T>(s.base[Nth] + k);
      else if constexpr (M == motion::strided_ramp)
        return L::template ramp<T>(s.base[Nth] + k * s.v[Nth].inner, s.v[Nth].inner);
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

  /// The index of each lane.
  template <class L, class Place, int Nth>
  ETNA_FN static void indices(state& s, values<L>&, std::int64_t k, Place* to, input<Nth>*) {
    constexpr motion m = In_<Nth>::m;
    if constexpr (m == motion::next || m == motion::strided) {
      std::int64_t const step = m == motion::next ? 1 : s.v[Nth].inner;
      auto const* p = static_cast<element_of<In_<Nth>::d> const*>(s.p[Nth]) + k * step;
      for (int i = 0; i < L::width; ++i) to[i] = Place(p[i * step]);
    } else
      for (int i = 0; i < L::width; ++i)
        to[i] = Place(fetch<one, input<Nth>>::template get<dtype::i64, false>(s, s.row, k + i));
  }
  template <class L, class Place, int Nth, int R>
  ETNA_FN static void indices(state& s, values<L>& r, std::int64_t k, Place* to, value<Nth, R>*) {
    constexpr dtype d = type_of<value<Nth, R>>::d;
    alignas(64) element_of<d> lane[L::width];
    L::template store<element_of<d>>(lane, fetch<L, value<Nth, R>>::template get<d, false>(s, r, k));
    for (int i = 0; i < L::width; ++i) to[i] = Place(lane[i]);
  }
  template <class L, class Place, int Nth, dtype D>
  ETNA_FN static void indices(state& s, values<L>&, std::int64_t, Place* to, number<Nth, D>*) {
    for (int i = 0; i < L::width; ++i) to[i] = Place(s.numbers.template get<D>(Nth));
  }
  template <class T> static constexpr T missing() {
    if constexpr (is_real<T>) return std::numeric_limits<T>::quiet_NaN();
    else return T(0);
  }
  template <class T> static constexpr T none[1]{};
  /// Elements of input X picked by an index: of one row, or in each lane its own.
  template <class L, dtype D, int X, class Index>
  ETNA_FN static auto gather(state& s, values<L>& r, std::int64_t k, list<input<X>, Index>*) {
    if constexpr (is_picked(In_<X>::m)) return fetch<L, input<X>>::template get<D, false>(s, r, k);
    else return pick<L, D, X>(s, r, k, static_cast<Index*>(nullptr));
  }
  template <class L, dtype D, int X, class Index>
  ETNA_FN static auto pick(state& s, values<L>& r, std::int64_t k, Index*) {
    using T = element_of<D>;
    view_numbers const& x = s.v[In_<X>::as];  // so that places are computed once
    T const* const p = static_cast<T const*>(s.p[X]) + (In_<X>::m == motion::indexed_rows ? k : k * x.inner);
    if constexpr (std::is_same_v<L, one>) {
      std::int64_t const i = place(x, fetch<one, Index>::template get<dtype::i64, false>(s, r, k));
      return i < 0 ? missing<T>() : p[i * x.gather_stride];
    } else if constexpr (picks_rows(X, input_of<Index>::number, read_of<Index>)) {
      std::int64_t const i = place(x, fetch<one, Index>::template get<dtype::i64, false>(s, s.row, k));
      return i < 0 ? L::template spread<T>(missing<T>()) : L::template load<T>(p + i * x.gather_stride);
    } else {
      constexpr int bytes = sizeof(typename L::template held<T>);
      constexpr dtype d = type_of<Index>::d;
      constexpr bool is_near = In_<X>::is_near && (bytes_of(d) < 4 || d == dtype::i32);
      using Place = std::conditional_t<is_near, std::int32_t, std::int64_t>;
      alignas(sizeof(Place) * L::width) Place at[L::width];
      indices<L>(s, r, k, at, static_cast<Index*>(nullptr));
      bool const is_empty = !In_<X>::is_near && x.gather_size == 0;
      auto const nowhere = wrap<bytes>(at, Place(x.gather_size), Place(x.gather_stride), Place(is_empty ? 0 : x.inner));
      auto const found = [&] {
        if constexpr (In_<X>::table > 0 && L::template has_tables<T>)
          return L::template look_up<T, In_<X>::table>(p, at);
        else return L::template pick<T>(is_empty ? none<T> : p, at);
      }();
      return L::template chosen<T>(nowhere, L::template spread<T>(missing<T>()), found);
    }
  }
  /// Where an index points to, or -1: nowhere.
  template <class Index> ETNA_FN static std::int64_t place(view_numbers const& x, Index index) {
    std::int64_t i = std::int64_t(index);
    if (i < 0) i += x.gather_size;
    return i < x.gather_size ? i : -1;
  }
  /// Indices to places, `step` apart and `lane` from one lane to the next: negative ones count from the end. Where one
  /// is out of range it is 0, and all bits are set of what is returned, which has so many bytes a lane.
  template <int Bytes, int N, class Place>
  ETNA_FN static auto wrap(Place (&at)[N], Place size, Place step, Place lane) {
    using Count = std::make_unsigned_t<Place>;
    using Bits = std::conditional_t<Bytes == 4, std::int32_t, std::int64_t>;
    typedef Place places __attribute__((vector_size(sizeof(at))));
    typedef Count counts __attribute__((vector_size(sizeof(at))));
    typedef Bits lanes_of_bits __attribute__((vector_size(N * sizeof(Bits))));
    constexpr int sign = 8 * sizeof(Place) - 1;
    places i;
    std::memcpy(&i, at, sizeof(at));
    i += size & (i >> sign);
    places const left = places(Count(size - 1) - counts(i)), nowhere = (i | left) >> sign;
    i &= ~nowhere;
    places by;
    for (int l = 0; l < N; ++l) by[l] = Place(l);
    i = i * step + by * lane;
    std::memcpy(at, &i, sizeof(at));
    return __builtin_convertvector(nowhere, lanes_of_bits);
  }
  /// Input U inside its window, X outside.
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
      int const from = at < 0 ? int(-at) : 0, to = int(std::min<std::int64_t>(w.size - at, L::width));
      return R(L::template load_over<T>(u + at, from, to, x));
    }
  }

  // Literals are read once, before the first row.
  template <int... Nth>
  ETNA_FN static void read_all_numbers(loop_numbers const& c, state& s, std::integer_sequence<int, Nth...>) {
    (read_numbers(c, s, static_cast<stmt_t<Nth>*>(nullptr)), ...);
  }
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
