// SPDX-License-Identifier: BSD-3-Clause
// Trees: arrays and numbers are leaves; tuples, pairs, std::array and plain structs are nodes, nested
// at will. Parameters of models, states of optimizers and results of functions are trees.
// Read next: path.hpp.
#pragma once
#include <concepts>
#include <string>
#include <utility>

#include "fields.hpp"

namespace etna {

/// A struct S whose leaves have changed type (batched, or gradients of another kind): the fields in
/// S's order, reached by get<&S::w1>(). A vmapped function pours them back into S.
template <class S, class... F> struct like {
  std::tuple<F...> fields;
  template <auto Member> constexpr auto& get() { return std::get<tree::detail::field_index<Member, S>()>(fields); }
  template <auto Member> constexpr auto const& get() const {
    return std::get<tree::detail::field_index<Member, S>()>(fields);
  }
  /// Not the struct itself: this says so.
  constexpr operator S() const noexcept(message::at_use<message::E056_tree_of_other_leaves<S, F...>>) {
    message::fail<message::E056_tree_of_other_leaves<S, F...>>();
    return {};
  }
};

namespace tree {

template <class T> concept number = is_number<std::remove_cvref_t<T>>;
template <class T> concept leaf = any_array<T> || number<T>;
/// What may be a tree; where one of its fields is none, E023 says which.
template <class T> concept any_tree = std::copyable<T> && (leaf<T> || std::is_class_v<T>);

namespace detail {

template <class T> struct is_std_array : std::false_type {};
template <class T, std::size_t N> struct is_std_array<std::array<T, N>> : std::true_type {};
template <class T> struct is_tuple : std::false_type {};
template <class... T> struct is_tuple<std::tuple<T...>> : std::true_type {};
template <class A, class B> struct is_tuple<std::pair<A, B>> : std::true_type {};
template <class T> struct is_like : std::false_type {};
template <class S, class... F> struct is_like<like<S, F...>> : std::true_type {};

// (std::apply would be four more functions for each tuple.)
template <class T, std::size_t... Nth> constexpr auto tuple_children(T& x, std::index_sequence<Nth...>) {
  return detail::tie(std::get<Nth>(x)...);
}
/// References to the children of a node (not for std::array, which is looped over).
template <class T> constexpr auto children(T& x) {
  using U = std::remove_const_t<T>;
  if constexpr (is_tuple<U>::value) return tuple_children(x, std::make_index_sequence<std::tuple_size_v<U>>{});
  else if constexpr (is_like<U>::value) return children(x.fields);
  else if constexpr (verdict_of<U> == verdict::fine) return tie_fields(x);
  else {
    if constexpr (verdict_of<U> == verdict::too_many) message::fail<message::E024_too_many_fields<U>>();
    else if constexpr (!is_std_array<U>::value) message::fail<message::E023_not_a_leaf<U>>();
    return refs<>{};
  }
}

// A node of the kind of T with other children.
template <class T, class... F> struct rebuilt {
  using type = like<T, F...>;
};
template <template <class...> class S, class... A, class... F> requires(sizeof...(A) == sizeof...(F))
struct rebuilt<S<A...>, F...> {
  template <class X> static constexpr bool same_order() {
    return std::is_same_v<decltype(children(std::declval<X&>())), refs<A...>>;
  }
  static auto pick() {
    if constexpr (same_order<S<A...>>()) return std::type_identity<S<F...>>{};
    else return std::type_identity<like<S<A...>, F...>>{};
  }
  using type = typename decltype(pick())::type;
};
template <class S, class... G, class... F> struct rebuilt<like<S, G...>, F...> : rebuilt<S, F...> {};

template <class T> struct field_types;
template <class S, class... F> struct field_types<refs_<S, F...>> {
  using type = std::tuple<std::remove_const_t<F>...>;
};
template <class T> using fields_of = typename field_types<decltype(children(std::declval<T&>()))>::type;

template <class T> struct origin {
  using type = T;
};
template <class S, class... F> struct origin<like<S, F...>> {
  using type = S;
};

// Elements in the place of those of the std::array S: another, unless they differ in type.
template <class S, class... F> constexpr auto as_array_of(F&&... f) {
  using first = std::tuple_element_t<0, std::tuple<std::remove_cvref_t<F>...>>;
  if constexpr ((std::is_same_v<std::remove_cvref_t<F>, first> && ...))
    return std::array<first, sizeof...(F)>{std::forward<F>(f)...};
  else return like<S, std::remove_cvref_t<F>...>{std::tuple<std::remove_cvref_t<F>...>{std::forward<F>(f)...}};
}
template <class T, class... F> constexpr auto rebuild(F&&... f) {
  if constexpr (is_tuple<T>::value) {
    if constexpr (requires { typename T::first_type; }) return std::pair{std::forward<F>(f)...};
    else return std::tuple<std::remove_cvref_t<F>...>{std::forward<F>(f)...};
  } else {
    using S = typename origin<T>::type;
    if constexpr (is_std_array<S>::value) return as_array_of<S>(std::forward<F>(f)...);
    else if constexpr (std::is_same_v<fields_of<S>, std::tuple<std::remove_cvref_t<F>...>>)
      return S{std::forward<F>(f)...};
    else {
      using R = typename rebuilt<T, std::remove_cvref_t<F>...>::type;
      if constexpr (is_like<R>::value) return R{std::tuple<std::remove_cvref_t<F>...>{std::forward<F>(f)...}};
      else return R{std::forward<F>(f)...};
    }
  }
}

template <class A, class B> constexpr bool same_structure() {
  using X = std::remove_cvref_t<A>;
  using Y = std::remove_cvref_t<B>;
  if constexpr (leaf<X> || leaf<Y>) return leaf<X> && leaf<Y>;
  else if constexpr (is_std_array<X>::value || is_std_array<Y>::value) {
    if constexpr (is_std_array<X>::value && is_std_array<Y>::value)
      return std::tuple_size_v<X> == std::tuple_size_v<Y> &&
             same_structure<typename X::value_type, typename Y::value_type>();
    else return false;
  } else {
    using F = fields_of<X>;
    using G = fields_of<Y>;
    if constexpr (std::tuple_size_v<F> != std::tuple_size_v<G>) return false;
    else
      return []<std::size_t... Nth>(std::index_sequence<Nth...>) {
        return (same_structure<std::tuple_element_t<Nth, F>, std::tuple_element_t<Nth, G>>() && ...);
      }(std::make_index_sequence<std::tuple_size_v<F>>{});
  }
}

// Made with braces, so that children are visited in order; a call's arguments are not.
template <class T, class... R> struct in_order {
  decltype(rebuild<T>(std::declval<R>()...)) r;
  constexpr in_order(R&&... child) : r(rebuild<T>(std::forward<R>(child)...)) {}
};

template <std::size_t Nth, class F, class... C> constexpr auto map_child(F& f, C const&... children_of_each);

template <class U, std::size_t... Nth, class F, class... C>
constexpr auto map_children(std::index_sequence<Nth...>, F& f, C const&... c);

template <class F, class T, class... More> constexpr auto map_(F& f, T& t, More&... more) {
  using U = std::remove_const_t<T>;
  if constexpr (leaf<U>) return f(t, more...);
  else if constexpr (is_std_array<U>::value) {
    return [&]<std::size_t... Nth>(std::index_sequence<Nth...>) {
      using R = decltype(map_(f, t[0], more[0]...));
      auto at = [&](std::size_t i) { return map_(f, t[i], more[i]...); };  // not more[Nth]...: both packs would run
      return std::array<R, sizeof...(Nth)>{at(Nth)...};
    }(std::make_index_sequence<std::tuple_size_v<U>>{});
  } else {
    return map_children<U>(std::make_index_sequence<decltype(children(t))::size>{}, f, children(t), children(more)...);
  }
}
template <std::size_t Nth, class F, class... C> constexpr auto map_child(F& f, C const&... c) {
  return map_(f, get<Nth>(c)...);
}
template <class U, std::size_t... Nth, class F, class... C>
constexpr auto map_children(std::index_sequence<Nth...>, F& f, C const&... c) {
  return in_order<U, decltype(map_child<Nth>(f, c...))...>{map_child<Nth>(f, c...)...}.r;
}

template <class F, std::size_t... Nth, class... T>
constexpr void visit_children(F& f, refs_<std::index_sequence<Nth...>, T...> const& c);
template <class F, class T> constexpr void visit(F& f, T& t) {
  using U = std::remove_const_t<T>;
  if constexpr (leaf<U>) f(t);
  else if constexpr (is_std_array<U>::value)
    for (auto& x : t) visit(f, x);
  else visit_children(f, children(t));
}
template <class F, std::size_t... Nth, class... T>
constexpr void visit_children(F& f, refs_<std::index_sequence<Nth...>, T...> const& c) {
  (visit(f, get<Nth>(c)), ...);
}

template <class F, class T> void visit_path(F& f, T& t, std::string const& path) {
  using U = std::remove_const_t<T>;
  auto join = [&](std::string const& name) { return path.empty() ? name : name.empty() ? path : path + "." + name; };
  if constexpr (leaf<U>) f(path, t);
  else if constexpr (is_std_array<U>::value) {
    for (std::size_t i = 0; i < t.size(); ++i) visit_path(f, t[i], join(std::to_string(i)));
  } else {
    [&]<std::size_t... Nth>(std::index_sequence<Nth...>) {
      [[maybe_unused]] auto name = [&]<std::size_t J>(std::integral_constant<std::size_t, J>) {
        using S = typename origin<U>::type;
        if constexpr (is_tuple<S>::value || is_std_array<S>::value) return std::to_string(J);
        else return std::string(field_name<S, J>());
      };
      (visit_path(f, get<Nth>(children(t)), join(name(std::integral_constant<std::size_t, Nth>{}))), ...);
    }(std::make_index_sequence<decltype(children(t))::size>{});
  }
}

}  // namespace detail

namespace detail {
/// The first type in a tree that is neither leaf nor node; void where there is none.
template <class T> struct culprit {
  template <class... F> static constexpr auto among(std::type_identity<std::tuple<F...>>) { return first<F...>(); }
  template <class... F> static constexpr auto first() {
    if constexpr (sizeof...(F) == 0) return std::type_identity<void>{};
    else
      return []<class X, class... More>(std::type_identity<std::tuple<X, More...>>) {
        if constexpr (leaf<X>) return first<More...>();
        else if constexpr (std::is_void_v<typename culprit<X>::type>) return first<More...>();
        else return std::type_identity<typename culprit<X>::type>{};
      }(std::type_identity<std::tuple<F...>>{});
  }
  static constexpr auto find() {
    if constexpr (leaf<T>) return std::type_identity<void>{};
    else if constexpr (is_std_array<T>::value)
      return std::type_identity<typename culprit<typename T::value_type>::type>{};
    else if constexpr (is_tuple<T>::value || is_like<T>::value || verdict_of<T> == verdict::fine)
      return among(std::type_identity<fields_of<T>>{});
    else return std::type_identity<T>{};
  }
  using type = typename decltype(find())::type;
};
}  // namespace detail

/// Apply f to the leaves of trees of one structure, and build the tree of its results.
///
/// errors  E022 the trees differ in structure, E023 something is neither leaf nor node
template <class F, class T, class... More> constexpr auto map(F&& f, T const& t, More const&... more) {
  using no_tree = typename detail::culprit<T>::type;
  if constexpr (!std::is_void_v<no_tree>) {
    if constexpr (detail::verdict_of<no_tree> == detail::verdict::too_many)
      message::fail<message::E024_too_many_fields<no_tree>>();
    else message::fail<message::E023_not_a_leaf<no_tree>>();
    return t;
  } else if constexpr (!(detail::same_structure<T, More>() && ... && true)) {
    message::fail<message::E022_trees_differ<T, More...>>();
    return t;
  } else return detail::map_(f, t, more...);
}

/// Call f(leaf) for every leaf, in order; leaves of a non-const tree may be changed.
template <class F, class T> constexpr void for_each(F&& f, T& t) { detail::visit(f, t); }

/// Call f(path, leaf) for every leaf; a path is "layers.0.w".
template <class T, class F> void for_each_with_path(T& t, F&& f) { detail::visit_path(f, t, ""); }

/// Number of leaves.
template <class T> constexpr int size() {
  using U = std::remove_cvref_t<T>;
  if constexpr (leaf<U>) return 1;
  else if constexpr (detail::is_std_array<U>::value) return int(std::tuple_size_v<U>) * size<typename U::value_type>();
  else
    return []<class... F>(std::type_identity<std::tuple<F...>>) {
      return (size<F>() + ... + 0);
    }(std::type_identity<detail::fields_of<U>>{});
}

/// The leaves as a tuple of copies.
template <class T> constexpr auto leaves(T const& t) {
  using U = std::remove_cvref_t<T>;
  if constexpr (leaf<U>) return std::tuple<U>{t};
  else if constexpr (detail::is_std_array<U>::value)
    return std::apply([](auto const&... x) { return std::tuple_cat(tree::leaves(x)...); }, t);
  else
    return []<std::size_t... Nth, class... C>(detail::refs_<std::index_sequence<Nth...>, C...> const& c) {
      return std::tuple_cat(tree::leaves(detail::get<Nth>(c))...);
    }(detail::children(t));
}

/// The structure of a tree without its leaves: what unflatten needs.
template <class T> struct structure {
  using type = T;
};

/// The leaves of a tree, and its structure.
template <class T> constexpr auto flatten(T const& t) { return std::pair{leaves(t), structure<T>{}}; }

namespace detail {
/// A T whose leaves are those of the tuple from number At on.
template <class T, int At, class L> constexpr T pour(L const& l) {
  if constexpr (leaf<T>) return T(std::get<std::size_t(At)>(l));
  else if constexpr (is_std_array<T>::value)
    return [&]<int... Nth>(std::integer_sequence<int, Nth...>) {
      using V = typename T::value_type;
      return T{pour<V, At + Nth * tree::size<V>()>(l)...};
    }(std::make_integer_sequence<int, int(std::tuple_size_v<T>)>{});
  else
    return [&]<class... C, std::size_t... Nth>(std::type_identity<std::tuple<C...>>, std::index_sequence<Nth...>) {
      constexpr auto before = [](std::size_t i) {
        int n = 0;
        std::size_t k = 0;
        ((k++ < i ? n += tree::size<C>() : 0), ...);
        return n;
      };
      return rebuild<T>(pour<C, At + before(Nth)>(l)...);
    }(std::type_identity<fields_of<T>>{}, std::make_index_sequence<std::tuple_size_v<fields_of<T>>>{});
}
}  // namespace detail

/// A tree of this structure with other leaves.
///
/// errors  E022 another number of leaves, E002, E003, E034 a leaf of another type
template <class T, class... L> constexpr T unflatten(structure<T>, std::tuple<L...> const& l) {
  if constexpr (sizeof...(L) != std::size_t(tree::size<T>())) {
    message::fail<message::E022_trees_differ<T, std::tuple<L...>>>();
    return T{};
  } else return detail::pour<T, 0>(l);
}

namespace detail {
template <class F, class Init> constexpr Init fold(F&, Init init) { return init; }
template <class F, class Init, class X, class... More>
constexpr auto fold(F& f, Init init, X const& x, More const&... more) {
  return fold(f, f(init, x), more...);
}
}  // namespace detail

/// f(f(f(init, leaf), leaf), ...) over all leaves in order; the type may change on the way.
template <class F, class T, class Init> constexpr auto reduce(F&& f, T const& t, Init init) {
  return std::apply([&](auto const&... x) { return detail::fold(f, init, x...); }, tree::leaves(t));
}

/// Whether the predicate holds for all leaves.
template <class F, class T> constexpr bool all(F&& f, T const& t) {
  bool yes = true;
  auto one = [&](auto const& x) { yes = yes && bool(f(x)); };
  detail::visit(one, t);
  return yes;
}

}  // namespace tree
}  // namespace etna
