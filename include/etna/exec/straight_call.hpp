// SPDX-License-Identifier: BSD-3-Clause
// A call of straight-line code on arrays: no plan, no memory, no Kokkos. Read next: jit.hpp.
#pragma once
#include <etna/lower/straight.hpp>

#include "signature.hpp"

namespace etna::exec {

/// The leaves of some trees, one behind the other.
template <class... A> struct leaf_list {
  static constexpr int count = sizeof...(A);
  static constexpr int total = (int(A::size()) + ... + 0);
  template <int Nth> using at = std::tuple_element_t<std::size_t(Nth), std::tuple<A...>>;
  /// Which array the number lies in, and where.
  struct place_of {
    int leaf, flat;
  };
  static constexpr place_of leaf(int number) {
    constexpr int sizes[] = {int(A::size())..., 0};
    int leaf = 0;
    while (number >= sizes[leaf]) number -= sizes[leaf++];
    return {leaf, number};
  }
};
template <class... P> struct leaves_of_ {
  template <class... A> static auto list(std::tuple<A...>*) -> leaf_list<A...>;
  using type =
      decltype(list(static_cast<decltype(std::tuple_cat(tree::leaves(std::declval<P const&>())...))*>(nullptr)));
};

/// Numbers of arrays whose elements lie in a row.
template <class Leaves> struct pointed_at {
  void const* const* data;  // by leaf
  template <class T, int Number> ETNA_FN_INLINE T get() const {
    constexpr auto p = Leaves::leaf(Number);
    return static_cast<T const*>(data[p.leaf])[p.flat];
  }
};

/// Run the code: all is read before anything is written.
///
/// from, to   the arguments' and the results' elements, by leaf
template <class Code, class In, class Out> ETNA_FN_INLINE void run_straight(void const* const* from, void* const* to) {
  using body = lower::straight_code<Code>;
  typename body::file values;
  body::steps(values, pointed_at<In>{from}, std::make_integer_sequence<int, body::length>{});
  [&]<int... Nth>(std::integer_sequence<int, Nth...>) {
    auto store = [&]<int Number>(std::integral_constant<int, Number>) {
      constexpr auto p = Out::leaf(Number);
      static_cast<typename Out::template at<p.leaf>::value_type*>(to[p.leaf])[p.flat] =
          body::template output<Number>(values);
    };
    (store(std::integral_constant<int, Nth>{}), ...);
  }(std::make_integer_sequence<int, Out::total>{});
}

}  // namespace etna::exec
