// SPDX-License-Identifier: BSD-3-Clause
// Stages that say which elements come, and in which order: shuffle, take, skip, shard, repeat, and one set behind
// another. None makes an element or copies one. Read next: mapped.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include <etna/message/runtime.hpp>

#include "batch.hpp"
#include "flow.hpp"
#include "one_time.hpp"
#include "shuffle.hpp"

namespace etna::data {

namespace detail {

template <node From> struct shuffled_node : behind<From> {
  std::uint64_t seed;
  static constexpr bool reorders = true;
  struct view {
    view_of<From> of;
    std::vector<std::uint32_t> order;
    decltype(auto) operator[](std::size_t i) const { return of[order[i]]; }
    std::size_t key(std::size_t i) const { return of.key(order[i]); }
  };
  view open(std::uint64_t epoch) const {
    std::size_t const n = this->size();
    if (n > std::numeric_limits<std::uint32_t>::max())
      message::raise<111>("shuffle of " + std::to_string(n) + " examples, more than 4294967295; shard them first");
    return {this->from.node().open(epoch), shuffled(n, seed, epoch)};
  }
};

/// Element i is the other's element first + i * step, of `count` ones.
template <node From> struct strided_node : behind<From> {
  std::size_t first, step, count;
  struct view {
    view_of<From> of;
    std::size_t first, step;
    decltype(auto) operator[](std::size_t i) const { return of[first + i * step]; }
    std::size_t key(std::size_t i) const { return of.key(first + i * step); }
  };
  std::size_t size() const { return count; }
  view open(std::uint64_t epoch) const { return {this->from.node().open(epoch), first, step}; }
};

template <node From> struct repeated_node : behind<From> {
  std::size_t times;
  // An epoch of this is some of the other's, each opened when its first element is asked for.
  struct view {
    struct part {
      one_time once;
      std::optional<view_of<From>> of;
    };
    From const* from;
    std::uint64_t first;
    std::size_t length;
    std::unique_ptr<part[]> parts;
    view_of<From> const& at(std::size_t i) const {
      part& p = parts[i / length];
      p.once.call([&] { p.of.emplace(from->open(first + i / length)); });
      return *p.of;
    }
    decltype(auto) operator[](std::size_t i) const { return at(i)[i % length]; }
    std::size_t key(std::size_t i) const { return at(i).key(i % length); }
  };
  std::size_t size() const { return this->from.size() * times; }
  view open(std::uint64_t epoch) const {
    return {&this->from.node(), epoch * times, this->from.size(), std::make_unique<typename view::part[]>(times)};
  }
};

template <node First, node Second> struct joined_node {
  pipeline<First> first;
  pipeline<Second> second;
  static constexpr bool varies = First::varies || Second::varies, reorders = First::reorders || Second::reorders;
  static constexpr int depth = 1 + (First::depth > Second::depth ? First::depth : Second::depth);
  using element = typename pipeline<First>::element;
  struct view {
    view_of<First> one;
    view_of<Second> other;
    std::size_t length, keys;
    element operator[](std::size_t i) const { return i < length ? element(one[i]) : element(other[i - length]); }
    std::size_t key(std::size_t i) const { return i < length ? one.key(i) : keys + other.key(i - length); }
  };
  std::size_t size() const { return first.size() + second.size(); }
  std::size_t keys() const { return first.node().keys() + second.node().keys(); }
  view open(std::uint64_t epoch) const {
    return {first.node().open(epoch), second.node().open(epoch), first.size(), first.node().keys()};
  }
};

template <node From> auto strided(pipeline<From> const& from, std::size_t first, std::size_t step, std::size_t count) {
  return pipeline(strided_node<From>{{from}, first, step, count});
}

}  // namespace detail

/// Another order in each epoch: that of data::shuffle(order, seed, epoch).
///
/// cost    4 bytes an element, while an epoch runs
/// errors  E111 more elements than 32 bits count (when an epoch begins)
/// example test/unit/data/ordering.cpp  [the order is that of data::shuffled]
inline auto shuffle(std::uint64_t seed) {
  return stage{[seed]<class Node>(pipeline<Node> const& from) {
    return pipeline(detail::shuffled_node<Node>{{from}, seed});
  }};
}

/// The first n elements; all where there are fewer.
inline auto take(std::size_t n) {
  return stage{
      [n]<class Node>(pipeline<Node> const& from) { return detail::strided(from, 0, 1, std::min(n, from.size())); }};
}

/// All but the first n elements.
inline auto skip(std::size_t n) {
  return stage{[n]<class Node>(pipeline<Node> const& from) {
    std::size_t const gone = std::min(n, from.size());
    return detail::strided(from, gone, 1, from.size() - gone);
  }};
}

/// The part of one rank of several: elements rank, rank + of, rank + 2 of, ... All ranks have as many: what is over is
/// dropped, unless rest::keep gives the first ranks one more. Behind a shuffle the ranks share its order.
///
/// errors  E111 there is no such rank
inline auto shard(std::size_t rank, std::size_t of, rest last = rest::drop) {
  if (rank >= of) message::raise<111>("shard: rank " + std::to_string(rank) + " of " + std::to_string(of));
  return stage{[rank, of, last]<class Node>(pipeline<Node> const& from) {
    bool const more = last == rest::keep && rank < from.size() % of;
    return detail::strided(from, rank, of, from.size() / of + (more ? 1 : 0));
  }};
}

/// n epochs as one: epoch e of this is epochs e n to e n + n - 1 of what comes before it.
inline auto repeat(std::size_t n) {
  return stage{[n]<class Node>(pipeline<Node> const& from) {
    return pipeline(detail::repeated_node<Node>{{from}, n});
  }};
}

/// The elements of one pipeline behind those of another, of the same type.
template <any_pipeline First, any_pipeline Second>
requires(std::is_same_v<typename First::element, typename Second::element>)
auto concatenate(First const& first, Second const& second) {
  using N = detail::joined_node<typename First::node_type, typename Second::node_type>;
  return pipeline(N{first, second});
}

}  // namespace etna::data

#include <etna/set_back.hpp>
