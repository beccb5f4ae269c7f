// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <etna/dist/reshard_plan.hpp>
#include <random>

using namespace etna;
using namespace etna::dist::detail;

namespace {
mesh_here mesh_of(std::vector<int> const& sizes) {
  mesh_here m;
  for (int n : sizes) m.size[m.axes++] = n;
  return m;
}
reshard_plan plan(std::vector<extent> const& whole, std::vector<int> const& mesh, cut const& from, cut const& to) {
  return plan_reshard(whole, 4, mesh_of(mesh), from, to);
}
constexpr int no = -1;
}  // namespace

TEST_CASE("one step where one does") {
  auto p = plan({8, 8}, {4}, {{no}}, {{0}});
  CHECK(p.moves.size() == 1);
  CHECK(p.moves[0].kind == move_kind::slice);
  CHECK(p.bytes == 0);
  p = plan({8, 8}, {4}, {{1}}, {{no}});
  CHECK(p.moves.size() == 1);
  CHECK(p.moves[0].kind == move_kind::all_gather);
  CHECK(p.bytes == 3 * 8 * 2 * 4);
  p = plan({8, 8}, {4}, {{1}}, {{0}});
  CHECK(p.moves.size() == 1);
  CHECK(p.moves[0].kind == move_kind::all_to_all);
  CHECK(p.bytes == 3 * 8 * 8 * 4 / 4 / 4);
  CHECK(plan({8, 8}, {4}, {{1}}, {{1}}).moves.empty());
}
TEST_CASE("an axis of one moves nothing") { CHECK(plan({8, 8}, {1, 1}, {{0, no}}, {{no, 1}}).moves.empty()); }
TEST_CASE("cuts that change places") {
  // of equal sizes: shards are exchanged
  auto p = plan({8, 8}, {2, 2}, {{0, 1}}, {{1, 0}});
  CHECK(p.moves.size() == 1);
  CHECK(p.moves[0].kind == move_kind::swap);
  // of others a third axis takes one of them meanwhile, if it can
  p = plan({8, 8, 8}, {2, 4}, {{0, 1, no, no}}, {{1, 0, no, no}});
  CHECK(p.moves.size() == 3);
  for (auto const& s : p.moves) CHECK(s.kind == move_kind::all_to_all);
  // and if not, one is gathered, and cut again
  p = plan({8, 8, 7}, {2, 4}, {{0, 1, no, no}}, {{1, 0, no, no}});
  CHECK(p.moves.size() == 3);
  CHECK(p.moves[0].kind == move_kind::all_gather);
}
TEST_CASE("what gets cut is cut before others are gathered") {
  auto const p = plan({8, 8}, {2, 4}, {{0, no}}, {{no, 1}});
  CHECK(p.moves.size() == 2);
  CHECK(p.moves[0].kind == move_kind::slice);
  CHECK(p.bytes == 1 * 4 * 2 * 4);
}
TEST_CASE("never more than to gather all, and each plan ends where it shall") {
  std::mt19937 chance(3);
  for (int turn = 0; turn < 300; ++turn) {
    std::vector<extent> whole(1 + chance() % 4);
    for (auto& n : whole) n = 12 * extent(1 + chance() % 3);
    std::vector<int> sizes(1 + chance() % 3);
    for (auto& n : sizes) n = 1 + int(chance() % 4);
    auto any_cut = [&] {
      cut c;
      std::vector<bool> taken(whole.size());
      for (std::size_t k = 0; k < sizes.size(); ++k)
        if (auto a = chance() % (whole.size() + 1); a < whole.size() && !taken[a]) {
          taken[a] = true;
          c.of[k] = int(a);
        }
      return c;
    };
    mesh_here const m = mesh_of(sizes);
    cut const from = any_cut(), to = any_cut();
    auto const p = plan_reshard(whole, 4, m, from, to);
    cut at = from;
    double bytes = 0, all = 4;
    for (extent n : whole) all *= double(n);
    auto shard_bytes = [&] {
      double n = 4;
      for (extent e : shard_of(whole, m, at)) n *= double(e);
      return n;
    };
    double const alone = shard_bytes();
    for (auto const& s : p.moves) {
      bytes += bytes_of(s, m, shard_bytes());
      CHECK(at.of[s.along] == s.from);
      at.of[s.along] = s.to;
      if (s.with >= 0) at.of[s.with] = s.from;
    }
    for (int k = 0; k < m.axes; ++k) CHECK((m.size[k] == 1 || at.of[k] == to.of[k]));
    CHECK(bytes == p.bytes);
    CHECK(p.bytes <= all - alone);
  }
}
