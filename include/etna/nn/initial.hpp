// SPDX-License-Identifier: BSD-3-Clause
// What a struct says of its leaves' initializers: `static constexpr auto initial = nn::initial(...)`, and how it is
// read. Read next: init.hpp.
#pragma once
#include <etna/array/path.hpp>

#include "initializer.hpp"

namespace etna::nn {

namespace detail {
template <class S, class M, class With> struct field_initial {
  M S::*field;
  With with;
};
template <class... Pair> struct initial_list {
  std::tuple<Pair...> pairs;
};
template <class T> struct is_initial_list : std::false_type {};
template <class... Pair> struct is_initial_list<initial_list<Pair...> const> : std::true_type {};
template <class S> concept has_initial = is_initial_list<decltype(S::initial)>::value;

template <class... Pair> constexpr auto pairs_of() { return std::tuple<>{}; }
template <class S, class M, class With, class... More>
constexpr auto pairs_of(M S::*field, With const& with, More const&... more) {
  return std::tuple_cat(std::tuple{field_initial<S, M, With>{field, with}}, pairs_of(more...));
}
}  // namespace detail

/// The initializers of a struct's fields, in pairs: a member `static constexpr auto initial = nn::initial(&net::w,
/// nn::initializers::normal{0.02})`. For a field that is itself a struct, an initializer of all leaves in it, or pairs
/// of its fields: nn::initial(&net::head, nn::initial(&dense::kernel, nn::initializers::zeros)).
///
/// errors  E069 a field of another struct
template <class... Pair> constexpr auto initial(Pair const&... pair) {
  auto pairs = detail::pairs_of(pair...);
  return [&]<class... P>(std::tuple<P...> const& p) { return detail::initial_list<P...>{p}; }(pairs);
}

namespace detail {

/// What holds for a part of a model: nothing yet; what pair K of a list names for it, which is an initializer, or for a
/// struct a list of its fields.
struct unnamed {};
template <class S> struct own_list {
  static constexpr auto const& value = S::initial;
};
template <class List, int K> struct named_by {
  static constexpr auto const& value = std::get<std::size_t(K)>(List::value.pairs).with;
};
template <class T> inline constexpr bool is_list_name = false;
template <class List, int K> inline constexpr bool is_list_name<named_by<List, K>> =
    is_initial_list<std::remove_reference_t<decltype(named_by<List, K>::value)>>::value;

/// Does a list name fields of S alone?
template <class List, class S> inline constexpr bool is_about = false;
template <class... P, class... M, class... With, class S>
inline constexpr bool is_about<initial_list<field_initial<P, M, With>...> const, S> = (std::is_same_v<P, S> && ...);
template <class Named, class T> constexpr bool names_own_fields() {
  using S = typename tree::detail::origin<T>::type;
  bool own = true;
  if constexpr (has_initial<S>) own = is_about<decltype(S::initial), S>;
  if constexpr (is_list_name<Named>) own = own && is_about<std::remove_reference_t<decltype(Named::value)>, S>;
  return own;
}
/// Which pair of the list is about field Nth of S? -1: none.
template <class List, class S, std::size_t Nth> constexpr int pair_of_field() {
  int found = -1, k = 0;
  auto look = [&]<class P, class M, class With>(field_initial<P, M, With> const& pair) {
    if (tree::detail::is_field<Nth>(pair.field)) found = k;
    ++k;
  };
  std::apply([&](auto const&... pair) { (look(pair), ...); }, List::value.pairs);
  return found;
}
/// The same of what an outer struct says, which may name no list.
template <class Named, class S, std::size_t Nth> constexpr int outer_pair_of_field() {
  if constexpr (is_list_name<Named>) return pair_of_field<Named, S, Nth>();
  else return -1;
}
/// What holds for field Nth of S, for which all in all `Named` holds: an outer struct's word before its own.
template <class Named, class S, std::size_t Nth> constexpr auto named_of_field() {
  constexpr int outer = outer_pair_of_field<Named, S, Nth>();
  if constexpr (!std::is_same_v<Named, unnamed> && !is_list_name<Named>) return Named{};
  else if constexpr (outer >= 0) return named_by<Named, outer>{};
  else if constexpr (has_initial<S>) {
    constexpr int own = pair_of_field<own_list<S>, S, Nth>();
    if constexpr (own >= 0) return named_by<own_list<S>, own>{};
    else return unnamed{};
  } else return unnamed{};
}

}  // namespace detail
}  // namespace etna::nn
