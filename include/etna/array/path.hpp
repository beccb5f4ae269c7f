// SPDX-License-Identifier: BSD-3-Clause
// Paths of leaves as constants, "blocks.3.attention.query.kernel": names of fields, numbers of elements. Read next:
// partition.hpp.
#pragma once
#include "fixed_string.hpp"
#include "tree.hpp"

namespace etna::tree {

namespace detail {

/// Letters of a path while trees are walked; what is longer is cut.
struct path_writer {
  static constexpr int most = 512;
  char text[most]{};
  int n = 0;
  constexpr void letter(char c) {
    if (n < most) text[n++] = c;
  }
  /// Behind what is there; as long as it was comes back, for `n` to return to.
  constexpr int push(std::string_view name) {
    int const before = n;
    if (n > 0 && !name.empty()) letter('.');
    for (char c : name) letter(c);
    return before;
  }
  constexpr int push(std::size_t number) {
    char digits[24]{};
    int at = 24;
    do digits[--at] = char('0' + number % 10);
    while ((number /= 10) > 0);
    return push({digits + at, std::size_t(24 - at)});
  }
  constexpr std::string_view view() const { return {text, std::size_t(n)}; }
};

/// The name of a node's child.
template <class T, std::size_t Nth> constexpr int push_child(path_writer& to) {
  using S = typename origin<T>::type;
  if constexpr (is_tuple<S>::value || is_std_array<S>::value) return to.push(Nth);
  else return to.push(field_name<S, Nth>());
}
/// f(text, type) for each leaf's path, in order.
template <class T, class F> constexpr void each_path(path_writer& at, F& f) {
  if constexpr (leaf<T>) f(at.view(), std::type_identity<T>{});
  else if constexpr (is_std_array<T>::value) {
    for (std::size_t i = 0; i < std::tuple_size_v<T>; ++i) {
      int const before = at.push(i);
      each_path<typename T::value_type>(at, f);
      at.n = before;
    }
  } else {
    auto child = [&]<std::size_t Nth>(std::integral_constant<std::size_t, Nth>) {
      int const before = push_child<T, Nth>(at);
      each_path<std::tuple_element_t<Nth, fields_of<T>>>(at, f);
      at.n = before;
    };
    [&]<std::size_t... Nth>(std::index_sequence<Nth...>) {
      (child(std::integral_constant<std::size_t, Nth>{}), ...);
    }(std::make_index_sequence<std::tuple_size_v<fields_of<T>>>{});
  }
}

template <class T> constexpr std::size_t letters_of_paths() {
  std::size_t n = 0;
  path_writer at;
  auto count = [&](std::string_view path, auto) { n += path.size(); };
  each_path<T>(at, count);
  return n;
}
/// All paths behind one another, and where each begins.
template <class T> struct path_table {
  static constexpr std::size_t leaves = std::size_t(tree::size<T>());
  char text[letters_of_paths<T>() + 1]{};
  std::size_t begin[leaves + 1]{};
  constexpr path_table() {
    std::size_t n = 0, k = 0;
    path_writer at;
    auto put = [&](std::string_view path, auto) {
      for (char c : path) text[n++] = c;
      begin[++k] = n;
    };
    each_path<T>(at, put);
  }
  constexpr std::string_view operator[](std::size_t k) const { return {text + begin[k], begin[k + 1] - begin[k]}; }
};
template <class T> inline constexpr path_table<T> table_of_paths{};

/// Does the pattern, in which * stands for any letters, match all of the text?
constexpr bool matches(std::string_view text, std::string_view pattern) {
  std::size_t t = 0, p = 0, star = pattern.npos, from = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      from = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (star != pattern.npos) {
      p = star + 1;
      t = ++from;
    } else return false;
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}
template <std::size_t N> constexpr std::string_view view_of(fixed_string<N> const& s) { return {s.text, N - 1}; }

/// Does the pattern match the path of a leaf of T whose type is Leaf?
template <class T, fixed_string Pattern, class Leaf> constexpr bool matches_one() {
  bool found = false;
  path_writer at;
  auto look = [&]<class L>(std::string_view path, std::type_identity<L>) {
    if constexpr (std::is_same_v<L, Leaf>) found = found || matches(path, view_of(Pattern));
  };
  each_path<T>(at, look);
  return found;
}
/// A pattern, as the compiler names it.
template <fixed_string> struct pattern;
/// Is there a leaf of T that the pattern matches? Otherwise the compiler stops with the reason.
template <class T, fixed_string Pattern> constexpr bool require_match() {
  constexpr bool found = [] {
    for (std::size_t k = 0; k < path_table<T>::leaves; ++k)
      if (matches(table_of_paths<T>[k], view_of(Pattern))) return true;
    return false;
  }();
  if constexpr (!found) message::fail<message::E095_no_such_path<pattern<Pattern>, T>>();
  return found;
}

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

}  // namespace detail

namespace detail {
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
/// source  JAX tree_util.keystr
///
/// errors  E068 a struct's list of names has not one for each field
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
