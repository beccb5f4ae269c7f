// SPDX-License-Identifier: BSD-3-Clause
// Arrays brought onto a mesh; trees of them too. Read next: visualize.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include "devices.hpp"
#include "gathering.hpp"

namespace etna::dist {

namespace detail {

template <any_sharded To, any_mesh M, any_array A> To placed(M const& m, A const& whole) {
  auto const sizes = whole.shape();
  mesh_here const h = here(m);
  check_divides(sizes, h, To::cut, "device_put");
  return {array_of<typename To::shard>(resharded(block_in(whole), sizes, sizeof(*whole.data()), h, {}, To::cut),
                                       shard_of(sizes, h, To::cut))};
}

}  // namespace detail

/// This process's shards of arrays that every process has, each cut as S says; nothing is sent.
///
///     auto const x = dist::device_put<spec<"data"_n>>(m, images);  // array<float, 48, 784> -> 12 rows each, of four
///
/// errors  E173, E174, E175 (while compiling), E176 the mesh does not divide a size that is known at run time only
/// source  JAX device_put
/// example test/unit/dist/placement.cpp  [there and back]
template <any_spec S, any_mesh M, any_array A> auto device_put(M const& m, A const& whole) {
  return detail::placed<sharded<local_of<A, M, S>, M, S>>(m, whole);
}
/// The same with the type of the shard, where the mesh's size is told at the start: device_put<spec<"data"_n>,
/// array<float, "n"_n, 784>>(m, images).
///
/// errors  E112 the shard has other sizes
template <any_spec S, any_array L, any_mesh M, any_array A> auto device_put(M const& m, A const& whole) {
  return detail::placed<sharded<L, M, S>>(m, whole);
}
template <any_spec S, any_mesh M, tree::any_tree T> requires(!tree::leaf<T>)
auto device_put(M const& m, T const& whole) {
  return tree::map([&](any_array auto const& x) { return dist::device_put<S>(m, x); }, whole);
}
/// The same by a rule, which has the spec of each leaf's path:
///
///     dist::device_put(m, p, [](auto path) {
///       if constexpr (path.ends_with("kernel")) return spec<none, "model"_n>{};
///       else return spec<>{};
///     });
template <any_mesh M, tree::any_tree T, class Rule> requires(!tree::leaf<T>)
auto device_put(M const& m, T const& whole, Rule const& rule) {
  return tree::map_with_path(
      [&](auto path, any_array auto const& x) { return dist::device_put<decltype(rule(path))>(m, x); }, whole);
}

/// The same of what process `root` of the mesh has: it sends to each its shard. What the others give tells sizes only.
///
/// errors  as device_put; E168 to E170
/// source  MPI_Scatter
template <any_spec S, any_mesh M, any_array A> auto device_put_from(M const& m, int root, A const& whole) {
  using R = sharded<local_of<A, M, S>, M, S>;
  auto const sizes = whole.shape();
  std::size_t const item = sizeof(*whole.data());
  detail::mesh_here const h = detail::here(m);
  detail::check_divides(sizes, h, R::cut, "device_put_from");
  detail::check_alike(m.all(), detail::sign_of_cut(sizes, item, {}, R::cut) + std::uint64_t(root), "device_put_from");
  std::size_t bytes = item;
  auto const shard = detail::shard_of(sizes, h, R::cut);
  for (extent n : shard) bytes *= std::size_t(n);
  bool const sends = m.all().rank() == root;
  detail::block parts(sends ? bytes * std::size_t(m.all().size()) : 0), own(bytes);
  for (int r = 0; sends && r < m.all().size(); ++r) {
    int places[living_mesh::most_axes]{};
    for (int k = 0; k < M::axes; ++k) places[k] = detail::place_along(r, h.size, M::axes, k);
    auto const part = detail::part_of(detail::block_in(whole), sizes, item, h, places, R::cut);
    if (bytes > 0) std::memcpy(parts.data() + std::size_t(r) * bytes, part.data(), bytes);
  }
  detail::meet(m.all(), m.all().scatter(parts.data(), own.data(), bytes, root), parts, own);
  return R{detail::array_of<typename R::shard>(std::move(own), shard)};
}

template <any_spec S, any_mesh M, tree::any_tree T> requires(!tree::leaf<T>)
auto device_put_from(M const& m, int root, T const& whole) {
  return tree::map([&](any_array auto const& x) { return dist::device_put_from<S>(m, root, x); }, whole);
}

/// The same where the mesh's sizes need not divide the array's: shards are as long as the first, and `fill` stands
/// behind the end. gather leaves the padding out; what else is computed sees it (held() says how much is not).
///
/// shape   [10], "data" of 4 -> [3], of which the last has one of the array's and two of fill
/// source  JAX has none: arrays are padded by hand there
template <any_spec S, any_mesh M, any_array A> requires(A::is_static)
auto device_put_padded(M const& m, A const& whole, typename A::value_type fill = {}) {
  using R = sharded<padded_local_of<A, M, S>, M, S, A>;
  detail::mesh_here const h = detail::here(m);
  auto sizes = whole.shape();
  for (int k = 0; k < M::axes; ++k)
    if (R::cut.of[k] >= 0) {
      auto& n = sizes[std::size_t(R::cut.of[k])];
      n = (n + h.size[k] - 1) / h.size[k] * h.size[k];
    }
  auto all = detail::padded(whole, sizes, fill);
  return R{detail::array_of<typename R::shard>(detail::resharded(std::move(all), sizes, sizeof(fill), h, {}, R::cut),
                                               detail::shard_of(sizes, h, R::cut))};
}

/// The tree of process 0, on all.
///
/// errors  E168 to E170
/// source  JAX multihost_utils.broadcast_one_to_all
template <any_mesh M, tree::any_tree T> T replicate(M const& m, T const& t) { return dist::broadcast(m.all(), t); }

}  // namespace etna::dist

#include <etna/set_back.hpp>
