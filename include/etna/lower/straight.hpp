// SPDX-License-Identifier: BSD-3-Clause
// Straight-line code run: every equation is a store to a local variable whose place is a constant, so the
// compiler keeps them in registers. Nothing here but types and integers, which nvcc takes on both sides.
#pragma once
#include <algorithm>

#include <etna/array/small.hpp>
#include <etna/array/tree.hpp>
#include <etna/math/lane.hpp>
#include <etna/straight/scalars.hpp>

#include "joined_products.hpp"
#include "lanes.hpp"

namespace etna::lower {

/// The values of a run, by element type.
template <dtype D, int N> struct scalar_slots {
  element_of<D> x[N + 1];
};
template <class Types, int... Slots> struct scalar_file;
template <int... D, int... Slots> struct scalar_file<std::integer_sequence<int, D...>, Slots...>
    : scalar_slots<dtype(D), Slots>... {
  template <dtype Of, int Nth> ETNA_FN_INLINE auto& get() { return get_from<Of>(*this).x[Nth]; }

 private:
  template <dtype Of, int N> ETNA_FN_INLINE static scalar_slots<Of, N>& get_from(scalar_slots<Of, N>& s) { return s; }
};

/// One equation: primitive, element types of result and operands, places.
template <class P, dtype D, dtype From, int Slot, int... In> struct scalar_stmt {
  template <class File> ETNA_FN_INLINE static void run(File& r) {
    using T = element_of<D>;
    if constexpr (P::form == ops::form::convert)
      r.template get<D, Slot>() = convert_one<T>(r.template get<From, In...>());
    else if constexpr (P::form == ops::form::arg_reduction)
      r.template get<D, Slot>() = P::wins(r.template get<From, In>()...);
    else if constexpr (std::is_same_v<P, ops::select_p>) choose<File>(r, std::integer_sequence<int, In...>{});
    else r.template get<D, Slot>() = T(P::lower(r.template get<From, In>()...));
  }
  // a choice's first operand is a bool
  template <class File, int C, int X, int Y>
  ETNA_FN_INLINE static void choose(File& r, std::integer_sequence<int, C, X, Y>) {
    r.template get<D, Slot>() =
        r.template get<dtype::boolean, C>() ? r.template get<From, X>() : r.template get<From, Y>();
  }
};

template <class Code> struct straight_code {
  static constexpr auto const& c = Code::value;
  template <int Nth> static constexpr straight::scalar_equation equation = c.at[Nth];
  template <int Nth> static constexpr int output_at = c.outputs[Nth];
  static constexpr int length = c.n;
  template <int... D> static auto file_of(std::integer_sequence<int, D...> all)
      -> scalar_file<decltype(all), c.slots[D]...>;
  using file = decltype(file_of(std::make_integer_sequence<int, dtype_count>{}));

  template <int Nth, int K> static constexpr int slot_of = equation<equation<Nth>.in[K]>.slot;
  template <int Nth, int... K> static auto statement(std::integer_sequence<int, K...>)
      -> scalar_stmt<ops::primitive_at<equation<Nth>.op>, equation<Nth>.d, equation<Nth>.from, equation<Nth>.slot,
                     slot_of<Nth, K>...>;

  /// The product that equation Nth takes in, or -1. The answer is to be that of a kernel: equations count in the order
  /// in which they were written, and results as stores, though no memory is read or written between.
  static constexpr auto products = [] {
    constexpr std::size_t n = std::size_t(length) + 1;
    std::array<int, n> order{}, place{};
    for (int i = 0; i < length; ++i) order[std::size_t(i)] = i;
    std::sort(order.begin(), order.end() - 1, [](int i, int k) { return c.at[i].node < c.at[k].node; });
    for (int i = 0; i < length; ++i) place[std::size_t(order[std::size_t(i)])] = i;
    std::array<contraction_fact, n> f{};
    for (int i = 0; i < length; ++i) {
      straight::scalar_equation const& e = c.at[i];
      contraction_fact& to = f[std::size_t(place[std::size_t(i)])];
      to.product = is_floating(e.d) && e.op == ops::code<ops::mul_p>;
      to.sum = is_floating(e.d) && (e.op == ops::code<ops::add_p> || e.op == ops::code<ops::sub_p>);
      for (int k = 0; k < e.n; ++k) {
        to.in[k] = place[std::size_t(e.in[k])];
        to.loads = to.loads || c.at[e.in[k]].op == ops::code<ops::input_p>;
      }
    }
    for (int i = 0; i < c.n_outputs; ++i) {
      contraction_fact& to = f[std::size_t(place[std::size_t(c.outputs[i])])];
      to.product = false;
      to.stores = true;
    }
    auto const found = contract(f);
    contraction<n> r;
    for (int i = 0; i < length; ++i) {
      auto const at = std::size_t(place[std::size_t(i)]);
      r.taken[std::size_t(i)] = found.taken[at] < 0 ? -1 : order[std::size_t(found.taken[at])];
      r.apart[std::size_t(i)] = found.apart[at];
    }
    return r;
  }();
  template <int Nth, int J> ETNA_FN_INLINE static auto joined_product(file& r) {
    constexpr dtype d = equation<Nth>.d;
    constexpr bool first = equation<Nth>.in[0] == J;
    auto const a = r.template get<d, slot_of<J, 0>>(), b = r.template get<d, slot_of<J, 1>>();
    auto const other = r.template get<d, slot_of<Nth, first ? 1 : 0>>();
    if constexpr (equation<Nth>.op == ops::code<ops::add_p>) return math::mad(a, b, other);
    else if constexpr (first) return math::msub(a, b, other);
    else return math::nmad(a, b, other);
  }

  template <int Nth, class In> ETNA_FN_INLINE static void step(file& r, In const& in) {
    constexpr dtype d = equation<Nth>.d;
    constexpr int slot = equation<Nth>.slot, op = equation<Nth>.op;
    if constexpr (op == ops::code<ops::input_p>)
      r.template get<d, slot>() = in.template get<element_of<d>, int(equation<Nth>.bits)>();
    else if constexpr (op == ops::code<ops::full_p>) {
      constexpr element_of<d> number = from_bits<element_of<d>>(equation<Nth>.bits);
      r.template get<d, slot>() = number;
    } else if constexpr (products.taken[Nth] >= 0)
      r.template get<d, slot>() = joined_product<Nth, products.taken[Nth]>(r);
    else if constexpr (products.apart[Nth])
      r.template get<d, slot>() =
          math::kept_apart(r.template get<d, slot_of<Nth, 0>>() * r.template get<d, slot_of<Nth, 1>>());
    else decltype(statement<Nth>(std::make_integer_sequence<int, equation<Nth>.n>{}))::run(r);
  }
  template <class In, int... Nth>
  ETNA_FN_INLINE static void steps(file& r, In const& in, std::integer_sequence<int, Nth...>) {
    (step<Nth>(r, in), ...);
  }
  /// Element Nth of the results, as they follow one another.
  template <int Nth> ETNA_FN_INLINE static auto& output(file& r) {
    return r.template get<equation<output_at<Nth>>.d, equation<output_at<Nth>>.slot>();
  }
  /// The results: T as a tree whose arrays are small, the first of them at output K.
  template <class T, int K> ETNA_FN_INLINE static auto result(file& r) {
    if constexpr (any_array<T>) return leaf<T, K>(r, std::make_integer_sequence<int, int(T::size())>{});
    else if constexpr (tree::detail::is_std_array<T>::value)
      return elements<T, K>(r, std::make_integer_sequence<int, int(std::tuple_size_v<T>)>{});
    else
      return fields<T, K>(r, static_cast<tree::detail::fields_of<T>*>(nullptr),
                          std::make_index_sequence<std::tuple_size_v<tree::detail::fields_of<T>>>{});
  }

 private:
  template <class A> struct small_of;
  template <class T, extent... E> struct small_of<array<T, E...>> {
    using type = small<T, E...>;
  };
  template <class A, int K, int... Nth> ETNA_FN_INLINE static auto leaf(file& r, std::integer_sequence<int, Nth...>) {
    return typename small_of<A>::type{{output<K + Nth>(r)...}};
  }
  static constexpr int numbers(auto const& sizes, std::size_t upto) {
    int n = 0;
    for (std::size_t i = 0; i < upto; ++i) n += sizes[i];
    return n;
  }
  template <class T> static constexpr int size_of() {
    if constexpr (any_array<T>) return int(T::size());
    else if constexpr (tree::detail::is_std_array<T>::value)
      return int(std::tuple_size_v<T>) * size_of<typename T::value_type>();
    else
      return []<class... C>(std::type_identity<std::tuple<C...>>) {
        return (size_of<C>() + ... + 0);
      }(std::type_identity<tree::detail::fields_of<T>>{});
  }
  template <class T, int K, int... Nth>
  ETNA_FN_INLINE static auto elements(file& r, std::integer_sequence<int, Nth...>) {
    using V = typename T::value_type;
    return std::array<decltype(result<V, K>(r)), sizeof...(Nth)>{result<V, K + Nth * size_of<V>()>(r)...};
  }
  template <class T, int K, class... C, std::size_t... Nth>
  ETNA_FN_INLINE static auto fields(file& r, std::tuple<C...>*, std::index_sequence<Nth...>) {
    [[maybe_unused]] constexpr std::array<int, sizeof...(C)> sizes{size_of<C>()...};
    return tree::detail::rebuild<T>(result<C, K + numbers(sizes, Nth)>(r)...);
  }
};

}  // namespace etna::lower
