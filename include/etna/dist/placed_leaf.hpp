// SPDX-License-Identifier: BSD-3-Clause
// The leaves of a tree as what is saved and loaded: path, element type, sizes, and the box of the whole that a process
// has.
// Read next: saved_parts.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "sharded.hpp"
#include <etna/array/path.hpp>
#include <etna/data/checkpoint.hpp>

namespace etna::dist::detail {

using sizes_t = std::vector<std::int64_t>;

/// A box of an array: where it begins along each axis, and how long it is.
struct box {
  sizes_t from, size;
  std::int64_t volume() const {
    std::int64_t n = 1;
    for (auto s : size) n *= s;
    return n;
  }
  bool operator==(box const&) const = default;
};
inline box shared_by(box const& a, box const& b) {
  box r = a;
  for (std::size_t i = 0; i < a.from.size(); ++i) {
    r.from[i] = std::max(a.from[i], b.from[i]);
    r.size[i] = std::max<std::int64_t>(0, std::min(a.from[i] + a.size[i], b.from[i] + b.size[i]) - r.from[i]);
  }
  return r;
}

/// A leaf that is saved or loaded: an array that is whole, or a shard.
struct placed_leaf {
  std::string path, dtype;
  std::size_t item = 0;
  sizes_t whole, shard;  // without padding; with it
  cut by;
  mesh_here mesh;
  unsigned char const* data = nullptr;

  /// What the process at these places has of the whole.
  box held_at(int const* places) const {
    box r{sizes_t(whole.size(), 0), whole};
    for (int k = 0; k < mesh.axes; ++k)
      if (int const a = by.of[k]; a >= 0) {
        std::size_t const i = std::size_t(a);
        r.from[i] = std::min(places[k] * shard[i], whole[i]);
        r.size[i] = std::min(shard[i], whole[i] - r.from[i]);
      }
    return r;
  }
  box held_by(int rank) const {
    int places[living_mesh::most_axes]{};
    for (int k = 0; k < mesh.axes; ++k) places[k] = place_along(rank, mesh.size, mesh.axes, k);
    return held_at(places);
  }
};

/// f(path, x) for each sharded array and each other leaf of a tree.
template <class F, class T> void each_placed(F const& f, T& t, std::string const& path = {}) {
  using U = std::remove_const_t<T>;
  if constexpr (any_sharded<U> || tree::leaf<U>) f(path, t);
  else {
    auto join = [&](std::string const& name) { return path.empty() ? name : name.empty() ? path : path + "." + name; };
    [&]<std::size_t... Nth>(std::index_sequence<Nth...>) {
      auto one = [&]<std::size_t K>(std::integral_constant<std::size_t, K>) {
        using S = typename tree::detail::origin<U>::type;
        std::string name;
        if constexpr (tree::detail::is_tuple<S>::value || tree::detail::is_std_array<S>::value)
          name = std::to_string(K);
        else name = std::string(tree::detail::field_name<S, K>());
        each_placed(f, tree::detail::child<K>(t), join(name));
      };
      (one(std::integral_constant<std::size_t, Nth>{}), ...);
    }(std::make_index_sequence<tree::detail::child_count<U>>{});
  }
}

/// Leaves of a tree, without their bytes where there is no tree yet.
template <class M, class X> placed_leaf describe(M const& m, std::string const& path, X const& x) {
  placed_leaf r;
  r.path = path;
  r.mesh = here(m);
  auto fill = [&](auto const& leaf, auto const& whole) {
    using kept = data::detail::leaf_of<std::remove_cvref_t<decltype(leaf)>>;
    r.dtype = data::detail::safetensors_dtype<typename kept::value_type>();
    r.item = sizeof(typename kept::value_type);
    r.shard = kept::shape(leaf);
    r.whole = whole;
    r.data = static_cast<unsigned char const*>(kept::data(leaf));
  };
  if constexpr (any_sharded<X>) {
    auto const all = x.global_shape();
    fill(x.local, sizes_t(all.begin(), all.end()));
    r.by = X::cut;
  } else fill(x, data::detail::leaf_of<X>::shape(x));
  return r;
}
template <class M, class X> constexpr bool is_over_mesh() {
  if constexpr (any_sharded<X>) return std::is_same_v<typename X::mesh_type, M>;
  else return true;
}
template <class X, class M> using other_mesh =
    message::E178_sharded_over_another_mesh<typename mesh_names<typename X::mesh_type>::type,
                                            typename mesh_names<M>::type>;
template <class M, class T> std::vector<placed_leaf> leaves_of(M const& m, T const& t) {
  std::vector<placed_leaf> r;
  each_placed(
      [&]<class X>(std::string const& path, X const& x) {
        if constexpr (is_over_mesh<M, X>()) r.push_back(describe(m, path, x));
        else message::fail<other_mesh<X, M>>();
      },
      t);
  return r;
}
inline std::uint64_t sign_of_leaves(std::vector<placed_leaf> const& leaves) {
  std::uint64_t sign = 14695981039346656037ull ^ 17;
  auto add = [&](std::uint64_t x) { sign = (sign ^ x) * 1099511628211ull; };
  for (auto const& leaf : leaves) {
    add(message::sign_of(leaf.path + " " + leaf.dtype));
    for (auto n : leaf.whole) add(std::uint64_t(n));
    for (int a : leaf.by.of) add(std::uint64_t(a + 1));
  }
  return sign;
}

/// A box is copied by rows along its last axis. How long they are, how many, and where row i begins in an array of
/// these sizes, in elements.
inline std::int64_t row_length(box const& b) { return b.size.empty() ? 1 : b.size.back(); }
inline std::int64_t row_count(box const& b) { return b.volume() == 0 ? 0 : b.volume() / row_length(b); }
inline std::size_t row_begin(sizes_t const& all, box const& b, std::int64_t i) {
  if (all.empty()) return 0;
  std::int64_t at = b.from.back(), step = all.back();
  for (std::size_t axis = all.size() - 1; axis-- > 0;) {
    at += (i % b.size[axis] + b.from[axis]) * step;
    i /= b.size[axis];
    step *= all[axis];
  }
  return std::size_t(at);
}

}  // namespace etna::dist::detail

#include <etna/set_back.hpp>
