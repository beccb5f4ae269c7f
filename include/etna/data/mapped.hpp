// SPDX-License-Identifier: BSD-3-Clause
// The stage map: a function of each example, which may draw random numbers. Read next: cache.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <functional>
#include <tuple>

#include "flow.hpp"
#include "generator.hpp"

namespace etna::data {

namespace detail {

template <class F, class Element> concept draws = std::invocable<F const&, Element, generator&>;
template <class F, class Element> concept maps = draws<F, Element> || std::invocable<F const&, Element>;

template <class F, class Element> decltype(auto) apply_map(F const& f, Element&& x, generator g) {
  if constexpr (draws<F, Element>) return std::invoke(f, std::forward<Element>(x), g);
  else return std::invoke(f, std::forward<Element>(x));
}

template <node From, class F> struct mapped_node : behind<From> {
  F f;
  std::uint64_t seed;
  static constexpr bool varies = From::varies || draws<F, made_by<From>>;
  struct view {
    view_of<From> of;
    F const* f;
    std::uint64_t stream;
    // A reference to what f was given would be to nothing.
    auto operator[](std::size_t i) const {
      auto const [number, repetition] = of.key(i);
      return apply_map(*f, of[i], generator(mix(mix(stream, repetition), number)));
    }
    example_key key(std::size_t i) const { return of.key(i); }
  };
  view open(std::uint64_t epoch, std::uint64_t side) const {
    std::uint64_t const stream = mix(mix(mix(seed, std::uint64_t(mapped_node::depth)), epoch), side);
    return {this->from.node().open(epoch, side), &f, stream};
  }
};

template <class F> struct map_stage {
  F f;
  std::uint64_t seed;
  template <node From> requires maps<F, made_by<From>>
  auto operator()(pipeline<From> const& from) const {
    return pipeline(mapped_node<From, F>{{from}, f, seed});
  }
};

/// f of one part of a tuple, the others as they are.
template <std::size_t Part, class F> struct on_part {
  F f;
  template <class X, class... G> requires(Part < std::tuple_size_v<std::remove_cvref_t<X>>) &&
                                         std::invocable<F const&, decltype(std::get<Part>(std::declval<X>())), G&...>
  auto operator()(X&& x, G&... random) const {
    return [&]<std::size_t... Nth>(std::index_sequence<Nth...>) {
      auto part = [&]<std::size_t K>(std::integral_constant<std::size_t, K>) -> decltype(auto) {
        if constexpr (K == Part) return std::invoke(f, std::get<K>(std::forward<X>(x)), random...);
        else return std::get<K>(std::forward<X>(x));
      };
      return std::tuple<std::remove_cvref_t<decltype(part(std::integral_constant<std::size_t, Nth>{}))>...>{
          part(std::integral_constant<std::size_t, Nth>{})...};
    }(std::make_index_sequence<std::tuple_size_v<std::remove_cvref_t<X>>>{});
  }
};

}  // namespace detail

/// f(example) in the place of each example, or f(example, random): the data::generator random is begun anew by
/// (seed, stage, epoch, example), so that its numbers are the same on any thread, in any order, and where a run goes
/// on. Behind repeat each repetition of an example has its own numbers, and so has each side of concatenate.
///
/// f       is called by several threads at once
/// example test/unit/data/mapped.cpp  [numbers depend on seed, epoch and example alone]
template <std::copy_constructible F> auto map(F f, std::uint64_t seed = 0) {
  return stage{detail::map_stage<F>{std::move(f), seed}};
}

/// map<0>(f): f of the first part of each example, which is a tuple or a pair; the others stay.
template <std::size_t Part, std::copy_constructible F> auto map(F f, std::uint64_t seed = 0) {
  return map(detail::on_part<Part, F>{std::move(f)}, seed);
}

}  // namespace etna::data

#include <etna/set_back.hpp>
