// SPDX-License-Identifier: BSD-3-Clause
// The stage batch: examples stacked leaf by leaf along a new first axis. Read next: shard_batch.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include <etna/array/tree.hpp>

#include "batch.hpp"
#include "flow.hpp"

namespace etna::data {

namespace detail {

/// Trees of numbers and arrays can be stacked.
template <class T> consteval bool stacks() {
  if constexpr (any_array<T>) return true;
  else if constexpr (tree::number<T>) return element<T>;
  else if constexpr (tree::detail::is_std_array<T>::value) return stacks<typename T::value_type>();
  else if constexpr (tree::detail::is_tuple<T>::value || (std::is_class_v<T> && std::is_aggregate_v<T>)) {
    if constexpr (!std::is_void_v<typename tree::detail::culprit<T>::type>) return false;
    else
      return []<class... F>(std::type_identity<std::tuple<F...>>) {
        return (stacks<F>() && ... && true);
      }(std::type_identity<tree::detail::fields_of<T>>{});
  } else return false;
}

[[noreturn]] inline void rows_differ(std::size_t i) {
  message::raise<112>("batch: example " + std::to_string(i) + " of a batch has other sizes than its first");
}

/// Leaf by leaf: get(i) is the leaf, or the node, of example i.
template <extent N, class T, class Get> auto stacked(std::size_t count, Get const& get);
template <extent N, class T, extent... E, class Get>
auto stacked_arrays(std::type_identity<array<T, E...>>, std::size_t count, Get const& get) {
  array<T, E...> const& first = get(0);
  auto const shape = first.shape();
  std::array<extent, 1 + sizeof...(E)> sizes{extent(count)};
  std::copy(shape.begin(), shape.end(), sizes.begin() + 1);
  return array<T, N, E...>::build(
      [&](T* out) {
        for (std::size_t i = 0; i < count; ++i) {
          array<T, E...> const& x = get(i);
          if (x.shape() != shape) rows_differ(i);
          out = std::copy_n(x.data(), x.size(), out);
        }
      },
      sizes);
}
template <extent N, class T, class Get, std::size_t... Nth>
auto stacked_children(std::index_sequence<Nth...>, std::size_t count, Get const& get) {
  auto part = [&]<std::size_t K>(std::integral_constant<std::size_t, K>) {
    auto child = [&](std::size_t i) -> auto const& { return tree::detail::get<K>(tree::detail::children(get(i))); };
    return stacked<N, std::tuple_element_t<K, tree::detail::fields_of<T>>>(count, child);
  };
  return tree::detail::rebuild<T>(part(std::integral_constant<std::size_t, Nth>{})...);
}
template <extent N, class T, class Get> auto stacked(std::size_t count, Get const& get) {
  if constexpr (any_array<T>) return stacked_arrays<N>(std::type_identity<T>{}, count, get);
  else if constexpr (tree::number<T>)
    return array<T, N>::build(
        [&](T* out) {
          for (std::size_t i = 0; i < count; ++i) out[i] = get(i);
        },
        {extent(count)});
  else if constexpr (tree::detail::is_std_array<T>::value)
    return [&]<std::size_t... Nth>(std::index_sequence<Nth...>) {
      auto part = [&](std::size_t k) {
        return stacked<N, typename T::value_type>(count, [&](std::size_t i) -> auto const& { return get(i)[k]; });
      };
      return std::array{part(Nth)...};
    }(std::make_index_sequence<std::tuple_size_v<T>>{});
  else
    return stacked_children<N, T>(std::make_index_sequence<std::tuple_size_v<tree::detail::fields_of<T>>>{}, count,
                                  get);
}

/// The examples first, first + 1, ... of a view, stacked. What the view keeps is read where it lies.
template <extent N, class V> auto stack_of(V const& of, std::size_t first, std::size_t count) {
  using made = decltype(of[0]);
  using T = std::remove_cvref_t<made>;
  if constexpr (std::is_lvalue_reference_v<made>)
    return stacked<N, T>(count, [&](std::size_t i) -> T const& { return of[first + i]; });
  else {
    std::vector<std::array<T, 1>> all;  // not of bool itself, which would have no addresses
    all.reserve(count);
    for (std::size_t i = 0; i < count; ++i) all.push_back({of[first + i]});
    return stacked<N, T>(count, [&](std::size_t i) -> T const& { return all[i][0]; });
  }
}

template <node From, extent N> struct batched_node : behind<From> {
  std::size_t rows;
  rest last;
  static constexpr bool varies = From::varies || From::reorders, reorders = false;
  struct view {
    view_of<From> of;
    std::size_t rows, total;
    auto operator[](std::size_t i) const { return stack_of<N>(of, i * rows, std::min(rows, total - i * rows)); }
    example_key key(std::size_t i) const { return {i}; }
  };
  std::size_t size() const {
    return this->from.size() / rows + (last == rest::keep && this->from.size() % rows != 0 ? 1 : 0);
  }
  std::size_t keys() const { return size(); }
  view open(std::uint64_t epoch, std::uint64_t side) const {
    return {this->from.node().open(epoch, side), rows, this->from.size()};
  }
};

template <extent N> auto batch_stage(std::size_t rows, rest last) {
  return stage{[rows, last]<class Node>(pipeline<Node> const& from) {
    if constexpr (!stacks<typename pipeline<Node>::element>())
      message::fail<message::E161_batch_of_no_tree<typename pipeline<Node>::element>>();
    else return pipeline(batched_node<Node, N>{{from}, rows, last});
  }};
}

}  // namespace detail

/// batch<32>(): N examples as one, stacked leaf by leaf; the rest of an epoch, fewer than N, is dropped.
///
/// shape   a number -> [N], an array [e...] -> [N, e...], in any tree of them
/// errors  E161 an example is no tree of numbers and arrays (while compiling), E112 the sizes of two examples differ
/// example test/unit/data/stack.cpp  [stacks leaf by leaf]
template <extent N> requires(N > 0)
auto batch() {
  return detail::batch_stage<N>(std::size_t(N), rest::drop);
}

/// batch<"b"_n>(32): the same with a named first axis, and the rest of an epoch is a batch of its own.
///
/// errors  E111 a batch of no examples
template <extent Name> requires(Name < 0)
auto batch(std::size_t rows, rest last = rest::keep) {
  if (rows == 0) message::raise<111>("batch: of no examples");
  return detail::batch_stage<Name>(rows, last);
}

}  // namespace etna::data

#include <etna/set_back.hpp>
