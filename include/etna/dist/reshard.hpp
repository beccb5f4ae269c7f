// SPDX-License-Identifier: BSD-3-Clause
// The steps of a plan gone through, on bytes. Read next: padding.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include "collectives.hpp"
#include "reshard_plan.hpp"

namespace etna::dist::detail {

/// Bytes that this process holds while it goes through a plan.
struct block {
  std::unique_ptr<std::byte[]> bytes;
  std::size_t size = 0;
  explicit block(std::size_t n) : bytes(new std::byte[n]), size(n) {}
};

/// [p, q, n bytes] -> [q, p, n bytes].
inline void interchange(std::byte const* in, std::byte* out, std::size_t p, std::size_t q, std::size_t n) {
  if (n == 0) return;
  for (std::size_t i = 0; i < p; ++i)
    for (std::size_t j = 0; j < q; ++j) std::memcpy(out + (j * p + i) * n, in + (i * q + j) * n, n);
}

/// An array's sizes about one axis: how many are before it, along it, and the bytes of one along it.
struct about_axis {
  std::size_t before = 1, along, one;
  about_axis(std::span<extent const> shape, std::size_t item, int axis)
      : along(std::size_t(shape[std::size_t(axis)])), one(item) {
    for (int i = 0; i < int(shape.size()); ++i)
      if (i != axis) (i < axis ? before : one) *= std::size_t(shape[std::size_t(i)]);
  }
  std::size_t bytes() const { return before * along * one; }
};

/// Waits with the memory that the collective uses.
inline void meet(process_group& g, ticket t, block& in, block& out) {
  std::unique_ptr<std::byte[]> both[] = {std::move(in.bytes), std::move(out.bytes)};
  wait_for(g, t, both, 2);
  in.bytes = std::move(both[0]);
  out.bytes = std::move(both[1]);
}

/// Part `place` of n along an axis.
inline block sliced(std::byte const* in, about_axis const& a, int n, int place) {
  block out(a.bytes() / std::size_t(n));
  std::size_t const row = a.along * a.one, part = row / std::size_t(n);
  for (std::size_t i = 0; i < a.before && part > 0; ++i)
    std::memcpy(out.bytes.get() + i * part, in + i * row + std::size_t(place) * part, part);
  return out;
}
inline block gathered(block in, about_axis const& a, process_group& g) {
  std::size_t const n = std::size_t(g.size());
  block parts(in.size * n);
  meet(g, g.all_gather(in.bytes.get(), parts.bytes.get(), in.size), in, parts);
  if (a.before == 1) return parts;
  block out(parts.size);
  interchange(parts.bytes.get(), out.bytes.get(), n, a.before, a.along * a.one);
  return out;
}
/// `to` is cut into parts, one for each process; those of all processes are put together along `from`.
inline block exchanged(block in, about_axis const& to, std::span<extent const> shape, std::size_t item, int from,
                       int to_axis, process_group& g) {
  std::size_t const n = std::size_t(g.size());
  block packed(in.size), parts(in.size);
  interchange(in.bytes.get(), packed.bytes.get(), to.before, n, to.along / n * to.one);
  meet(g, g.all_to_all(packed.bytes.get(), parts.bytes.get(), in.size / n), packed, parts);
  std::vector<extent> part(shape.begin(), shape.end());
  part[std::size_t(to_axis)] /= extent(n);
  about_axis const a(part, item, from);
  interchange(parts.bytes.get(), packed.bytes.get(), n, a.before, a.along * a.one);
  return packed;
}
inline block swapped(block in, mesh_here const& m, move const& s) {
  int places[living_mesh::most_axes];
  std::copy(m.place, m.place + m.axes, places);
  std::swap(places[s.along], places[s.with]);
  int const other = m.rank_of(places);  // maybe this one: a collective is posted by all
  block out(in.size);
  meet(*m.all, m.all->permute(in.bytes.get(), out.bytes.get(), in.size, other, other), in, out);
  return out;
}

/// One step, of a shard that has these sizes, which become those behind it.
inline block moved(block in, std::vector<extent>& shape, std::size_t item, mesh_here const& m, move const& s) {
  process_group& g = *m.along[s.along];
  int const n = m.size[s.along];
  switch (s.kind) {
    case move_kind::slice: in = sliced(in.bytes.get(), {shape, item, s.to}, n, m.place[s.along]); break;
    case move_kind::all_gather: in = gathered(std::move(in), {shape, item, s.from}, g); break;
    case move_kind::all_to_all: in = exchanged(std::move(in), {shape, item, s.to}, shape, item, s.from, s.to, g); break;
    case move_kind::swap: return swapped(std::move(in), m, s);
  }
  if (s.from >= 0) shape[std::size_t(s.from)] *= n;
  if (s.to >= 0) shape[std::size_t(s.to)] /= n;
  return in;
}

/// All steps, from the bytes of this process's shard. All processes of the mesh call it, where a step is a collective.
///
/// end     divides the whole
inline block resharded(std::byte const* shard, std::span<extent const> whole, std::size_t item, mesh_here const& m,
                       cut const& begin, cut const& end) {
  std::vector<extent> shape = shard_of(whole, m, begin);
  auto const moves = plan_reshard(whole, item, m, begin, end).moves;
  std::size_t done = 0;
  auto first = [&] {
    if (!moves.empty() && moves[0].kind == move_kind::slice) {  // it leaves the shard as it is: no copy
      move const& s = moves[done++];
      block r = sliced(shard, {shape, item, s.to}, m.size[s.along], m.place[s.along]);
      shape[std::size_t(s.to)] /= m.size[s.along];
      return r;
    }
    std::size_t bytes = item;
    for (extent n : shape) bytes *= std::size_t(n);
    block r(bytes);
    if (bytes > 0) std::memcpy(r.bytes.get(), shard, bytes);
    return r;
  };
  block r = first();
  while (done < moves.size()) r = moved(std::move(r), shape, item, m, moves[done++]);
  return r;
}

/// The shard of a process at these places, of an array that is whole here.
inline block part_of(std::byte const* whole, std::span<extent const> sizes, std::size_t item, mesh_here m,
                     int const* places, cut const& c) {
  std::copy(places, places + m.axes, m.place);
  return resharded(whole, sizes, item, m, {}, c);
}

}  // namespace etna::dist::detail

#include <etna/set_back.hpp>
