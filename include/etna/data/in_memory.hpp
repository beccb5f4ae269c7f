// SPDX-License-Identifier: BSD-3-Clause
// Data sets that lie in memory: vectors, spans and arrays, side by side along their first axis.
// Read next: pipeline.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include <etna/array/array.hpp>

#include "flow.hpp"

namespace etna::data {

namespace detail {

/// Elements one behind the other (a vector, a span) as rows of a shape.
template <class Elements, extent... E> struct flat_rows {
  using T = std::remove_cvref_t<decltype(std::declval<Elements const&>()[0])>;
  static constexpr std::size_t width = std::size_t((E * ... * extent(1)));
  Elements elements;
  std::size_t size() const { return elements.size() / width; }
  array<T, E...> operator[](std::size_t i) const {
    return array<T, E...>::build([&](T* out) { std::copy_n(elements.data() + i * width, width, out); });
  }
};

/// The rows of an array: arrays of one axis less, or numbers.
template <class A> struct array_rows;
template <class T, extent N, extent... E> struct array_rows<array<T, N, E...>> {
  array<T, N, E...> all;
  std::size_t size() const { return std::size_t(all.shape()[0]); }
  auto operator[](std::size_t i) const {
    if constexpr (sizeof...(E) == 0) return T(all.data()[i]);
    else {
      auto const shape = all.shape();
      std::array<extent, sizeof...(E)> sizes;
      std::copy(shape.begin() + 1, shape.end(), sizes.begin());
      std::size_t width = 1;
      for (extent n : sizes) width *= std::size_t(n);
      return array<T, E...>::build([&](T* out) { std::copy_n(all.data() + i * width, width, out); }, sizes);
    }
  }
};

template <class X> auto column(X&& x) {
  using U = std::remove_cvref_t<X>;
  if constexpr (any_array<U>) return array_rows<U>{std::forward<X>(x)};
  else return U(std::forward<X>(x));
}
template <class X> concept column_like =
    (any_array<X> && std::remove_cvref_t<X>::rank > 0) || set_of_examples<std::remove_cvref_t<X>>;

/// Columns side by side: an example is a tuple.
template <class... C> struct zipped {
  std::tuple<C...> columns_;
  std::size_t size() const { return std::get<0>(columns_).size(); }
  auto operator[](std::size_t i) const {
    return std::apply([&](auto const&... c) { return std::tuple<std::remove_cvref_t<decltype(c[i])>...>{c[i]...}; },
                      columns_);
  }
};

}  // namespace detail

/// Numbers one behind the other: a vector, a span.
template <class X> concept contiguous_elements = requires(std::remove_cvref_t<X> const& x) {
  { x.size() } -> std::convertible_to<std::size_t>;
  requires element<std::remove_cvref_t<decltype(x.data()[0])>>;
};

/// rows<28, 28, 1>(bytes): a vector or a span of numbers as rows of this shape. A vector is moved or copied here, a
/// span is read where it lies.
///
/// errors  E111 the elements are no whole number of rows
template <extent... E, contiguous_elements Elements> requires((E > 0) && ... && true)
auto rows(Elements&& elements) {
  using R = detail::flat_rows<std::remove_cvref_t<Elements>, E...>;
  if (elements.size() % R::width != 0)
    message::raise<111>("rows: " + std::to_string(elements.size()) + " elements are no rows of " +
                        std::to_string(R::width));
  return R{std::forward<Elements>(elements)};
}

/// A data set of what is in memory: example i is the tuple of the rows i of all; of one alone, its row. Columns are
/// arrays (rows along the first axis), vectors, spans, rows<...>(...), and other data sets. Vectors are moved or copied
/// here, arrays share their memory, spans are read where they lie.
///
/// errors  E111 they have different numbers of rows
/// example test/unit/data/in_memory.cpp  [rows side by side]
template <detail::column_like First, detail::column_like... More> auto in_memory(First&& first, More&&... more) {
  auto set = [&] {
    if constexpr (sizeof...(More) == 0) return detail::column(std::forward<First>(first));
    else
      return detail::zipped<decltype(detail::column(std::forward<First>(first))),
                            decltype(detail::column(std::forward<More>(more)))...>{
          {detail::column(std::forward<First>(first)), detail::column(std::forward<More>(more))...}};
  }();
  if constexpr (sizeof...(More) > 0)
    std::apply(
        [&](auto const&... c) {
          for (std::size_t n : {std::size_t(c.size())...})
            if (n != set.size())
              message::raise<111>("in_memory: " + std::to_string(n) + " rows beside " + std::to_string(set.size()));
        },
        set.columns_);
  return from_set(std::move(set));
}

}  // namespace etna::data

#include <etna/set_back.hpp>
