// SPDX-License-Identifier: BSD-3-Clause
// Checkpoints of many loaded: by any number of processes, over any mesh, cut in any way. Read next: world.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include "checkpoint_index.hpp"
#include "padding.hpp"
#include "save_sharded.hpp"

namespace etna::dist {

namespace detail {

/// The sizes of a leaf's memory for an array of these sizes; false where the leaf is no part of such.
template <class X, class M> bool shard_for(X const&, M const& m, sizes_t const& whole, sizes_t& shard) {
  shard = whole;
  if constexpr (!any_sharded<X>) return data::detail::leaf_of<X>::fits(whole);
  else {
    if (int(whole.size()) != X::rank) return false;
    if constexpr (any_array<typename X::whole>)
      for (int i = 0; i < X::rank; ++i)
        if (X::whole::type.e[i] >= 0 && X::whole::type.e[i] != whole[std::size_t(i)]) return false;
    if constexpr (evenly_sharded<X>) check_divides(whole, here(m), X::cut, "load_sharded");
    for (int i = 0; i < X::rank; ++i) {
      int const k = mesh_axis_of<M, typename X::spec_type>(i), n = k < 0 ? 1 : m.size(k);
      auto& size = shard[std::size_t(i)];
      size = (size + n - 1) / n;
      if (X::shard::type.e[i] >= 0 && X::shard::type.e[i] != size) return false;
    }
    return true;
  }
}
template <class L> void read_leaf(checkpoint_index& from, placed_leaf const& leaf, box const& wanted, L& x) {
  using kept = data::detail::leaf_of<L>;
  using T = typename kept::value_type;
  auto const parts = from.find(leaf.path, wanted);  // before memory is asked for
  kept::set(x, leaf.shard, [&](T* out) {
    std::int64_t const all = box{{}, leaf.shard}.volume();
    auto* bytes = reinterpret_cast<unsigned char*>(out);
    if (all > wanted.volume()) std::memset(bytes, 0, std::size_t(all) * sizeof(T));
    from.read(parts, wanted, leaf.shard, sizeof(T), bytes);
    if constexpr (std::is_same_v<T, bool>)  // any byte but 0 and 1 would be undefined as a bool
      for (std::int64_t i = 0; i < all; ++i) bytes[i] = bytes[i] != 0;
  });
}
template <class M, class X> void load_one(checkpoint_index& from, M const& m, std::string const& path, X& x) {
  if (!from.has(path)) message::raise<122>(from.path() + " has no '" + path + "'");
  stored_array const& a = from.look(path);
  if (!data::detail::is_read_here(a.dtype)) data::detail::not_read_here(from.path(), path, a.dtype);
  auto one = [&](auto& leaf, cut const& by) {
    using kept = data::detail::leaf_of<std::remove_cvref_t<decltype(leaf)>>;
    placed_leaf d;
    d.path = path;
    d.dtype = data::detail::safetensors_dtype<typename kept::value_type>();
    d.mesh = here(m);
    d.by = by;
    d.whole = a.whole;
    if (a.dtype != d.dtype || !shard_for(x, m, a.whole, d.shard))
      message::raise<122>(from.path() + " has '" + path + "' as " + data::detail::spelled(a.dtype, a.whole) +
                          ", which is not what the tree has a part of, " +
                          data::detail::spelled(d.dtype, kept::shape(leaf)));
    read_leaf(from, d, d.held_at(d.mesh.place), leaf);
  };
  if constexpr (any_sharded<X>) one(x.local, X::cut);
  else one(x, cut{});
}

}  // namespace detail

/// Load a tree from a folder that save_sharded wrote, or a public checkpoint of one or several files, and return the
/// words beside it. Each process reads what it needs of each file; the mesh and the specs of the tree may be others
/// than those of the tree that was saved. The tree changes only if all fits, on all processes. Padding is zeros.
///
/// errors  E120 a file is missing, E128 not readable, E121 damaged: cut off, or not what the index says; E122 an array
///         too few or too many, or another dtype or shape; E176 the mesh does not divide one; E177 another process
///         could not; E178 as save_sharded
/// example test/ranks/checkpoint.cpp  [saved by some, loaded by others]
template <any_mesh M, tree::any_tree T>
std::map<std::string, std::string> load_sharded(M const& m, std::filesystem::path const& path, T& tree) {
  T next = tree;
  std::map<std::string, std::string> words;
  detail::done_by_all(m.all(), "load_sharded", [&] {
    detail::checkpoint_index from(path);
    std::set<std::string> wanted;
    detail::each_placed(
        [&]<class X>(std::string const& name, X& x) {
          if constexpr (detail::is_over_mesh<M, X>()) {
            detail::load_one(from, m, name, x);
            wanted.insert(name);
          } else message::fail<detail::other_mesh<X, M>>();
        },
        next);
    for (std::string const& name : from.names())
      if (!wanted.contains(name)) message::raise<122>(from.path() + " has '" + name + "', which is not in the tree");
    words = from.words();
  });
  tree = std::move(next);
  return words;
}
/// The same of a tree of which only the type is there.
template <tree::any_tree T, any_mesh M> T load_sharded(M const& m, std::filesystem::path const& path) {
  T t{};
  load_sharded(m, path, t);
  return t;
}

}  // namespace etna::dist

#include <etna/set_back.hpp>
