// SPDX-License-Identifier: BSD-3-Clause
// What a collective takes on a network: latency, bandwidth, and the algorithm that is fastest, as MPI chooses it.
// Read next: prediction.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>
#include <vector>

#include <etna/array/dtype.hpp>

namespace etna::dist {

/// From one rank to another: seconds before the first byte is there, and bytes a second.
struct link {
  double latency = 0, bandwidth = std::numeric_limits<double>::infinity();
};

/// What a step is computed on: measured (dist::measure) or stated. FLOP/s are what a rank reaches, not a peak.
struct machine {
  std::string name;
  double product_f32 = 0, product_f64 = 0;  // FLOP/s of matrix products; of narrow types as of f32
  double kernel_f32 = 0, kernel_f64 = 0;    // FLOP/s of all else
  double memory = 0;                        // bytes a second, read and written
  /// What touches so many bytes at most comes from a cache: bytes a second. In the order of sizes.
  struct cache {
    double bytes, rate;
  };
  std::vector<cache> caches = {};
  double launch = 1e-7;  // seconds of a step beside its work
  link inside, between;  // of a node and of two; ranks of a node share the way out of it
  int ranks_a_node = 1;
  double added = std::numeric_limits<double>::infinity();  // bytes a second, where a collective adds (or compares)
  /// The share of a message's time for which the rank's own processor is busy with it: 0 where a network card moves it,
  /// 1 where the processor copies it (shared memory, TCP), so that nothing hides.
  double busy = 0;

  /// Of a step: its operations or its bytes, whichever take longer.
  double seconds(double flops, double bytes, dtype d, bool is_product) const {
    double const rate =
        d == dtype::f64 ? (is_product ? product_f64 : kernel_f64) : (is_product ? product_f32 : kernel_f32);
    return std::max(flops > 0 ? flops / rate : 0, bytes > 0 ? bytes / memory_rate(bytes) : 0);
  }
  double memory_rate(double bytes) const {
    for (cache const& c : caches)
      if (bytes <= c.bytes) return c.rate;
    return memory;
  }
};

/// How a collective goes: in a ring, by partners at doubled distances, by these with halves of what is left, or by
/// messages from each to each.
enum class algorithm : std::uint8_t { copy, ring, doubling, halving, pairwise, one_message };
inline constexpr int algorithm_count = 6;
inline constexpr char const* algorithm_names[] = {"copy", "ring", "doubling", "halving", "pairwise", "one message"};

/// What a collective takes: seconds, those of them that are latency, and what a rank sends.
struct toll {
  algorithm by = algorithm::copy;
  double seconds = 0, latency = 0;
  std::int64_t messages = 0;
  double sent = 0;  // bytes
};

namespace detail {
/// Of a number: the greatest power of two within it, as its logarithm; how many doublings reach it; is it one?
constexpr int floor_log2(int n) {
  int k = 0;
  while ((2 << k) <= n) ++k;
  return k;
}
constexpr int ceil_log2(int n) { return floor_log2(n) + ((1 << floor_log2(n)) < n); }
/// Messages of all that is sent more where ranks are no power of two: some join others before, and are told after.
constexpr int folded(int n) { return (1 << floor_log2(n)) == n ? 0 : 2; }
}  // namespace detail

/// Ranks along an axis of a mesh, where they are, and what their collectives take.
///
/// source  Thakur, Rabenseifner and Gropp, Optimization of Collective Communication Operations in MPICH, 2005
/// example test/unit/dist/network.cpp  [formulas of an all_reduce]
class rank_group {
 public:
  /// So many, each `stride` ranks behind the one before it.
  rank_group(machine const& m, int ranks, int stride = 1)
      : m_(m),
        ranks_(ranks),
        inside_(std::clamp(m.ranks_a_node / stride, 1, ranks)),
        nodes_((ranks + inside_ - 1) / inside_),
        beside_(std::clamp(stride, 1, std::max(m.ranks_a_node, 1))) {}

  int ranks() const { return ranks_; }
  int nodes() const { return nodes_; }

