// SPDX-License-Identifier: BSD-3-Clause
// Paths as text, written while trees are walked, and patterns that match them. Read next: path.hpp.
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
  [[maybe_unused]] constexpr bool found = [] {
    for (std::size_t k = 0; k < path_table<T>::leaves; ++k)
      if (matches(table_of_paths<T>[k], view_of(Pattern))) return true;
    return false;
  }();
#if defined(__CUDACC__)  // whose front end misspells fields; the host compiler behind it does not
  return true;
#else
  if constexpr (!found) message::fail<message::E095_no_such_path<pattern<Pattern>, T>>();
  return found;
#endif
}

}  // namespace detail
}  // namespace etna::tree
