// SPDX-License-Identifier: BSD-3-Clause
// Formulas of collectives: beside algorithms that are played through message by message, and what must hold of any.
#include <doctest/doctest.h>

#include <etna/dist/network.hpp>
#include <vector>

using namespace etna;
using dist::algorithm;

namespace {
dist::machine of_links(dist::link inside, dist::link between, int ranks_a_node) {
  dist::machine m;
  m.memory = 1e10;
  m.inside = inside;
  m.between = between;
  m.ranks_a_node = ranks_a_node;
  return m;
}

/// Ranks that exchange messages in turns, over links that are all alike: the clock of a turn is that of its longest
/// message, messages of both directions go at once. They hold, of each part of the sum, whose addends they have.
struct played {
  int ranks, parts;
  double part;  // bytes
  dist::link l;
  std::vector<std::vector<std::uint64_t>> has;  // by rank and part: a bit for each addend
  double seconds = 0, sent = 0;                 // sent by rank 0
  int messages = 0;                             // of rank 0

  played(int ranks, int parts, double n, dist::link l) : ranks(ranks), parts(parts), part(n / parts), l(l) {
    for (int r = 0; r < ranks; ++r) has.emplace_back(std::size_t(parts), std::uint64_t(1) << r);
  }
  /// Each rank sends parts to another: where(rank), which(rank, part).
  template <class Where, class Which> void turn(Where const& where, Which const& which) {
    auto const before = has;
    double longest = 0;
    for (int r = 0; r < ranks; ++r) {
      double bytes = 0;
      for (int k = 0; k < parts; ++k)
        if (which(r, k)) {
          bytes += part;
          has[std::size_t(where(r))][std::size_t(k)] |= before[std::size_t(r)][std::size_t(k)];
        }
      longest = std::max(longest, l.latency + bytes / l.bandwidth);
      if (r == 0) sent += bytes, ++messages;
    }
    seconds += longest;
  }
  bool all_have_all() const {
    for (auto const& of_rank : has)
      for (std::uint64_t bits : of_rank)
        if (bits != (std::uint64_t(1) << ranks) - 1) return false;
    return true;
  }
};
played ring(int p, double n, dist::link l) {
  played x(p, p, n, l);
  for (int t = 0; t < 2 * (p - 1); ++t)
    x.turn([&](int r) { return (r + 1) % p; }, [&](int r, int k) { return k == ((r - t) % p + p) % p; });
  return x;
}
played doubling(int p, double n, dist::link l) {
  played x(p, 1, n, l);
  for (int far = 1; far < p; far *= 2) x.turn([&](int r) { return r ^ far; }, [](int, int) { return true; });
  return x;
}
played halving(int p, double n, dist::link l) {
  played x(p, p, n, l);
  int turn = 0;
  // before the turn `far` a rank still has to add the parts whose lower bits are its own; it gives its partner's away
  auto same_below = [](int r, int k, int bits) { return ((r ^ k) & (bits - 1)) == 0; };
  for (int far = 1; far < p; far *= 2, ++turn)
    x.turn([&](int r) { return r ^ far; },
           [&](int r, int k) { return same_below(r, k, far) && same_below(r ^ far, k, 2 * far); });
  for (int far = p / 2; far >= 1; far /= 2)
    x.turn([&](int r) { return r ^ far; }, [&](int r, int k) { return same_below(r, k, 2 * far); });
  return x;
}
void same(dist::toll const& t, algorithm by, played const& x) {
  CHECK(t.by == by);
  CHECK(x.all_have_all());
  CHECK(t.seconds == doctest::Approx(x.seconds).epsilon(1e-12));
  CHECK(t.messages == x.messages);
  CHECK(t.sent == doctest::Approx(x.sent).epsilon(1e-12));
  CHECK(t.latency == doctest::Approx(x.messages * x.l.latency).epsilon(1e-12));
}
}  // namespace

