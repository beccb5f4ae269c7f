// SPDX-License-Identifier: BSD-3-Clause
// Paths of leaves as constants, "blocks.3.attention.query.kernel": names of fields, numbers of elements. Read next:
// partition.hpp.
#pragma once
#include "path_text.hpp"

namespace etna::tree {

namespace detail {

/// The type of leaf number Nth of T.
template <class T, std::size_t Nth> constexpr auto leaf_at() {
  if constexpr (leaf<T>) return std::type_identity<T>{};
  else if constexpr (is_std_array<T>::value)
    return leaf_at<typename T::value_type, Nth % std::size_t(tree::size<typename T::value_type>())>();
  else
    return []<class First, class... More>(std::type_identity<std::tuple<First, More...>>) {
      constexpr std::size_t n = std::size_t(tree::size<First>());
      if constexpr (Nth < n) return leaf_at<First, Nth>();
      else return leaf_at<std::tuple<More...>, Nth - n>();
    }(std::type_identity<fields_of<T>>{});
}

template <class S> constexpr bool are_too_few() {
  if constexpr (has_names<S>) return S::names.size != field_count<S>;
  else return false;
}
template <class T> constexpr auto find_misnamed();
template <class First, class... More> constexpr auto first_misnamed() {
  auto found = find_misnamed<First>();
  if constexpr (sizeof...(More) == 0 || !std::is_same_v<decltype(found), std::type_identity<void>>) return found;
  else return first_misnamed<More...>();
}
/// The first struct in T whose list of names has not one for each field; void where there is none.
template <class T> constexpr auto find_misnamed() {
  if constexpr (leaf<T>) return std::type_identity<void>{};
  else if constexpr (is_std_array<T>::value) return find_misnamed<typename T::value_type>();
  else if constexpr (are_too_few<typename origin<T>::type>()) return std::type_identity<typename origin<T>::type>{};
  else
    return []<class... F>(std::type_identity<std::tuple<F...>>) {
      if constexpr (sizeof...(F) == 0) return std::type_identity<void>{};
      else return first_misnamed<F...>();
    }(std::type_identity<fields_of<T>>{});
}
}  // namespace detail

/// The paths of T's leaves, in order: constants, "blocks.3.attention.query.kernel". A field has its name, an element
/// of a std::array, tuple or pair its number; the path of a leaf that is the whole tree is empty.
///
/// errors  E068 a struct's list of names has not one for each field
/// source  JAX tree_util.keystr
template <class T> constexpr auto paths() {
  using misnamed = typename decltype(detail::find_misnamed<T>())::type;
  if constexpr (!std::is_void_v<misnamed>) {
    message::fail<message::E068_names_of_fields<misnamed>>();
    return std::array<std::string_view, 0>{};
  } else
    return []<std::size_t... Nth>(std::index_sequence<Nth...>) {
      return std::array<std::string_view, sizeof...(Nth)>{detail::table_of_paths<T>[Nth]...};
    }(std::make_index_sequence<detail::path_table<T>::leaves>{});
}

/// The path of leaf number Nth of the tree Root: an object without state whose answers are constants, so that
/// `if constexpr (path.matches("*.kernel"))` works where it is a parameter, `[](auto path, auto const& leaf)`.
///
/// leaf    the leaf's type
template <class Root, int Nth> struct path {
  using leaf = typename decltype(detail::leaf_at<Root, std::size_t(Nth)>())::type;
  static constexpr std::string_view text() { return detail::table_of_paths<Root>[std::size_t(Nth)]; }
  constexpr operator std::string_view() const { return text(); }
  static constexpr bool starts_with(std::string_view s) { return text().starts_with(s); }
  static constexpr bool ends_with(std::string_view s) { return text().ends_with(s); }
  /// Is all of it as the pattern says, in which * stands for any letters?
  static constexpr bool matches(std::string_view pattern) { return detail::matches(text(), pattern); }
  friend constexpr bool operator==(path, std::string_view s) { return text() == s; }
};

namespace detail {
template <class T, std::size_t Nth> constexpr auto child_at() {
  if constexpr (is_std_array<T>::value) return std::type_identity<typename T::value_type>{};
  else return std::type_identity<std::tuple_element_t<Nth, fields_of<T>>>{};
}
template <class T, std::size_t Nth> using child_type = typename decltype(child_at<T, Nth>())::type;
template <class T> constexpr std::size_t count_children() {
  if constexpr (is_std_array<T>::value) return std::tuple_size_v<T>;
  else return std::tuple_size_v<fields_of<T>>;
}
template <class T> inline constexpr std::size_t child_count = count_children<T>();
template <std::size_t Nth, class T> constexpr auto& child(T& t) {
  if constexpr (is_std_array<std::remove_const_t<T>>::value) return t[Nth];
  else return get<Nth>(children(t));
}
/// How many leaves come before child Nth.
template <class T, std::size_t Nth> constexpr int leaves_before() {
  if constexpr (Nth == 0) return 0;
  else return leaves_before<T, Nth - 1>() + tree::size<child_type<T, Nth - 1>>();
}
template <class Root, int At, class F, class T, class... More> constexpr auto map_path(F& f, T& t, More&... more) {
  using U = std::remove_const_t<T>;
  if constexpr (leaf<U>) return f(path<Root, At>{}, t, more...);
  else
    return [&]<std::size_t... Nth>(std::index_sequence<Nth...>) {
      auto one = [&]<std::size_t K>(std::integral_constant<std::size_t, K>) {
        return map_path<Root, At + leaves_before<U, K>()>(f, child<K>(t), child<K>(more)...);
      };
      return in_order<U, decltype(one(std::integral_constant<std::size_t, Nth>{}))...>{
          one(std::integral_constant<std::size_t, Nth>{})...}
          .r;
    }(std::make_index_sequence<child_count<U>>{});
}
}  // namespace detail

/// Apply f(path, leaf, more...) to the leaves of trees of one structure, and build the tree of its results. The path is
/// that of the first tree, as tree::path; take it by value, [](auto path, auto const& leaf).
///
/// errors  E022 the trees differ in structure, E023 something is neither leaf nor node
/// source  JAX tree.map_with_path
template <class F, class T, class... More> constexpr auto map_with_path(F&& f, T const& t, More const&... more) {
  using no_tree = typename detail::culprit<T>::type;
  if constexpr (!std::is_void_v<no_tree>) return tree::map(f, t);  // says what is wrong
  else if constexpr (!(detail::same_structure<T, More>() && ... && true)) {
    message::fail<message::E022_trees_differ<T, More...>>();
    return t;
  } else return detail::map_path<T, 0>(f, t, more...);
}

}  // namespace etna::tree
