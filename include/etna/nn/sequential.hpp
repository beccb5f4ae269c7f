// SPDX-License-Identifier: BSD-3-Clause
// Layers one after another, and equal blocks as one: sequential, stacked. Read next: recurrent.hpp.
#pragma once
#include <etna/control/branch.hpp>
#include <etna/control/scan.hpp>

#include "dropout_layer.hpp"

namespace etna::nn {

/// Layers one after another: nn::sequential<nn::dense<float, 4, 8>, nn::function<f>, nn::dense<float, 8, 2>>. What is
/// given behind x, nn::evaluation or a key, goes to those layers that take it, number n with its own key.
///
/// source  flax Sequential
template <class... Layer> struct sequential {
  std::tuple<Layer...> layers;
  static constexpr auto names = tree::names("");  // of paths: 0.kernel

  template <any_array A, call_mode... M> requires(sizeof...(M) < 2)
  constexpr auto operator()(A const& x, M const&... mode) const {
    return from<0>(x, mode...);
  }

 private:
  template <std::size_t Nth, class A, class... M> constexpr auto from(A const& x, M const&... mode) const {
    if constexpr (Nth == sizeof...(Layer)) return x;
    else {
      auto const& layer = std::get<Nth>(layers);
      if constexpr (sizeof...(M) == 1 && requires { layer(x, nn::fold_in(mode, int(Nth))...); })
        return from<Nth + 1>(layer(x, nn::fold_in(mode, int(Nth))...), mode...);
      else return from<Nth + 1>(layer(x), mode...);
    }
  }
};

/// N equal blocks as one, whose leaves have N in front: they run in a scan, so that compile time does not depend on N.
/// nn::init makes the numbers of std::array<Block, N>. In `names` of paths a number is missing: blocks.norm.scale.
///
/// shape   x, a tree -> what the block gives, which has x's type; a key behind it is another one for each block
/// errors  E071 the block's result has another type than its input
/// cost    reverse mode keeps what `keep` says, keep_none or keep_all, as of scan: blocks(x, keep_none)
/// source  flax scan over layers
template <class Block, int N> struct stacked {
  control::stack_of<N, Block> each;
  static constexpr auto names = tree::names("");
  using stacked_block = Block;
  static constexpr std::size_t depth = std::size_t(N);

  template <class X, control::one_scan Keep = keep_all_t> constexpr auto operator()(X const& x, Keep keep = {}) const {
    return etna::scan(
               [](auto const& h, auto const& block) {
                 return std::pair{as_block(block)(h), std::tuple<>{}};
               },
               x, each, keep)
        .first;
  }
  template <class X, call_mode M, control::one_scan Keep = keep_all_t>
  constexpr auto operator()(X const& x, M const& mode, Keep keep = {}) const {
    if constexpr (random::one_key<M>)
      return etna::scan(
                 [](auto const& h, auto const& slice) {
                   return std::pair{as_block(std::get<0>(slice))(h, std::get<1>(slice)), std::tuple<>{}};
                 },
                 x, std::tuple{each, random::split_batch<N>(mode)}, keep)
          .first;
    else
      return etna::scan(
                 [&](auto const& h, auto const& block) {
                   return std::pair{as_block(block)(h, mode), std::tuple<>{}};
                 },
                 x, each, keep)
          .first;
  }
  /// For each block in turn f(block, x, slice) gives {x, y}, the slice being that of xs along their first axes, as of
  /// caches. What comes back is {the last x, all y}.
  template <class F, class X, class Slices> constexpr auto scan(F const& f, X const& x, Slices const& xs) const {
    return etna::scan(
        [&](auto const& h, auto const& slice) { return f(as_block(std::get<0>(slice)), h, std::get<1>(slice)); }, x,
        std::tuple{each, xs});
  }
  /// Block number i, a C++ number or an integer array of one.
  template <class Index> constexpr Block block(Index const& i) const {
    return as_block(tree::map([&](auto const& x) { return take<0>(x, array<int>(i)); }, each));
  }

 private:
  /// The block itself, of a tree of its leaves' types.
  template <class B> static constexpr Block as_block(B const& b) {
    return tree::map([](auto const&, auto const& x) { return x; }, Block{}, b);
  }
};

}  // namespace etna::nn
