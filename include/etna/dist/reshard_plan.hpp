// SPDX-License-Identifier: BSD-3-Clause
// From one cut of an array over a mesh to another: a list of steps along axes of the mesh, the cheapest there is.
// Read next: reshard.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <algorithm>
#include <cstring>
#include <memory>
#include <queue>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <etna/group/mesh.hpp>
#include <etna/array/type.hpp>

namespace etna::dist {

namespace detail {

/// A mesh without its type: sizes of its axes, where this process is, and with whom.
struct mesh_here {
  int axes = 0;
  int size[living_mesh::most_axes]{}, place[living_mesh::most_axes]{};
  process_group* along[living_mesh::most_axes]{};
  process_group* all = nullptr;
  /// The process that is at other places.
  int rank_of(int const* places) const {
    int r = 0;
    for (int k = 0; k < axes; ++k) r = r * size[k] + places[k];
    return r;
  }
};
template <any_mesh M> mesh_here here(M const& m) {
  mesh_here r;
  r.all = &m.all();
  for (r.axes = 0; r.axes < M::axes; ++r.axes) {
    r.size[r.axes] = m.size(r.axes);
    r.place[r.axes] = m.place(r.axes);
    r.along[r.axes] = &m.along(r.axes);
  }
  return r;
}

/// For each axis of a mesh the axis of the array that it cuts; -1: none.
struct cut {
  int of[living_mesh::most_axes] = {-1, -1, -1, -1};
  bool operator==(cut const&) const = default;
};

enum class move_kind : std::uint8_t { slice, all_gather, all_to_all, swap };
/// One step, along axis `along` of the mesh: `from` is whole afterwards, `to` is cut. A swap gives what this axis of
/// the mesh cuts to another, `with`, of the same size: processes whose places along them are exchanged meet.
struct move {
  move_kind kind;
  int along, from, to, with = -1;
};
struct reshard_plan {
  std::vector<move> moves;
  double bytes = 0;  // that each process receives
};

/// The sizes of a shard.
inline std::vector<extent> shard_of(std::span<extent const> whole, mesh_here const& m, cut const& c) {
  std::vector<extent> r(whole.begin(), whole.end());
  for (int k = 0; k < m.axes; ++k)
    if (c.of[k] >= 0) r[std::size_t(c.of[k])] /= m.size[k];
  return r;
}

/// What can be done from a cut in one step: f(step, the cut behind it). An axis of an array has one cut at a time.
template <class F> void each_move(std::span<extent const> whole, mesh_here const& m, cut const& at, F const& f) {
  auto is_free = [&](int axis, int n) {
    return whole[std::size_t(axis)] % n == 0 && std::find(at.of, at.of + m.axes, axis) == at.of + m.axes;
  };
  for (int k = 0; k < m.axes; ++k) {
    if (m.size[k] == 1) continue;
    cut next = at;
    int const from = at.of[k];
    if (from >= 0) {
      next.of[k] = -1;
      f(move{move_kind::all_gather, k, from, -1}, next);
    }
    for (int to = 0; to < int(whole.size()); ++to)
      if (is_free(to, m.size[k])) {
        next.of[k] = to;
        f(move{from >= 0 ? move_kind::all_to_all : move_kind::slice, k, from, to}, next);
      }
    for (int with = k + 1; with < m.axes; ++with)
      if (m.size[with] == m.size[k] && at.of[with] != from) {
        next = at;
        std::swap(next.of[k], next.of[with]);
        f(move{move_kind::swap, k, from, at.of[with], with}, next);
      }
  }
}

/// What one process receives in a step.
inline double bytes_of(move const& s, mesh_here const& m, double shard_bytes) {
  double const n = m.size[s.along];
  switch (s.kind) {
    case move_kind::slice: return 0;
    case move_kind::all_gather: return shard_bytes * (n - 1);
    case move_kind::all_to_all: return shard_bytes * (n - 1) / n;
    case move_kind::swap: return shard_bytes;
  }
  return 0;
}

/// The cheapest way from one cut to another: the fewest bytes, and of these the fewest steps.
///
/// cost    Dijkstra's search over the cuts that there are
/// source  Rink et al., Memory-efficient array redistribution through portable collective communication, for the steps
inline reshard_plan plan_reshard(std::span<extent const> whole, std::size_t item, mesh_here const& m, cut begin,
                                 cut const& end) {
  for (int k = 0; k < m.axes; ++k)
    if (m.size[k] == 1) begin.of[k] = end.of[k];  // along an axis of one nothing moves
  std::size_t const base = whole.size() + 1;
  auto number = [&](cut const& c) {
    std::size_t r = 0;
    for (int k = 0; k < m.axes; ++k) r = r * base + std::size_t(c.of[k] + 1);
    return r;
  };
  struct reached {
    double bytes = -1;
    int steps = 0;
    bool done = false;
    cut before{};
    move by{};
  };
  struct candidate {
    double bytes;
    int steps;
    cut at;
    bool operator<(candidate const& o) const { return bytes != o.bytes ? bytes > o.bytes : steps > o.steps; }
  };
  std::vector<reached> all(number({{int(whole.size()), int(whole.size()), int(whole.size()), int(whole.size())}}) + 1);
  std::priority_queue<candidate> next;
  all[number(begin)].bytes = 0;
  next.push({0, 0, begin});
  while (!next.empty()) {
    candidate const now = next.top();
    next.pop();
    if (std::exchange(all[number(now.at)].done, true)) continue;
    if (now.at == end) break;
    double shard = double(item);
    for (extent n : shard_of(whole, m, now.at)) shard *= double(n);
    each_move(whole, m, now.at, [&](move const& s, cut const& to) {
      reached& r = all[number(to)];
      double const bytes = now.bytes + bytes_of(s, m, shard);
      if (r.done || (r.bytes >= 0 && std::pair(r.bytes, r.steps) <= std::pair(bytes, now.steps + 1))) return;
      r = {bytes, now.steps + 1, false, now.at, s};
      next.push({bytes, now.steps + 1, to});
    });
  }
  reshard_plan r;
  r.bytes = all[number(end)].bytes;
  for (cut at = end; !(at == begin); at = all[number(at)].before) r.moves.push_back(all[number(at)].by);
  std::reverse(r.moves.begin(), r.moves.end());
  return r;
}

}  // namespace detail

}  // namespace etna::dist

#include <etna/set_back.hpp>