  /// Of n bytes on each rank.
  toll all_reduce(double n) const {
    if (ranks_ == 1) return copied(n);
    return least({ring(2 * (ranks_ - 1), n, true), doubling(n, true), halving(n, 2, true)});
  }
  /// n bytes of one rank come to all.
  toll broadcast(double n) const {
    if (ranks_ == 1) return copied(0);
    return least({doubling(n, false), halving(n, 2, false)});
  }
  /// n bytes of each rank come to all.
  toll all_gather(double n) const {
    if (ranks_ == 1) return copied(n);
    return least({ring(ranks_ - 1, n * ranks_, false), halving(n * ranks_, 1, false)});
  }
  /// n bytes on each rank, of which each gets its part of the sum.
  toll reduce_scatter(double n) const {
    if (ranks_ == 1) return copied(n);
    return least({ring(ranks_ - 1, n, true), halving(n, 1, true)});
  }
  /// n bytes on each rank, a part for each.
  toll all_to_all(double n) const {
    if (ranks_ == 1) return copied(n);
    double const part = n / ranks_, near = inside_ - 1, far = ranks_ - inside_;
    double const latency = near * m_.inside.latency + far * m_.between.latency;
    toll const direct{algorithm::pairwise, latency + part * (near / m_.inside.bandwidth + far / out(inside_)), latency,
                      ranks_ - 1, share() * n};
    int const turns = detail::ceil_log2(ranks_);
    double const waited = turns * hop();
    return least(
        {direct, {algorithm::doubling, waited + turns * n / 2 / slowest(inside_), waited, turns, turns * n / 2}});
  }
  /// n bytes go to another rank, and as many come; of neighbours in a line one of a node's ranks sends out of it.
  toll permute(double n, bool to_a_neighbour) const {
    if (ranks_ == 1) return copied(n);
    return {algorithm::one_message, hop() + n / slowest(to_a_neighbour ? 1 : inside_), hop(), 1, n};
  }

 private:
  machine const& m_;
  int ranks_, inside_, nodes_, beside_;  // beside: groups like this one in a node

  double share() const { return double(ranks_ - 1) / ranks_; }
  double hop() const { return nodes_ > 1 ? std::max(m_.inside.latency, m_.between.latency) : m_.inside.latency; }
  /// Bytes a second to another node, for each of so many ranks of this group that send at once.
  double out(int at_once) const { return m_.between.bandwidth / (at_once * beside_); }
  double slowest(int at_once) const {
    if (nodes_ == 1) return m_.inside.bandwidth;
    return inside_ > 1 ? std::min(m_.inside.bandwidth, out(at_once)) : out(at_once);
  }
  static toll least(std::initializer_list<toll> all) {
    return std::min(all, [](toll const& a, toll const& b) { return a.seconds < b.seconds; });
  }
  toll copied(double n) const { return {algorithm::copy, 2 * n / m_.memory_rate(2 * n), 0, 0, 0}; }

  /// So many turns, in each a part of n bytes goes to the next rank.
  toll ring(int turns, double n, bool adds) const {
    double const waited = turns * hop(), sent = turns * n / ranks_;
    return {algorithm::ring, waited + sent / slowest(1) + (adds ? share() * n / m_.added : 0), waited, turns, sent};
  }
  /// All of n bytes in each turn, first inside of nodes, then between them.
  toll doubling(double n, bool adds) const {
    int const near = detail::floor_log2(inside_) + detail::folded(inside_),
              far = detail::floor_log2(nodes_) + detail::folded(nodes_);
    double const waited = near * m_.inside.latency + far * m_.between.latency;
    double const moved = near * n / m_.inside.bandwidth + far * n / out(inside_);
    return {algorithm::doubling, waited + moved + (adds ? (near + far) * n / m_.added : 0), waited, near + far,
            (near + far) * n};
  }
  /// Half of what is left in each turn, to partners inside of nodes first, then between them; and back, where there
  /// are two ways.
  toll halving(double n, int ways, bool adds) const {
    int const near = ways * detail::floor_log2(inside_), far = ways * detail::floor_log2(nodes_);
    int const more_near = detail::folded(inside_), more_far = detail::folded(nodes_);
    double const waited = (near + more_near) * m_.inside.latency + (far + more_far) * m_.between.latency;
    double const part = n / inside_;
    double const sent_near = ways * (n - part) + more_near * n,
                 sent_far = ways * (part - part / nodes_) + more_far * part;
    double const moved = sent_near / m_.inside.bandwidth + sent_far / out(inside_);
    return {algorithm::halving, waited + moved + (adds ? share() * n / m_.added : 0), waited,
            near + far + more_near + more_far, sent_near + sent_far};
  }
};

}  // namespace etna::dist

#include <etna/set_back.hpp>
