// SPDX-License-Identifier: BSD-3-Clause
// The fields of a plain struct, found by structured bindings: how many, references to them, and
// their names. What cannot be a struct of leaves is told apart here. Read next: tree.hpp.
#pragma once
#include <string_view>
#include <tuple>

#include "array.hpp"

namespace etna::tree {

/// Names of a struct's fields, in their order, where paths shall have others than the fields: a member
/// `static constexpr auto names = tree::names("kernel", "bias")`. An empty name is left out of paths.
///
/// errors  E068 another number of names than fields
template <std::size_t N> struct name_list {
  std::string_view text[N];
  static constexpr std::size_t size = N;
};
template <class... S> constexpr auto names(S const&... s) { return name_list<sizeof...(S)>{{s...}}; }

namespace detail {
template <class T> struct is_name_list : std::false_type {};
template <std::size_t N> struct is_name_list<name_list<N> const> : std::true_type {};
template <class S> concept has_names = is_name_list<decltype(S::names)>::value;
}  // namespace detail
}  // namespace etna::tree

namespace etna::tree::detail {

// Stand-ins for initialisers: each converts to some kinds of field only.
template <class S> struct any_field {
  template <class T> requires(!std::is_same_v<T, S> && !std::is_base_of_v<T, S>)
  operator T() const;
};
template <class S> struct any_base {
  template <class T> requires(!std::is_same_v<T, S> && std::is_base_of_v<T, S>)
  operator T() const;
};
struct any_lvalue {
  template <class T> operator T&() const;
};
struct any_number {
  template <class T> requires(is_number<T>)
  operator T() const;
};
struct any_leaf {
  template <class T> requires(is_array_<T>::value)
  operator T() const;
};
struct any_node {
  template <class T> requires(std::is_class_v<T> && !is_array_<T>::value)
  operator T() const;
};

template <class S, std::size_t> using field = any_field<S>;
// Is S{field..., more...} an initialisation, with Nth fields in front?
template <class S, class Seq, class... More> struct takes_;
template <class S, std::size_t... Nth, class... More> struct takes_<S, std::index_sequence<Nth...>, More...> {
  static constexpr bool value = requires { S{field<S, Nth>{}..., More{}...}; };
  static constexpr bool pair = requires { S{field<S, Nth>{}..., {More{}..., More{}...}}; };
};
template <class S, std::size_t Nth, class... More> inline constexpr bool takes =
    takes_<S, std::make_index_sequence<Nth>, More...>::value;
template <class S, std::size_t Nth, class More> inline constexpr bool takes_pair =
    takes_<S, std::make_index_sequence<Nth>, More>::pair;

inline constexpr std::size_t most_fields = 32;
template <class S, std::size_t Nth = 0> constexpr std::size_t count_fields() {
  if constexpr (Nth <= most_fields && takes<S, Nth, any_field<S>>) return count_fields<S, Nth + 1>();
  else return Nth;
}
// A C array is seen by the braces around its elements, which a single field would not take.
template <class S, std::size_t Nth> constexpr bool is_c_array() {
  if constexpr (takes<S, Nth, any_number>) return takes_pair<S, Nth, any_number>;
  else if constexpr (takes<S, Nth, any_leaf> && !takes<S, Nth, any_node>) return takes_pair<S, Nth, any_leaf>;
  else return false;
}
template <class S, std::size_t... Nth> constexpr bool has_c_array(std::index_sequence<Nth...>) {
  return (is_c_array<S, Nth>() || ...);
}

/// A plain struct without fields: a node without leaves, such as a layer that has no parameters.
template <class S> concept without_fields = std::is_class_v<S> && std::is_aggregate_v<S> && std::is_empty_v<S>;
/// A class whose fields can be given in braces, and none of which is a base.
template <class S> concept braced = std::is_class_v<S> && std::is_aggregate_v<S> && !std::is_polymorphic_v<S> &&
                                    !std::is_empty_v<S> && !takes<S, 0, any_base<S>>;
enum class verdict { fine, not_a_leaf, too_many };
template <class S> constexpr verdict judge() {
  if constexpr (without_fields<S>) return verdict::fine;
  else if constexpr (!braced<S>) return verdict::not_a_leaf;
  else {
    constexpr std::size_t n = count_fields<S>();
    if constexpr (n > most_fields) return verdict::too_many;
    else if constexpr (n == 0 || takes<S, n, any_lvalue>) return verdict::not_a_leaf;
    else return has_c_array<S>(std::make_index_sequence<n>{}) ? verdict::not_a_leaf : verdict::fine;
  }
}
template <class S> inline constexpr verdict verdict_of = judge<S>();
template <class S> inline constexpr std::size_t field_count = without_fields<S> ? 0 : count_fields<S>();

/// References, as std::tuple has them; in constant evaluation std::tuple costs a dozen calls.
template <std::size_t Nth, class T> struct ref_at {
  T& r;
};
template <class Seq, class... T> struct refs_;
template <std::size_t... Nth, class... T> struct refs_<std::index_sequence<Nth...>, T...> : ref_at<Nth, T>... {
  static constexpr std::size_t size = sizeof...(T);
};
template <class... T> using refs = refs_<std::index_sequence_for<T...>, T...>;
template <std::size_t Nth, class T> constexpr T& get(ref_at<Nth, T> const& x) { return x.r; }
template <class... T> constexpr refs<T...> tie(T&... x) { return {{x}...}; }

/// References to the fields of a plain struct. A list by nature: the language binds names, so each count has its own
/// line.
// NOLINTNEXTLINE(readability-function-size)
template <class S> constexpr auto tie_fields(S& x) {
  constexpr std::size_t N = field_count<std::remove_const_t<S>>;
  if constexpr (N == 0) return refs<>{};
  else if constexpr (N == 1) {
    auto& [f0] = x;
    return detail::tie(f0);
  } else if constexpr (N == 2) {
    auto& [f0, f1] = x;
    return detail::tie(f0, f1);
  } else if constexpr (N == 3) {
    auto& [f0, f1, f2] = x;
    return detail::tie(f0, f1, f2);
  } else if constexpr (N == 4) {
    auto& [f0, f1, f2, f3] = x;
    return detail::tie(f0, f1, f2, f3);
  } else if constexpr (N == 5) {
    auto& [f0, f1, f2, f3, f4] = x;
    return detail::tie(f0, f1, f2, f3, f4);
  } else if constexpr (N == 6) {
    auto& [f0, f1, f2, f3, f4, f5] = x;
    return detail::tie(f0, f1, f2, f3, f4, f5);
  } else if constexpr (N == 7) {
    auto& [f0, f1, f2, f3, f4, f5, f6] = x;
    return detail::tie(f0, f1, f2, f3, f4, f5, f6);
  } else if constexpr (N == 8) {
    auto& [f0, f1, f2, f3, f4, f5, f6, f7] = x;
    return detail::tie(f0, f1, f2, f3, f4, f5, f6, f7);
  } else if constexpr (N == 9) {
    auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8] = x;
    return detail::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8);
  } else if constexpr (N == 10) {
    auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9] = x;
    return detail::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9);
  } else if constexpr (N == 11) {
    auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10] = x;
    return detail::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10);
  } else if constexpr (N == 12) {
    auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11] = x;
    return detail::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11);
  } else if constexpr (N == 13) {
    auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12] = x;
    return detail::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12);
  } else if constexpr (N == 14) {
    auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13] = x;
    return detail::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13);
  } else if constexpr (N == 15) {
    auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14] = x;
    return detail::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14);
  } else if constexpr (N == 16) {
    auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15] = x;
    return detail::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15);
  } else if constexpr (N == 17) {
    auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16] = x;
    return detail::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16);
  } else if constexpr (N == 18) {
    auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17] = x;
    return detail::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17);
  } else if constexpr (N == 19) {
    auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18] = x;
    return detail::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18);
  } else if constexpr (N == 20) {
    auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19] = x;
    return detail::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19);
  } else if constexpr (N == 21) {
    auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20] = x;
    return detail::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20);
  } else if constexpr (N == 22) {
    auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21] = x;
    return detail::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20,
                       f21);
  } else if constexpr (N == 23) {
    auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22] = x;
    return detail::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20,
                       f21, f22);
  } else if constexpr (N == 24) {
    auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22,
           f23] = x;
    return detail::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20,
                       f21, f22, f23);
  } else if constexpr (N == 25) {
    auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23,
           f24] = x;
    return detail::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20,
                       f21, f22, f23, f24);
  } else if constexpr (N == 26) {
    auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23,
           f24, f25] = x;
    return detail::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20,
                       f21, f22, f23, f24, f25);
  } else if constexpr (N == 27) {
    auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23,
           f24, f25, f26] = x;
    return detail::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20,
                       f21, f22, f23, f24, f25, f26);
  } else if constexpr (N == 28) {
    auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23,
           f24, f25, f26, f27] = x;
    return detail::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20,
                       f21, f22, f23, f24, f25, f26, f27);
  } else if constexpr (N == 29) {
    auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23,
           f24, f25, f26, f27, f28] = x;
    return detail::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20,
                       f21, f22, f23, f24, f25, f26, f27, f28);
  } else if constexpr (N == 30) {
    auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23,
           f24, f25, f26, f27, f28, f29] = x;
    return detail::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20,
                       f21, f22, f23, f24, f25, f26, f27, f28, f29);
  } else if constexpr (N == 31) {
    auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23,
           f24, f25, f26, f27, f28, f29, f30] = x;
    return detail::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20,
                       f21, f22, f23, f24, f25, f26, f27, f28, f29, f30);
  } else if constexpr (N == 32) {
    auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23,
           f24, f25, f26, f27, f28, f29, f30, f31] = x;
    return detail::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20,
                       f21, f22, f23, f24, f25, f26, f27, f28, f29, f30, f31);
  }
}

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wundefined-var-template"
#pragma clang diagnostic ignored "-Wundefined-internal"
#endif
// The name of a field, read off the compiler's spelling of a pointer to it.
template <class S> struct wrapper {
  S const value;
};
template <class S> extern wrapper<S> const never_defined;
template <class P> struct pointer_to {
  P const* p;
};
template <class P> pointer_to(P const*) -> pointer_to<P>;

