// SPDX-License-Identifier: BSD-3-Clause
// Arrays as bytes and back, and with padding, where the sizes of a mesh do not divide theirs. Read next: gathering.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <algorithm>
#include <array>
#include <span>
#include <string>

#include "reshard.hpp"
#include "sharded.hpp"

namespace etna::dist {

namespace detail {

/// The memory of an array, shared where it is a block of its own.
template <any_array A> block block_in(A const& x) {
  auto const* from = x.data();
  std::size_t const bytes = std::size_t(x.size()) * sizeof(*from);
  memory_block* const own = etna::detail::access::memory_of(x);
  return own && own->data == from ? block(own, bytes) : block_of(from, bytes);
}
/// An array of these sizes that takes the memory.
///
/// errors  E110, E112 they are not its extents
template <any_array A, class Sizes> A array_of(block from, Sizes const& sizes) {
  tensor_type t = A::type;
  std::copy(sizes.begin(), sizes.end(), t.e);
  memory::check_sizes(t.e, A::type.e, A::rank);
  if constexpr (ext::may_disagree(A::type)) ext::check_one(A::type, t.e);
  if constexpr (!A::in_object) return etna::detail::access::make<A>(t, from.give());
  else {
    A a = etna::detail::access::make<A>(t);
    if (from.size() > 0) std::memcpy(etna::detail::access::writable(a), from.data(), from.size());
    return a;
  }
}
/// E176 where the mesh does not divide the sizes.
inline void check_divides(std::span<extent const> whole, mesh_here const& m, cut const& c, char const* what) {
  for (int k = 0; k < m.axes; ++k)
    if (c.of[k] >= 0 && whole[std::size_t(c.of[k])] % m.size[k] != 0)
      message::raise<176>(std::string(what) + ": axis " + std::to_string(c.of[k]) + " of " +
                          sizes_text(whole.data(), whole.size()) + " is cut into " + std::to_string(m.size[k]));
}
/// What all ranks must say alike before they exchange shards.
inline std::uint64_t sign_of_cut(std::span<extent const> whole, std::size_t item, cut const& a, cut const& b) {
  std::uint64_t sign = 14695981039346656037ull ^ 16;
  auto add = [&](std::uint64_t x) { sign = (sign ^ x) * 1099511628211ull; };
  for (extent n : whole) add(std::uint64_t(n));
  add(item);
  for (int k = 0; k < living_mesh::most_axes; ++k) {
    add(std::uint64_t(a.of[k] + 1));
    add(std::uint64_t(b.of[k] + 1));
  }
  return sign;
}

/// The array with `fill` behind its ends, so that it has these sizes.
template <any_array A, class T> block padded(A const& x, std::span<extent const> sizes, T fill) {
  extent all = 1;
  for (extent n : sizes) all *= n;
  block r(std::size_t(all) * sizeof(T));
  T* out = reinterpret_cast<T*>(r.data());
  std::fill_n(out, all, fill);
  auto const from = x.shape();
  if constexpr (A::rank == 0) *out = x.data()[0];
  else if (x.size() > 0) {
    extent const row = from.back(), rows = x.size() / row;
    for (extent i = 0; i < rows; ++i) {
      extent to = 0, rest = i, step = sizes.back();
      for (int axis = A::rank - 2; axis >= 0; --axis) {
        to += rest % from[std::size_t(axis)] * step;
        rest /= from[std::size_t(axis)];
        step *= sizes[std::size_t(axis)];
      }
      std::copy_n(x.data() + i * row, row, out + to);
    }
  }
  return r;
}
/// The first `to` of each axis of an array of sizes `from`.
template <any_array A, class Sizes>
A without_padding(block const& all_of_it, std::span<extent const> from, Sizes const& to) {
  using T = typename A::value_type;
  auto const* in = reinterpret_cast<T const*>(all_of_it.data());
  extent all = 1;
  for (extent n : to) all *= n;
  return A::build(
      [&](T* out) {
        if constexpr (A::rank == 0) *out = *in;
        else if (all > 0)
          for (extent i = 0, row = to.back(); i < all / row; ++i) {
            extent at = 0, rest = i, step = from.back();
            for (int axis = A::rank - 2; axis >= 0; --axis) {
              at += rest % to[std::size_t(axis)] * step;
              rest /= to[std::size_t(axis)];
              step *= from[std::size_t(axis)];
            }
            std::copy_n(in + at, row, out + i * row);
          }
      },
      to);
}

}  // namespace detail

}  // namespace etna::dist

#include <etna/set_back.hpp>
