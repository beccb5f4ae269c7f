// SPDX-License-Identifier: BSD-3-Clause
// Stages that say which elements come, and in which order: shuffle, take, skip, shard, repeat, and one set behind
// another. None makes an element or copies one. Read next: mapped.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <algorithm>
#include <limits>
#include <mutex>
#include <string>
#include <vector>

#include <etna/message/runtime.hpp>

#include "batch.hpp"
#include "flow.hpp"
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
    example_key key(std::size_t i) const { return of.key(order[i]); }
  };
  view open(std::uint64_t epoch, std::uint64_t side) const {
    std::size_t const n = this->size();
    if (n > std::numeric_limits<std::uint32_t>::max())
      message::raise<111>("shuffle of " + std::to_string(n) + " examples, more than 4294967295; shard them first");
    return {this->from.node().open(epoch, side), shuffled(n, seed, epoch)};
  }
};

/// Element i is the other's element first + i * step, of `count` ones.
template <node From> struct strided_node : behind<From> {
  std::size_t first, step, count;
  struct view {
    view_of<From> of;
    std::size_t first, step;
    decltype(auto) operator[](std::size_t i) const { return of[first + i * step]; }
    example_key key(std::size_t i) const { return of.key(first + i * step); }
  };
  std::size_t size() const { return count; }
  view open(std::uint64_t epoch, std::uint64_t side) const {
    return {this->from.node().open(epoch, side), first, step};
  }
};

/// The epochs that a repetition is in: opened when an element of one is asked for, by any thread, and kept while there
/// is room: of some 64 MB of orders the last, two at least. Those before are opened again when they are asked for.
template <class View> class last_opened {
 public:
  last_opened(std::size_t times, std::size_t length)
      : kept_(std::min(times, std::max<std::size_t>(2, (std::size_t(1) << 24) / (std::min(length, most) + 256)))) {}
  template <class Open> std::shared_ptr<View const> at(std::size_t epoch, Open const& open) {
    std::lock_guard const alone(mutex_);
    auto& [number, view] = kept_[epoch % kept_.size()];
    if (!view || number != epoch) {
      view = std::make_shared<View const>(open(epoch));
      number = epoch;
    }
    return view;
  }

 private:
  static constexpr std::size_t most = std::size_t(1) << 32;
  std::mutex mutex_;
  std::vector<std::pair<std::size_t, std::shared_ptr<View const>>> kept_;
};

template <node From> struct repeated_node : behind<From> {
  std::size_t times;
  // An epoch of this is some of the other's.
  struct view {
    From const* from;
    std::uint64_t first, side;
    std::size_t length;
    std::unique_ptr<last_opened<view_of<From>>> parts;
    auto at(std::size_t i) const {
      return parts->at(i / length, [&](std::size_t part) { return from->open(first + part, side); });
    }
    decltype(auto) operator[](std::size_t i) const { return (*at(i))[i % length]; }
    example_key key(std::size_t i) const {
      auto const [number, repetition] = at(i)->key(i % length);
      return {number, mix(repetition, i / length)};
    }
  };
  std::size_t size() const { return this->from.size() * times; }
  view open(std::uint64_t epoch, std::uint64_t side) const {
    return {&this->from.node(), epoch * times, side, this->from.size(),
            std::make_unique<last_opened<view_of<From>>>(times, this->from.size())};
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
    example_key key(std::size_t i) const {
      if (i < length) return one.key(i);
      auto const [number, repetition] = other.key(i - length);
      return {keys + number, repetition};
    }
  };
  std::size_t size() const { return first.size() + second.size(); }
  std::size_t keys() const { return first.node().keys() + second.node().keys(); }
  view open(std::uint64_t epoch, std::uint64_t side) const {
    return {first.node().open(epoch, mix(side, 1)), second.node().open(epoch, mix(side, 2)), first.size(),
            first.node().keys()};
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
///
/// cost    the orders of some epochs: 64 MB or two of them, however many n is
/// errors  E111 more elements than 64 bits count
/// example test/unit/data/ordering.cpp  [a repeated epoch is several epochs]
inline auto repeat(std::size_t n) {
  return stage{[n]<class Node>(pipeline<Node> const& from) {
    if (n > 0 && from.size() > std::numeric_limits<std::size_t>::max() / n)
      message::raise<111>("repeat: " + std::to_string(from.size()) + " elements " + std::to_string(n) + " times");
    return pipeline(detail::repeated_node<Node>{{from}, n});
  }};
}

/// The elements of one pipeline behind those of another, of the same type. Maps draw other numbers in each.
///
/// errors  E111 more elements than 64 bits count
/// example test/unit/data/ordering.cpp  [one set behind another]
template <any_pipeline First, any_pipeline Second>
requires(std::is_same_v<typename First::element, typename Second::element>)
auto concatenate(First const& first, Second const& second) {
  using N = detail::joined_node<typename First::node_type, typename Second::node_type>;
  if (first.size() > std::numeric_limits<std::size_t>::max() - second.size())
    message::raise<111>("concatenate: " + std::to_string(first.size()) + " elements and " +
                        std::to_string(second.size()));
  return pipeline(N{first, second});
}

}  // namespace etna::data

#include <etna/set_back.hpp>
