// SPDX-License-Identifier: BSD-3-Clause
// An array cut over a mesh: each process has its shard, and the type says of what. Read next: reshard.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <algorithm>
#include <array>
#include <ostream>
#include <string>

#include "reshard_plan.hpp"
#include "spec.hpp"
#include <etna/array/print.hpp>
#include <etna/array/tree.hpp>

namespace etna::dist {

namespace detail {
template <class L, class M, class S> constexpr auto find_whole() {
  if constexpr (global<L, M, S>::is_known) return global<L, M, S>::find();
  else return std::type_identity<void>{};
}
/// The whole's type; void where a size would have too many names.
template <class L, class M, class S> using whole_of = typename decltype(find_whole<L, M, S>())::type;

/// Which axis of an array each axis of the mesh cuts.
template <class M, class S> constexpr cut cut_by(int rank) {
  cut r;
  for (int i = 0; i < rank; ++i)
    if (int const k = mesh_axis_of<M, S>(i); k >= 0) r.of[k] = i;
  return r;
}
inline std::string sizes_text(extent const* n, std::size_t rank) {
  std::string s = "[";
  for (std::size_t i = 0; i < rank; ++i) s += (i ? ", " : "") + std::to_string(n[i]);
  return s + "]";
}
}  // namespace detail

/// This process's shard of an array that is cut over a mesh: a tree with one leaf, `local`. Trees of such are mapped,
/// given to compiled functions (which see shards) and saved like any other.
///
/// L       the shard's type
/// M       the mesh is the one of this type that was made last and lives
/// Whole   the whole array's type; where it is smaller than the shards together, the last ones end in padding
/// errors  E172 no mesh of this type lives
/// source  JAX Array with a NamedSharding
/// example test/unit/dist/sharded.cpp  [what a shard knows]
template <any_array L, any_mesh M, any_spec S, class Whole = detail::whole_of<L, M, S>> struct sharded {
  L local;

  static_assert(message::holds<detail::is_fine<typename detail::global<L, M, S>::wrong>,
                               typename detail::global<L, M, S>::wrong>);
  static constexpr auto names = tree::names("");  // a leaf's path is that of the array
  using shard = L;
  using mesh_type = M;
  using spec_type = S;
  using whole = Whole;
  static constexpr int rank = L::rank;
  static constexpr detail::cut cut = detail::cut_by<M, S>(rank);

  static M const& mesh() { return M::current(); }
  std::array<extent, std::size_t(rank)> shape() const { return local.shape(); }
  /// The sizes of the whole array, without padding.
  std::array<extent, std::size_t(rank)> global_shape() const {
    auto r = padded_shape();
    if constexpr (any_array<Whole>)
      for (int i = 0; i < rank; ++i)
        if (Whole::type.e[i] >= 0) r[std::size_t(i)] = Whole::type.e[i];
    return r;
  }
  /// Those of all shards together.
  std::array<extent, std::size_t(rank)> padded_shape() const {
    auto r = local.shape();
    for (int i = 0; i < rank; ++i)
      if (int const k = mesh_axis_of<M, S>(i); k >= 0) r[std::size_t(i)] *= mesh().size(k);
    return r;
  }
  /// Where this shard begins along each axis of the whole.
  std::array<extent, std::size_t(rank)> offset() const {
    auto r = local.shape();
    for (int i = 0; i < rank; ++i) {
      int const k = mesh_axis_of<M, S>(i);
      r[std::size_t(i)] = k >= 0 ? r[std::size_t(i)] * mesh().place(k) : 0;
    }
    return r;
  }
  /// How much of the shard along each axis is of the whole array; behind it is padding.
  std::array<extent, std::size_t(rank)> held() const {
    auto r = local.shape();
    auto const from = offset(), all = global_shape();
    for (std::size_t i = 0; i < r.size(); ++i) r[i] = std::clamp<extent>(all[i] - from[i], 0, r[i]);
    return r;
  }
};

namespace detail {
template <class T> struct is_sharded : std::false_type {};
template <class L, class M, class S, class W> struct is_sharded<sharded<L, M, S, W>> : std::true_type {};

/// "spec<data, none>", as people read it.
template <class M, class S> std::string spec_text() {
  std::string s = "spec<";
  for (int i = 0; i < S::named; ++i) s += (i ? ", " : "") + (S::cuts(i) ? ext::text_of(S::cuts(i)) : "none");
  return s + ">";
}
}  // namespace detail
template <class T> concept any_sharded = detail::is_sharded<std::remove_cvref_t<T>>::value;

namespace detail {
/// Has no padding.
template <class X> concept evenly_sharded =
    any_sharded<X> &&
    (std::is_void_v<typename X::whole> ||
     std::is_same_v<typename X::whole, whole_of<typename X::shard, typename X::mesh_type, typename X::spec_type>>);
}  // namespace detail

/// The whole's sizes, how it is cut, which part this process has, and its numbers as arrays print.
///
///     float[48, 4] by spec<data>, rank 1 of 4: [12:24, 0:4]
///     [[0.1 ...
template <any_sharded A> std::ostream& operator<<(std::ostream& o, A const& x) {
  using M = typename A::mesh_type;
  auto const all = x.global_shape(), from = x.offset(), held = x.held();
  o << row_of(A::shard::type.d).numpy << detail::sizes_text(all.data(), all.size()) << " by "
    << detail::spec_text<M, typename A::spec_type>() << ", rank " << x.mesh().all().rank() << " of "
    << x.mesh().all().size() << ": [";
  for (std::size_t i = 0; i < all.size(); ++i)
    o << (i ? ", " : "") << std::min(from[i], all[i]) << ':' << std::min(from[i], all[i]) + held[i];
  return o << "]\n" << x.local;
}

}  // namespace etna::dist

namespace etna::tree::detail {
/// Of a sharded array whose shards become other arrays of as many axes, a sharded array.
template <class L, class M, class S, class W, any_array F> requires(F::rank == L::rank)
struct rebuilt<dist::sharded<L, M, S, W>, F> {
  template <class U> static constexpr auto whole() {
    if constexpr (std::is_same_v<W, dist::detail::whole_of<L, M, S>>)
      return std::type_identity<dist::sharded<U, M, S>>{};
    else return std::type_identity<like<dist::sharded<L, M, S, W>, U>>{};
  }
  using type = typename decltype(whole<F>())::type;
};
}  // namespace etna::tree::detail

#include <etna/set_back.hpp>
