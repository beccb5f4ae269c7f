// SPDX-License-Identifier: BSD-3-Clause
// Parameters from a key: nn::init<net>(key) makes each leaf of a model by the initializer that its struct names in
// `initial`, and by zeros where there is none. Read next: layer.hpp.
#pragma once
#include <etna/array/path.hpp>
#include <etna/transform/vmap.hpp>

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
/// nn::initializers::normal{0.02})`. For a field that is itself a struct, an initializer of all leaves in it, or pairs of
/// its fields: nn::initial(&net::head, nn::initial(&dense::kernel, nn::initializers::zeros)).
///
/// errors  E069 a field of another struct
template <class... Pair> constexpr auto initial(Pair const&... pair) {
  auto pairs = detail::pairs_of(pair...);
  return [&]<class... P>(std::tuple<P...> const& p) { return detail::initial_list<P...>{p}; }(pairs);
}

/// An initializer for the leaves whose paths match a pattern, in which * stands for any letters.
template <fixed_string Pattern, class With> struct rule_of {
  With with;
  static constexpr bool matches(std::string_view path) {
    return tree::detail::matches(path, tree::detail::view_of(Pattern));
  }
  /// Is it about some leaf of this type? An initializer need not be one for the others.
  template <class Net, class Leaf> static constexpr bool matches_one = tree::detail::matches_one<Net, Pattern, Leaf>();
  template <class Net> static constexpr bool require() { return tree::detail::require_match<Net, Pattern>(); }
};
/// nn::init<net>(key, nn::rule<"*.kernel">(nn::initializers::normal{0.02})): of several rules the first that matches.
template <fixed_string Pattern, class With> constexpr rule_of<Pattern, With> rule(With const& with) { return {with}; }

