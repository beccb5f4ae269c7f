// SPDX-License-Identifier: BSD-3-Clause
// The stage cache: what comes before it is made once and kept in memory. Read next: stack.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <atomic>
#include <limits>
#include <ranges>

#include <etna/array/tree.hpp>

#include "flow.hpp"
#include "one_time.hpp"

namespace etna::data {

namespace detail {

/// Bytes that an example takes, its arrays and containers with it.
template <class T> std::size_t bytes_held(T const& x) {
  if constexpr (any_array<T>) return sizeof(T) + (T::in_object ? 0 : std::size_t(x.size()) * sizeof(*x.data()));
  else if constexpr (requires { x.bytes_held(); }) return x.bytes_held();
  else if constexpr (tree::detail::is_tuple<T>::value)
    return std::apply([](auto const&... part) { return (bytes_held(part) + ... + std::size_t(0)); }, x);
  else if constexpr (std::ranges::sized_range<T>) {
    std::size_t n = sizeof(T);
    for (auto const& part : x) n += bytes_held(part);
    return n;
  } else return sizeof(T);
}

template <node From> struct stored_node : behind<From> {
  using element = typename pipeline<From>::element;
  struct slot {
    one_time once;
    std::optional<element> kept;
  };
  struct store {
    std::unique_ptr<slot[]> slots;
    std::atomic<std::size_t> used{0};
  };
  std::size_t limit;
  std::shared_ptr<store> all;

  struct view {
    view_of<From> of;
    store* all;
    std::size_t limit;
    element operator[](std::size_t i) const {
      slot& s = all->slots[of.key(i)];
      std::optional<element> made;
      s.once.call([&] {
        made.emplace(of[i]);
        std::size_t const bytes = bytes_held(*made);
        if (all->used.fetch_add(bytes, std::memory_order_relaxed) + bytes <= limit) s.kept.emplace(*made);
        else all->used.fetch_sub(bytes, std::memory_order_relaxed);
      });
      if (made) return std::move(*made);
      return s.kept ? *s.kept : element(of[i]);
    }
    std::size_t key(std::size_t i) const { return of.key(i); }
  };
  view open(std::uint64_t epoch) const { return {this->from.node().open(epoch), all.get(), limit}; }
};

}  // namespace detail

/// Keep what comes before this in memory: each example is made once, by whichever thread asks for it first, and known
/// by
/// its name and not by its place: a shuffle may stand before or behind. With a limit in bytes, what does not fit is
/// made again in each epoch. Copies of the pipeline share the memory.
///
/// errors  E160 the examples differ from epoch to epoch (while compiling): a cache stands before what draws
/// example test/unit/data/stored.cpp  [each example is made once]
inline auto cache(std::size_t limit = std::numeric_limits<std::size_t>::max()) {
  return stage{[limit]<class Node>(pipeline<Node> const& from) {
    if constexpr (Node::varies) message::fail<message::E160_cache_of_what_varies<typename pipeline<Node>::element>>();
    using N = detail::stored_node<Node>;
    auto all = std::make_shared<typename N::store>();
    all->slots = std::make_unique<typename N::slot[]>(from.node().keys());
    return pipeline(N{{from}, limit, std::move(all)});
  }};
}

}  // namespace etna::data

#include <etna/set_back.hpp>
