// SPDX-License-Identifier: BSD-3-Clause
// A tree in two parts, by the paths of its leaves, and together again: parameters that are trained and those that are
// not. Read next: print.hpp.
#pragma once
#include "path.hpp"

namespace etna::tree {

/// What stands in a part for a leaf, or a node, of the other part: a node without leaves.
using nothing = std::tuple<>;

namespace detail {

/// A node of T's kind with these children: T where they are its own.
template <class T, class... F> constexpr auto node_of(F&&... f) {
  using S = typename origin<T>::type;
  if constexpr (is_tuple<S>::value || is_std_array<S>::value) return rebuild<S>(std::forward<F>(f)...);
  else if constexpr (std::is_same_v<fields_of<S>, std::tuple<std::remove_cvref_t<F>...>>)
    return S{std::forward<F>(f)...};
  else return like<S, std::remove_cvref_t<F>...>{std::tuple<std::remove_cvref_t<F>...>{std::forward<F>(f)...}};
}
template <class T, class... F> struct node_in_order {
  decltype(node_of<T>(std::declval<F>()...)) r;
  constexpr node_in_order(F&&... f) : r(node_of<T>(std::forward<F>(f)...)) {}
};

// A predicate of paths: captureless, so that it answers while compiling.
template <fixed_string... Pattern> struct by_pattern {
  template <class P> constexpr bool operator()(P p) const { return (p.matches(view_of(Pattern)) || ...); }
};
template <class Root, int Nth, class Pick> constexpr bool is_picked = bool(Pick{}(path<Root, Nth>{}));
/// How many of the n leaves from number At on are picked?
template <class Root, class Pick, int At, int... Nth> constexpr int picked(std::integer_sequence<int, Nth...>) {
  return (int(is_picked<Root, At + Nth, Pick>) + ... + 0);
}

template <class Root, int At, class Pick, bool Picked, class T> constexpr auto part(T const& t) {
  constexpr int leaves = tree::size<T>(), in = picked<Root, Pick, At>(std::make_integer_sequence<int, leaves>{});
  if constexpr (leaves > 0 && in == (Picked ? 0 : leaves)) return nothing{};
  else if constexpr (in == (Picked ? leaves : 0)) return t;
  else
    return [&]<std::size_t... Nth>(std::index_sequence<Nth...>) {
      return node_in_order<T, decltype(part<Root, At + leaves_before<T, Nth>(), Pick, Picked>(child<Nth>(t)))...>{
          part<Root, At + leaves_before<T, Nth>(), Pick, Picked>(child<Nth>(t))...}
          .r;
    }(std::make_index_sequence<child_count<T>>{});
}

/// Nowhere a leaf in both, and nodes of as many children.
template <class A, class B> constexpr bool go_together() {
  if constexpr (std::is_same_v<A, nothing> || std::is_same_v<B, nothing>) return true;
  else if constexpr (leaf<A> || leaf<B>) return false;
  else if constexpr (child_count<A> != child_count<B>) return false;
  else
    return []<std::size_t... Nth>(std::index_sequence<Nth...>) {
      return (go_together<child_type<A, Nth>, child_type<B, Nth>>() && ... && true);
    }(std::make_index_sequence<child_count<A>>{});
}
template <class A, class B> constexpr auto combined(A const& a, B const& b) {
  if constexpr (std::is_same_v<B, nothing>) return a;
  else if constexpr (std::is_same_v<A, nothing>) return b;
  else
    return [&]<std::size_t... Nth>(std::index_sequence<Nth...>) {
      return node_in_order<A, decltype(combined(child<Nth>(a), child<Nth>(b)))...>{
          combined(child<Nth>(a), child<Nth>(b))...}
          .r;
    }(std::make_index_sequence<child_count<A>>{});
}

}  // namespace detail

/// The leaves whose path f accepts, and the others: two trees, in each of which tree::nothing stands for the leaves of
/// the other. Both are trees like any other: auto [trained, frozen] = tree::partition(f, p), grad with respect to
/// `trained`, and tree::combine(trained, frozen) in the loss.
///
/// f       of a tree::path alone, and without captures: [](auto path) { return path.starts_with("head"); }
/// errors  E023 something is neither leaf nor node
/// source  Equinox partition
template <class F, class T> constexpr auto partition(F, T const& t) {
  return std::pair{detail::part<T, 0, F, true>(t), detail::part<T, 0, F, false>(t)};
}
/// The same by patterns, one of which a path matches: partition<"head.*", "*.bias">(p).
///
/// errors  E095 a pattern matches no path
template <fixed_string... Pattern, class T> requires(sizeof...(Pattern) > 0)
constexpr auto partition(T const& t) {
  if constexpr ((detail::require_match<T, Pattern>() && ...)) return partition(detail::by_pattern<Pattern...>{}, t);
  else return std::pair{t, nothing{}};
}

/// The first of the two trees of partition.
///
/// source  Equinox filter
template <class F, class T> constexpr auto filter(F, T const& t) { return detail::part<T, 0, F, true>(t); }
template <fixed_string... Pattern, class T> requires(sizeof...(Pattern) > 0)
constexpr auto filter(T const& t) {
  return partition<Pattern...>(t).first;
}

/// One tree of parts: of each leaf, the one that is there. Of what partition made, the tree that it was made of.
///
/// errors  E022 the trees differ in structure, or a leaf is in two of them
/// source  Equinox combine
template <class A, class... More> constexpr auto combine(A const& a, More const&... more) {
  if constexpr (sizeof...(More) == 0) return a;
  else
    return [&]<class B, class... Rest>(B const& b, Rest const&... rest) {
      if constexpr (!detail::go_together<A, B>()) {
        message::fail<message::E022_trees_differ<A, B>>();
        return a;
      } else return tree::combine(detail::combined(a, b), rest...);
    }(more...);
}

}  // namespace etna::tree