namespace detail {

/// Where a leaf is: its path, and the hash of that by which its key is told from others (FNV-1a). In a stack of blocks,
/// of which one leaf holds N, it is N hashes, of the paths that blocks one by one would have.
///
/// N       0 where it is no stack
template <std::size_t N> struct leaf_place {
  tree::detail::path_writer path;
  std::array<std::uint32_t, (N > 0 ? N : 1)> hash{};
  constexpr leaf_place() {
    for (auto& h : hash) h = 2166136261u;
  }
  static constexpr std::uint32_t further(std::uint32_t h, std::string_view letters) {
    for (char c : letters) h = (h ^ static_cast<unsigned char>(c)) * 16777619u;
    return h;
  }
  /// The child's place: what push writes is of its path, and of the hash.
  template <class T, std::size_t Nth> constexpr leaf_place child() const {
    leaf_place r = *this;
    int const before = path.n;
    tree::detail::push_child<T, Nth>(r.path);
    for (auto& h : r.hash) h = further(h, r.path.view().substr(std::size_t(before)));
    return r;
  }
  constexpr leaf_place element(std::size_t i) const {
    leaf_place r = *this;
    int const before = r.path.push(i);
    for (auto& h : r.hash) h = further(h, r.path.view().substr(std::size_t(before)));
    return r;
  }
  /// The M blocks of a stack at once: its path has no number, and its hashes have each.
  template <std::size_t M> constexpr leaf_place<M> stack() const {
    static_assert(N == 0);
    leaf_place<M> r;
    r.path = path;
    for (std::size_t k = 0; k < M; ++k) r.hash[k] = element(k).hash[0];
    return r;
  }
};

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
/// What holds for field Nth of S, for which all in all `Named` holds: an outer struct's word before its own.
template <class Named, class S, std::size_t Nth> constexpr auto named_of_field() {
  if constexpr (!std::is_same_v<Named, unnamed> && !is_list_name<Named>) return Named{};
  else if constexpr (constexpr auto outer =
                         [] {
                           if constexpr (is_list_name<Named>) return pair_of_field<Named, S, Nth>();
                           else return -1;
                         }();
                     outer >= 0)
    return named_by<Named, outer>{};
  else if constexpr (has_initial<S>) {
    constexpr int own = pair_of_field<own_list<S>, S, Nth>();
    if constexpr (own >= 0) return named_by<own_list<S>, own>{};
    else return unnamed{};
  } else return unnamed{};
}

template <class Net, class... Rule> struct maker {
  random::prng_key const& key;
  std::tuple<Rule const&...> rules;

  template <class T, std::size_t N, class With> constexpr T make(leaf_place<N> const& at, With named) const {
    if constexpr (any_array<T>) return leaf<0, T>(at, named);
    else if constexpr (tree::number<T>) return T{};
    else if constexpr (!names_own_fields<With, T>()) {
      message::fail<message::E069_no_such_field<T>>();
      return T{};
    } else if constexpr (requires { typename tree::detail::origin<T>::type::stacked_block; })
      return T{make<decltype(T::each)>(at.template stack<T::depth>(), named)};
    else return children<T>(at, named, std::make_index_sequence<tree::detail::child_count<T>>{});
  }

 private:
  /// By the first rule that matches; a stack of N leaves at once.
  template <std::size_t Nth, class A, std::size_t N, class With>
  constexpr A leaf(leaf_place<N> const& at, With named) const {
    if constexpr (Nth < sizeof...(Rule)) {
      auto const& rule = std::get<Nth>(rules);
      if constexpr (std::remove_cvref_t<decltype(rule)>::template matches_one<Net, A>)
        if (rule.matches(at.path.view())) return draw<A>(at, rule.with);
      return leaf<Nth + 1, A>(at, named);
    } else if constexpr (std::is_same_v<With, unnamed>) return draw<A>(at, initializers::zeros);
    else return draw<A>(at, With::value);
  }
  template <class A, std::size_t N, class With> constexpr A draw(leaf_place<N> const& at, With const& with) const {
    if constexpr (N == 0) return nn::draw<A>(with, random::fold_in(key, at.hash[0]));
    else
      return [&]<std::size_t... Nth>(std::index_sequence<Nth...>) {
        array<std::uint32_t, extent(N)> hashes{at.hash[Nth]...};
        return vmap<none, 0>([&](random::prng_key const& k, array<std::uint32_t> const& h) {
          return nn::draw<array_of<transform::without_axis<A, 0>>>(with, random::fold_in(k, h));
        })(key, hashes);
      }(std::make_index_sequence<N>{});
  }
  template <class T, std::size_t... Nth, std::size_t N, class With>
  constexpr T children(leaf_place<N> const& at, With named, std::index_sequence<Nth...>) const {
    return tree::detail::in_order<T, tree::detail::child_type<T, Nth>...>{child<T, Nth>(at, named)...}.r;
  }
  template <class T, std::size_t Nth, std::size_t N, class With>
  constexpr auto child(leaf_place<N> const& at, With named) const {
    using C = tree::detail::child_type<T, Nth>;
    if constexpr (tree::detail::is_std_array<T>::value) return make<C>(at.element(Nth), named);
    else
      return make<C>(at.template child<T, Nth>(), named_of_field<With, typename tree::detail::origin<T>::type, Nth>());
  }
};

}  // namespace detail

/// A model's parameters from a key. A leaf is made by the first of the rules that matches its path, otherwise by what an
/// outer struct says in `initial`, otherwise by what its own says, and is zeros where nobody says anything. Its key is
/// fold_in(key, a hash of its path): another layer in the model changes no numbers of the others.
///
/// shape   the model: a plain struct of arrays, layers, std::array, tuples
/// errors  E051 not a key, E052 a batch of keys, E069 an initializer for a field of another struct, E095 a rule that
///         matches nothing
/// source  flax Module.init
/// example test/unit/nn/init.cpp  [each leaf by its own initializer]
template <class Net, random::one_key K, class... Rule> constexpr Net init(K const& key, Rule const&... rule) {
  if constexpr (!(random::detail::require_key<K>() && ... && Rule::template require<Net>())) return Net{};
  else
    return detail::maker<Net, Rule...>{key, {rule...}}.template make<Net>(detail::leaf_place<0>{}, detail::unnamed{});
}

}  // namespace etna::nn
