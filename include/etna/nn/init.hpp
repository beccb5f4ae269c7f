// SPDX-License-Identifier: BSD-3-Clause
// Parameters from a key: nn::init<net>(key) makes each leaf of a model by the initializer that its struct names in
// `initial`, and by zeros where there is none. Read next: layer.hpp.
#pragma once
#include <cstring>
#include <type_traits>

#include <etna/numpy/join.hpp>
#include <etna/transform/vmap.hpp>

#include "initial.hpp"

namespace etna::nn {

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
    else {
      using block = array_of<transform::without_axis<A, 0>>;
      auto one = [&](auto const& k, auto const& h) { return nn::draw<block>(with, random::fold_in(k, h)); };
      // In a trace one drawing for all of the blocks. Outside of it vmap would bring the rules of all rows into the
      // program, which took longer to compile than a step of training.
      if (__builtin_is_constant_evaluated())
        return [&]<std::size_t... Nth>(std::index_sequence<Nth...>) {
          return vmap<none, 0>([&](random::prng_key const& k, array<std::uint32_t> const& h) { return one(k, h); })(
              key, array<std::uint32_t, extent(N)>{at.hash[Nth]...});
        }(std::make_index_sequence<N>{});
      auto nth = [&](std::size_t i) { return one(key, array<std::uint32_t>(at.hash[i])); };
      if (random::detail::is_recorded(key.first) || random::detail::is_recorded(key.second)) {
        std::array<block, N> all;
        for (std::size_t i = 0; i < N; ++i) all[i] = nth(i);
        return etna::stack(all);
      }
      return A::build([&](typename A::value_type* to) {  // each block where it will be
        for (std::size_t i = 0; i < N; ++i, to += block::size())
          std::memcpy(to, nth(i).data(), std::size_t(block::size()) * sizeof *to);
      });
    }
  }
  template <class T, std::size_t... Nth, std::size_t N, class With>
  constexpr T children(leaf_place<N> const& at, [[maybe_unused]] With named, std::index_sequence<Nth...>) const {
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

/// A model's parameters from a key. A leaf is made by the first of the rules that matches its path, otherwise by what
/// an outer struct says in `initial`, otherwise by what its own says, and is zeros where nobody says anything. Its key
/// is fold_in(key, a hash of its path): another layer in the model changes no numbers of the others.
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