TEST_CASE("formulas of an all_reduce: those of messages that are played through") {
  dist::link const l{2e-6, 1e9};
  for (int p : {2, 4, 8, 32}) {
    dist::machine const m = of_links(l, l, 64);
    dist::rank_group const g(m, p);
    same(g.all_reduce(8), algorithm::doubling, doubling(p, 8, l));
    if (p > 2) same(g.all_reduce(1 << 20), algorithm::halving, halving(p, 1 << 20, l));
  }
  dist::machine const m = of_links(l, l, 64);
  same(dist::rank_group(m, 7).all_reduce(7 << 20), algorithm::ring, ring(7, 7 << 20, l));
  same(dist::rank_group(m, 12).all_reduce(12 << 20), algorithm::ring, ring(12, 12 << 20, l));
  // where latency is all, ranks that are no power of two join others before, and are told after
  CHECK(dist::rank_group(m, 12).all_reduce(8).messages == 3 + 2);
}
TEST_CASE("one rank copies, and sends nothing") {
  dist::machine const m = of_links({1e-6, 1e9}, {1e-6, 1e9}, 1);
  dist::rank_group const alone(m, 1);
  for (dist::toll const& t : {alone.all_reduce(1e6), alone.all_gather(1e6), alone.reduce_scatter(1e6),
                              alone.all_to_all(1e6), alone.permute(1e6, true)}) {
    CHECK(t.by == algorithm::copy);
    CHECK(t.seconds == doctest::Approx(2e6 / 1e10));
    CHECK(t.messages == 0);
    CHECK(t.sent == 0);
  }
}
TEST_CASE("an all_reduce is a reduce_scatter and an all_gather, or less") {
  dist::machine const m = of_links({5e-7, 2e10}, {1.5e-6, 12.5e9}, 4);
  for (int p : {2, 4, 8, 64, 100, 4096})
    for (double n : {8.0, 1e4, 1e6, 1e9}) {
      dist::rank_group const g(m, p);
      CHECK(g.all_reduce(n).seconds <= 1.0001 * (g.reduce_scatter(n).seconds + g.all_gather(n / p).seconds));
      // no way around what leaves a node: most of n, once there and once back
      if (p > 4) CHECK(g.all_reduce(n).seconds >= 2 * (1 - 4.0 / p) * n / 12.5e9);
      CHECK(g.all_reduce(2 * n).seconds >= g.all_reduce(n).seconds);
      CHECK(dist::rank_group(m, 2 * p).all_reduce(n).seconds >= g.all_reduce(n).seconds);
    }
}
TEST_CASE("groups of a node share the way out of it") {
  dist::machine const m = of_links({0, 1e12}, {0, 1e9}, 4);
  // 16 ranks one behind the other: one ring leaves each node once; 4 nodes' ranks 4 apart: four rings do
  CHECK(dist::rank_group(m, 16).permute(1e6, true).seconds == doctest::Approx(1e-3));
  CHECK(dist::rank_group(m, 4, 4).permute(1e6, true).seconds == doctest::Approx(4e-3));
  CHECK(dist::rank_group(m, 4).nodes() == 1);
  CHECK(dist::rank_group(m, 4, 4).nodes() == 4);
  CHECK(dist::rank_group(m, 4, 2).nodes() == 2);
  CHECK(dist::rank_group(m, 4).all_reduce(1e6).seconds < 1e-5);
}
TEST_CASE("additions count where the machine says what they take") {
  dist::machine m = of_links({0, 1e9}, {0, 1e9}, 8);
  double const before = dist::rank_group(m, 2).all_reduce(1e6).seconds;
  m.added = 1e9;
  CHECK(dist::rank_group(m, 2).all_reduce(1e6).seconds > before + 4e-4);
  CHECK(dist::rank_group(m, 2).all_gather(1e6).seconds == doctest::Approx(1e-3));
}
TEST_CASE("a step takes its operations or its bytes") {
  dist::machine m;
  m.product_f32 = 100e9, m.product_f64 = 50e9, m.kernel_f32 = 10e9, m.kernel_f64 = 5e9, m.memory = 20e9;
  CHECK(m.seconds(1e9, 1e6, dtype::f32, true) == doctest::Approx(0.01));
  CHECK(m.seconds(1e9, 1e6, dtype::f64, true) == doctest::Approx(0.02));
  CHECK(m.seconds(1e9, 1e6, dtype::f32, false) == doctest::Approx(0.1));
  CHECK(m.seconds(1e9, 1e6, dtype::f64, false) == doctest::Approx(0.2));
  CHECK(m.seconds(1e6, 20e9, dtype::f64, false) == doctest::Approx(1));
  CHECK(m.seconds(0, 0, dtype::f32, true) == 0);
  m.caches = {{1e5, 100e9}, {1e6, 50e9}};
  CHECK(m.seconds(0, 1e5, dtype::f32, false) == doctest::Approx(1e-6));
  CHECK(m.seconds(0, 1e6, dtype::f32, false) == doctest::Approx(20e-6));
  CHECK(m.seconds(0, 2e6, dtype::f32, false) == doctest::Approx(100e-6));
}
