// SPDX-License-Identifier: BSD-3-Clause
// Numbers for tests: arrays that look random, and a number that stands for all bits of a tree.
#pragma once
#include <cmath>
#include <cstdint>
#include <etna/etna.hpp>

namespace test {

using namespace etna;

/// Numbers in [lo, hi) that look random; the same for the same seed.
template <class A>
A some(int seed = 1, double lo = -1, double hi = 1, std::array<extent, std::size_t(A::rank)> sizes = A::extents) {
  extent n = 1;
  for (extent e : sizes) n *= e;
  return A::build(
      [&](auto* o) {
        std::uint32_t s = std::uint32_t(seed) * 2654435761u + 12345u;
        for (extent i = 0; i < n; ++i) {
          s = s * 1664525u + 1013904223u;
          using T = std::remove_cvref_t<decltype(*o)>;
          double u = lo + (hi - lo) * ((s >> 8) / 16777216.);
          if constexpr (is_real<T>) o[i] = T(u);
          else o[i] = T(std::int64_t(std::floor(u)));  // a negative number wraps in an unsigned type
        }
      },
      sizes);
}
template <class A> A some(int seed, std::array<extent, std::size_t(A::rank)> sizes) {
  return some<A>(seed, -1, 1, sizes);
}

/// FNV-1a over bytes, as test/data/writer.py has it.
inline std::uint64_t fnv(void const* bytes, std::size_t n, std::uint64_t h = 14695981039346656037u) {
  auto const* p = static_cast<unsigned char const*>(bytes);
  for (std::size_t i = 0; i < n; ++i) h = (h ^ p[i]) * 1099511628211u;
  return h;
}
/// The same over the bytes of all leaves.
template <class Tree> std::uint64_t bits_of(Tree const& t) {
  std::uint64_t h = fnv(nullptr, 0);
  tree::for_each([&](auto const& x) { h = fnv(x.data(), std::size_t(x.size()) * sizeof(*x.data()), h); }, t);
  return h;
}

}  // namespace test
