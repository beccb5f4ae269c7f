// SPDX-License-Identifier: BSD-3-Clause
// The steps of a plan gone through, on bytes. Read next: padding.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include "collectives.hpp"
#include "reshard_plan.hpp"
#include <etna/array/storage.hpp>

namespace etna::dist::detail {

/// Memory of arrays that this process holds while it goes through a plan, from the pool; that of an array is shared,
/// and never written.
class block {
 public:
  explicit block(std::size_t n) : memory_(memory::allocate(n)), size_(n) {}
  block(memory_block* shared, std::size_t n) : memory_(shared), size_(n) { retain(shared); }
  block(block&& o) noexcept : memory_(std::exchange(o.memory_, nullptr)), size_(o.size_) {}
  block& operator=(block&& o) noexcept {
    std::swap(memory_, o.memory_);
    std::swap(size_, o.size_);
    return *this;
  }
  ~block() { release(memory_); }
  std::byte* data() const { return static_cast<std::byte*>(memory_->data); }
  std::size_t size() const { return size_; }
  /// For an array that takes it; or for nobody, where a collective may still use it.
  memory_block* give() { return std::exchange(memory_, nullptr); }

 private:
  memory_block* memory_;
  std::size_t size_;
};
inline block block_of(void const* bytes, std::size_t n) {
  block r(n);
  if (n > 0) std::memcpy(r.data(), bytes, n);
  return r;
}

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

/// Waits; where that throws, the collective may still use both.
inline void meet(process_group& g, ticket t, block& in, block& out) {
  try {
    g.wait(t);
  } catch (...) {
    (void)in.give();
    (void)out.give();
    throw;
  }
}

/// Part `place` of n along an axis.
inline block sliced(block const& in, about_axis const& a, int n, int place) {
  block out(a.bytes() / std::size_t(n));
  std::size_t const row = a.along * a.one, part = row / std::size_t(n);
  for (std::size_t i = 0; i < a.before && part > 0; ++i)
    std::memcpy(out.data() + i * part, in.data() + i * row + std::size_t(place) * part, part);
  return out;
}
inline block gathered(block in, about_axis const& a, process_group& g) {
  std::size_t const n = std::size_t(g.size());
  block parts(in.size() * n);
  meet(g, g.all_gather(in.data(), parts.data(), in.size()), in, parts);
  if (a.before == 1) return parts;
  block out(parts.size());
  interchange(parts.data(), out.data(), n, a.before, a.along * a.one);
  return out;
}
/// `to` is cut into parts, one for each process; those of all processes are put together along `from`.
inline block exchanged(block in, about_axis const& to, std::span<extent const> shape, std::size_t item, int from,
                       int to_axis, process_group& g) {
  std::size_t const n = std::size_t(g.size());
  block packed(in.size()), parts(in.size());
  interchange(in.data(), packed.data(), to.before, n, to.along / n * to.one);
  meet(g, g.all_to_all(packed.data(), parts.data(), in.size() / n), packed, parts);
  std::vector<extent> part(shape.begin(), shape.end());
  part[std::size_t(to_axis)] /= extent(n);
  about_axis const a(part, item, from);
  interchange(parts.data(), packed.data(), n, a.before, a.along * a.one);
  return packed;
}
inline block swapped(block in, mesh_here const& m, move const& s) {
  int places[living_mesh::most_axes];
  std::copy(m.place, m.place + m.axes, places);
  std::swap(places[s.along], places[s.with]);
  int const other = m.rank_of(places);  // maybe this one: a collective is posted by all
  block out(in.size());
  meet(*m.all, m.all->permute(in.data(), out.data(), in.size(), other, other), in, out);
  return out;
}

/// One step, of a shard that has these sizes, which become those behind it.
inline block moved(block in, std::vector<extent>& shape, std::size_t item, mesh_here const& m, move const& s) {
  process_group* const g = m.along[s.along];  // none where no step is a collective
  int const n = m.size[s.along];
  switch (s.kind) {
    case move_kind::slice: in = sliced(in, {shape, item, s.to}, n, m.place[s.along]); break;
    case move_kind::all_gather: in = gathered(std::move(in), {shape, item, s.from}, *g); break;
    case move_kind::all_to_all:
      in = exchanged(std::move(in), {shape, item, s.to}, shape, item, s.from, s.to, *g);
      break;
    case move_kind::swap: return swapped(std::move(in), m, s);
  }
  if (s.from >= 0) shape[std::size_t(s.from)] *= n;
  if (s.to >= 0) shape[std::size_t(s.to)] /= n;
  return in;
}

/// All steps, from this process's shard; where there is none, what comes back is that. All processes of the mesh call
/// it, where a step is a collective.
///
/// end     divides the whole
inline block resharded(block shard, std::span<extent const> whole, std::size_t item, mesh_here const& m,
                       cut const& begin, cut const& end) {
  std::vector<extent> shape = shard_of(whole, m, begin);
  for (move const& s : plan_reshard(whole, item, m, begin, end).moves)
    shard = moved(std::move(shard), shape, item, m, s);
  return shard;
}

/// The shard of a process at these places, of an array that is whole here.
inline block part_of(block whole, std::span<extent const> sizes, std::size_t item, mesh_here m, int const* places,
                     cut const& c) {
  std::copy(places, places + m.axes, m.place);
  return resharded(std::move(whole), sizes, item, m, {}, c);
}

}  // namespace etna::dist::detail

#include <etna/set_back.hpp>