template <class S, std::size_t Nth> constexpr auto field_pointer() {
  return pointer_to{&detail::get<Nth>(tie_fields(never_defined<S>.value))};
}
template <auto P> constexpr std::string_view spelled() { return __PRETTY_FUNCTION__; }
template <class S, std::size_t Nth> constexpr std::string_view spelled_name() {
  constexpr std::string_view text = spelled<field_pointer<S, Nth>()>();
  std::size_t end = text.rfind('}');  // g++ spells the pointer mlp::b1)}, clang .b1}
  auto is_letter = [](char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  };
  while (end > 0 && !is_letter(text[end - 1])) --end;
  std::size_t begin = end;
  while (begin > 0 && is_letter(text[begin - 1])) --begin;
  return text.substr(begin, end - begin);
}
/// The name of a field: of the struct's own list where it has one, `static constexpr auto names = tree::names(...)`.
template <class S, std::size_t Nth> constexpr std::string_view field_name() {
  if constexpr (has_names<S>) {
    constexpr bool fit = S::names.size == field_count<S>;
    if constexpr (fit) return S::names.text[Nth];
    else message::fail<message::E068_names_of_fields<S>>();  // where tree::paths was not asked
  }
  return spelled_name<S, Nth>();
}

/// Which field the member pointer means.
template <auto Member, class S, std::size_t Nth = 0> constexpr std::size_t field_index() {
  if constexpr (Nth >= field_count<S>) return Nth;
  else {
    auto const* wanted = &(never_defined<S>.value.*Member);
    auto const* here = &detail::get<Nth>(tie_fields(never_defined<S>.value));
    if constexpr (std::is_same_v<decltype(wanted), decltype(here)>)
      if (wanted == here) return Nth;
    return field_index<Member, S, Nth + 1>();
  }
}

/// Does the member pointer mean field Nth?
template <std::size_t Nth, class S, class M> constexpr bool is_field(M S::*member) {
  auto const* here = &detail::get<Nth>(tie_fields(never_defined<S>.value));
  if constexpr (std::is_same_v<decltype(here), M const*>) return &(never_defined<S>.value.*member) == here;
  else return false;
}

#if defined(__clang__)
#pragma clang diagnostic pop
#endif

}  // namespace etna::tree::detail
