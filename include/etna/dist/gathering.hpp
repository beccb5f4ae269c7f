// SPDX-License-Identifier: BSD-3-Clause
// Sharded arrays cut otherwise, or whole again; trees of them too. Read next: placement.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <utility>

#include "padding.hpp"
#include <etna/array/path.hpp>

namespace etna::dist {

namespace detail {

/// A tree of f(x) of each sharded array, other leaves as they are.
template <class F, class T> auto over_sharded(F const& f, T const& t) {
  if constexpr (any_sharded<T>) return f(t);
  else if constexpr (tree::leaf<T>) return t;
  else
    return [&]<std::size_t... Nth>(std::index_sequence<Nth...>) {
      using tree::detail::child;
      return tree::detail::in_order<T, decltype(over_sharded(f, child<Nth>(t)))...>{over_sharded(f, child<Nth>(t))...}
          .r;
    }(std::make_index_sequence<tree::detail::child_count<T>>{});
}

/// All of a sharded array, as an A.
template <any_array A, any_sharded X> A gathered_as(X const& x) {
  using T = typename A::value_type;
  mesh_here const h = here(x.mesh());
  auto const sizes = x.padded_shape();
  check_alike(x.mesh().all(), sign_of_cut(sizes, sizeof(T), X::cut, {}), "gather");
  block all = resharded(block_in(x.local), sizes, sizeof(T), h, X::cut, {});
  auto const held = x.global_shape();
  return held == sizes ? array_of<A>(std::move(all), sizes) : without_padding<A>(all, sizes, held);
}
}  // namespace detail

/// The whole arrays, on all processes. Padding is left out. An array whose sizes would have too many names is gathered
/// as the type that is given: gather<array<float, "rows"_n>>(x).
///
/// errors  E029 the sizes would have too many names (while compiling), E168 to E170
/// source  JAX multihost_utils.process_allgather
template <any_sharded X> auto gather(X const& x) {
  if constexpr (any_array<typename X::whole>) return detail::gathered_as<typename X::whole>(x);
  else return global_of<typename X::shard, typename X::mesh_type, typename X::spec_type>();  // says why not
}
template <any_array A, any_sharded X> auto gather(X const& x) { return detail::gathered_as<A>(x); }
template <tree::any_tree T> requires(!any_sharded<T>)
auto gather(T const& t) {
  return detail::over_sharded([](auto const& x) { return dist::gather(x); }, t);
}

namespace detail {
template <any_sharded To, any_sharded X> To resharded_as(X const& x) {
  using T = typename X::shard::value_type;
  if constexpr (To::cut == X::cut) return {typename To::shard(x.local)};
  else {
    mesh_here const h = here(x.mesh());
    auto const sizes = x.global_shape();
    check_divides(sizes, h, To::cut, "reshard");
    check_alike(x.mesh().all(), sign_of_cut(sizes, sizeof(T), X::cut, To::cut), "reshard");
    return {array_of<typename To::shard>(resharded(block_in(x.local), sizes, sizeof(T), h, X::cut, To::cut),
                                         shard_of(sizes, h, To::cut))};
  }
}
}  // namespace detail

/// The same arrays, cut as S says: by slices where an axis gets cut, all_to_all where a cut moves to another axis,
/// all_gather where one ends, exchange of shards where another axis of the mesh cuts; of all ways the one that moves
/// the fewest bytes. What has padding is gathered, and padded anew: device_put_padded<S>(m, gather(x)).
///
/// errors  E173 to E176, E168 to E170
/// source  JAX reshard, device_put
template <any_spec S, detail::evenly_sharded X> auto reshard(X const& x) {
  using M = typename X::mesh_type;
  if constexpr (!any_array<typename X::whole>)
    return global_of<typename X::shard, M, typename X::spec_type>();  // says why not
  else return detail::resharded_as<sharded<local_of<typename X::whole, M, S>, M, S>>(x);
}
/// With the type of the shard, where the mesh's size is told at the start.
template <any_spec S, any_array L, detail::evenly_sharded X> auto reshard(X const& x) {
  return detail::resharded_as<sharded<L, typename X::mesh_type, S>>(x);
}
template <any_spec S, tree::any_tree T> requires(!any_sharded<T> && !tree::leaf<T>)
auto reshard(T const& t) {
  return detail::over_sharded([](auto const& x) { return dist::reshard<S>(x); }, t);
}

}  // namespace etna::dist

#include <etna/set_back.hpp>
