// SPDX-License-Identifier: BSD-3-Clause
// Batches of several ranks: of each batch of all, a rank makes its part. Read next: ahead.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <string>

#include "stack.hpp"

namespace etna::data {

namespace detail {

/// Of each `whole` elements of the other those from `first` on, as many as `part`.
template <node From> struct parted_node : behind<From> {
  std::size_t whole, first, part;
  struct view {
    view_of<From> of;
    std::size_t whole, first, part;
    std::size_t at(std::size_t i) const { return i / part * whole + first + i % part; }
    decltype(auto) operator[](std::size_t i) const { return of[at(i)]; }
    example_key key(std::size_t i) const { return of.key(at(i)); }
  };
  std::size_t size() const { return this->from.size() / whole * part; }
  view open(std::uint64_t epoch, std::uint64_t side) const {
    return {this->from.node().open(epoch, side), whole, first, part};
  }
};

template <extent N> auto shard_batch_stage(std::size_t part, std::size_t rank, std::size_t of) {
  if (rank >= of) message::raise<111>("shard_batch: rank " + std::to_string(rank) + " of " + std::to_string(of));
  return stage{[part, rank, of]<class Node>(pipeline<Node> const& from) {
    return pipeline(parted_node<Node>{{from}, part * of, rank * part, part}) | batch_stage<N>(part, rest::drop);
  }};
}

}  // namespace detail

/// shard_batch<"b"_n>(48, rank, of): of each 48 examples, the batch of all ranks, the part of one: 48 / of, one behind
/// the other. Batch k of all ranks together is batch k of a single one with batch<48>(), in its order, whatever their
/// number; all have as many batches, and the rest of an epoch, fewer than 48, is dropped. An example is made by its
/// rank alone.
///
/// shape   as batch
/// errors  E179 the ranks do not divide the batch; E111 there is no such rank
/// source  JAX make_array_from_process_local_data, whose processes have so their part
/// example test/unit/data/shard_batch.cpp  [the batches of one rank, in parts]
template <extent Name> requires(Name < 0)
auto shard_batch(std::size_t global, std::size_t rank, std::size_t of) {
  if (global == 0) message::raise<111>("shard_batch: of no examples");
  if (of == 0 || global % of != 0)
    message::raise<179>("shard_batch: " + std::to_string(global) + " examples, and " + std::to_string(of) + " ranks");
  return detail::shard_batch_stage<Name>(global / of, rank, of);
}
/// shard_batch<12>(rank, of): the same where the size of a part is in the type: 12 examples of each 12 * of.
template <extent N> requires(N > 0)
auto shard_batch(std::size_t rank, std::size_t of) {
  return detail::shard_batch_stage<N>(std::size_t(N), rank, of);
}

}  // namespace etna::data

#include <etna/set_back.hpp>
