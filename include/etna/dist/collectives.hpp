// SPDX-License-Identifier: BSD-3-Clause
// Collectives on trees: gradients of all ranks become one, parameters of one rank everybody's. Outside jit; they return
// when they are done. Read next: sum_of_blocks.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <concepts>
#include <cstring>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include <etna/group/alike.hpp>
#include <etna/array/tree.hpp>
#include <etna/message/runtime.hpp>
#include <etna/numpy/create.hpp>

namespace etna::dist {

namespace detail {

template <class L> struct leaf_memory {
  static std::size_t size(L const&) { return 1; }
  static L const* data(L const& x) { return &x; }
  static L made(L const&, L const* from) { return *from; }
  using number = L;
};
template <class T, extent... E> struct leaf_memory<array<T, E...>> {
  static std::size_t size(array<T, E...> const& x) { return std::size_t(x.size()); }
  static T const* data(array<T, E...> const& x) { return x.data(); }
  static array<T, E...> made(array<T, E...> const& like, T const* from) {
    return array<T, E...>::build(
        [&](T* out) {
          if (like.size() > 0) std::memcpy(out, from, std::size_t(like.size()) * sizeof(T));
        },
        like.shape());
  }
  using number = T;
};
template <class L> using memory_of = leaf_memory<std::remove_cvref_t<L>>;
template <class T> constexpr bool all_floating() {
  return []<class... L>(std::type_identity<std::tuple<L...>>) {
    return (is_floating(dtype_of<typename memory_of<L>::number>) && ...);
  }(std::type_identity<decltype(tree::leaves(std::declval<T const&>()))>{});
}

/// What one rank's tree looks like, as a number: element types and shapes of its leaves, in order (FNV-1a). `begin` is
/// what is done with it.
template <class T> std::uint64_t sign_of(T const& t, std::uint64_t begin) {
  sign s(begin);
  tree::for_each(
      [&](auto const& leaf) {
        s.add(std::uint64_t(dtype_of<typename memory_of<decltype(leaf)>::number>));
        if constexpr (any_array<decltype(leaf)>)
          for (extent size : leaf.shape()) s.add(std::uint64_t(size));
        s.add(~std::uint64_t(0));  // no size
      },
      t);
  return s.value();
}
// The numbers of what is done with a tree: reductions have theirs from all_reduce_sign on, roots from broadcast_sign.
inline constexpr std::uint64_t blocks_sign = 0, all_reduce_sign = 1, mean_sign = 4, broadcast_sign = 5;

/// Where f throws, collectives are still under way, and may write to their memory whenever they please: it is never
/// freed then.
template <class T, class F> auto or_keep(std::unique_ptr<T[]>* memory, int n, F const& f) {
  try {
    return f();
  } catch (...) {
    for (int k = 0; k < n; ++k) (void)memory[k].release();
    throw;
  }
}
template <class T> void wait_for(process_group& g, ticket t, std::unique_ptr<T[]>* memory, int n) {
  or_keep(memory, n, [&] { g.wait(t); });
}
// Ranks that come with other trees would add apples to pears, or wait for ever.
inline void check_alike(process_group& g, std::uint64_t sign, char const* what) {
  if (is_alike(g, sign)) return;
  message::raise<170>(std::string(what) + " on rank " + std::to_string(g.rank()) + " of " + std::to_string(g.size()));
}

/// All leaves of one element type as one message, by post(memory, bytes, element type): few large ones are faster than
/// many small ones.
template <class T, class Post> T together(process_group& g, T const& t, Post const& post) {
  std::size_t bytes[dtype_count]{}, at[dtype_count]{};
  tree::for_each(
      [&](auto const& leaf) {
        using memory = memory_of<decltype(leaf)>;
        bytes[int(dtype_of<typename memory::number>)] += memory::size(leaf) * sizeof(typename memory::number);
      },
      t);
  std::unique_ptr<std::byte[]> memory[dtype_count];
  for (int d = 0; d < dtype_count; ++d) memory[d].reset(new std::byte[bytes[d]]);
  tree::for_each(
      [&](auto const& leaf) {
        using leaves = memory_of<decltype(leaf)>;
        int const d = int(dtype_of<typename leaves::number>);
        std::size_t const n = leaves::size(leaf) * sizeof(typename leaves::number);
        if (n > 0) std::memcpy(memory[d].get() + at[d], leaves::data(leaf), n);
        at[d] += n;
      },
      t);
  ticket under_way[dtype_count];
  for (int d = 0; d < dtype_count; ++d)
    if (bytes[d] > 0)
      under_way[d] = or_keep(memory, dtype_count, [&] { return post(memory[d].get(), bytes[d], dtype(d)); });
  for (int d = 0; d < dtype_count; ++d) {
    if (bytes[d] > 0) wait_for(g, under_way[d], memory, dtype_count);
    at[d] = 0;
  }
  return tree::map(
      [&](auto const& leaf) {
        using leaves = memory_of<decltype(leaf)>;
        using number = typename leaves::number;
        int const d = int(dtype_of<number>);
        auto const* from = reinterpret_cast<number const*>(memory[d].get() + at[d]);
        at[d] += leaves::size(leaf) * sizeof(number);
        return leaves::made(leaf, from);
      },
      t);
}

template <class T> T reduced(process_group& g, T const& t, reduction r, std::uint64_t begin, char const* what) {
  check_alike(g, sign_of(t, begin), what);
  return together(g, t, [&](std::byte* both, std::size_t bytes, dtype d) {
    return g.all_reduce(both, both, bytes / std::size_t(bytes_of(d)), d, r);
  });
}

}  // namespace detail

/// A tree whose leaves all have a mean.
template <class T> concept floating_tree = tree::any_tree<T> && detail::all_floating<T>();

/// The sum of each leaf over all ranks, or the greatest, or the least; every rank gets the same bits.
///
/// errors  E168 to E170 (the trees differ from rank to rank)
/// source  MPI_Allreduce, PyTorch all_reduce
/// example test/ranks/trees.cpp  [sums, on 1 to 4 ranks]
template <tree::any_tree T> T all_reduce(process_group& g, T const& t, reduction r = reduction::sum) {
  return detail::reduced(g, t, r, detail::all_reduce_sign + std::uint64_t(r), "all_reduce");
}
/// The mean of each leaf over all ranks: gradients of a batch of which each rank has a part of equal size.
///
///     auto [value, gradient] = step_gradient(p, x, y);  // of this rank's examples
///     p = update(std::move(p), dist::all_reduce_mean(*ranks, gradient));
///
/// errors  as all_reduce; it takes floating leaves only
/// source  PyTorch DistributedDataParallel, JAX pmean
template <floating_tree T> T all_reduce_mean(process_group& g, T const& t) {
  T const sum = detail::reduced(g, t, reduction::sum, detail::mean_sign, "all_reduce_mean");
  double const n = g.size();
  return tree::map(
      [&](auto const& leaf) {
        using leaves = detail::memory_of<decltype(leaf)>;
        using number = typename leaves::number;
        if constexpr (any_array<decltype(leaf)>)
          return std::remove_cvref_t<decltype(leaf)>::build(
              [&](number* out) {
                auto const* x = leaf.data();
                using wide = std::conditional_t<std::same_as<number, double>, double, float>;
                for (extent i = 0; i < leaf.size(); ++i) out[i] = number(wide(x[i]) / wide(n));
              },
              leaf.shape());
        else return number(leaf / number(n));
      },
      sum);
}
/// The tree of rank `root`, on all ranks: parameters before the first step.
///
/// errors  E168 to E170
/// source  MPI_Bcast, JAX broadcast_one_to_all
template <tree::any_tree T> T broadcast(process_group& g, T const& t, int root = 0) {
  detail::check_alike(g, detail::sign_of(t, detail::broadcast_sign + std::uint64_t(root)), "broadcast");
  return detail::together(g, t,
                          [&](std::byte* both, std::size_t bytes, dtype) { return g.broadcast(both, bytes, root); });
}

}  // namespace etna::dist

#include <etna/set_back.hpp>
