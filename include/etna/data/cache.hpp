// SPDX-License-Identifier: BSD-3-Clause
// The stage cache: what comes before it is made once and kept in memory. Read next: stack.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <atomic>
#include <limits>
#include <mutex>
#include <ranges>
#include <unordered_map>

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
    std::mutex mutex;  // of the table; what it has stays where it is
    std::unordered_map<std::size_t, slot> slots;
    std::atomic<std::size_t> used{0};
    std::size_t limit;
    explicit store(std::size_t most) : limit(most) {}
    // A slot and its place in the table, beyond the example in it.
    static constexpr std::size_t slot_bytes = sizeof(slot) - sizeof(element) + 4 * sizeof(void*);

    /// Does this fit as well? Then it is counted.
    bool takes(std::size_t bytes) {
      std::size_t now = used.load(std::memory_order_relaxed);
      do
        if (now > limit || bytes > limit - now) return false;
      while (!used.compare_exchange_weak(now, now + bytes, std::memory_order_relaxed));
      return true;
    }
    /// The place of an example; none where there is no room for one more.
    slot* find(std::size_t key) {
      std::lock_guard const alone(mutex);
      auto const at = slots.find(key);
      if (at != slots.end()) return &at->second;
      return takes(slot_bytes) ? &slots[key] : nullptr;
    }
  };
  std::shared_ptr<store> all;

  struct view {
    view_of<From> of;
    store* all;
    element operator[](std::size_t i) const {
      slot* const s = all->find(of.key(i).number);
      if (!s) return of[i];
      std::optional<element> made;
      s->once.call([&] {
        made.emplace(of[i]);
        if (all->takes(bytes_held(*made))) s->kept.emplace(*made);
      });
      if (made) return std::move(*made);
      return s->kept ? *s->kept : element(of[i]);
    }
    example_key key(std::size_t i) const { return of.key(i); }
  };
  view open(std::uint64_t epoch, std::uint64_t side) const { return {this->from.node().open(epoch, side), all.get()}; }
};

}  // namespace detail

/// Keep what comes before this in memory: each example is made once, by whichever thread asks for it first, and known
/// by its name and not by its place: a shuffle may stand before or behind. With a limit in bytes, what does not fit is
/// made again in each epoch. Copies of the pipeline share the memory.
///
/// cost    the examples that were asked for, and some 50 bytes for each of them; the limit is for both
/// errors  E160 the examples differ from epoch to epoch (while compiling): a cache stands before what draws
/// example test/unit/data/cache.cpp  [each example is made once]
inline auto cache(std::size_t limit = std::numeric_limits<std::size_t>::max()) {
  return stage{[limit]<class Node>(pipeline<Node> const& from) {
    if constexpr (Node::varies) message::fail<message::E160_cache_of_what_varies<typename pipeline<Node>::element>>();
    using N = detail::stored_node<Node>;
    return pipeline(N{{from}, std::make_shared<typename N::store>(limit)});
  }};
}

}  // namespace etna::data

#include <etna/set_back.hpp>
