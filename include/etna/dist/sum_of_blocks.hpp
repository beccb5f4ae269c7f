// SPDX-License-Identifier: BSD-3-Clause
// Sums that have the same bits on any number of ranks: the batch is so many blocks, whoever has them, and their trees
// are added in the order of blocks. Read next: <etna/interop/span.hpp>.
#pragma once
#include <etna/set_aside.hpp>

#include <algorithm>
#include <string>
#include <type_traits>
#include <vector>

#include "collectives.hpp"

namespace etna::dist {

/// Which blocks of a batch a rank has: `count` from number `first` on.
struct block_range {
  int first = 0, count = 0;
  friend bool operator==(block_range const&, block_range const&) = default;
};

/// This rank's of so many blocks; each rank has the same number, in the order of ranks.
///
/// errors  E181 they cannot be shared out evenly
/// example test/unit/dist/sum_of_blocks.cpp  [which blocks a rank has]
inline block_range blocks_of(process_group const& g, int blocks) {
  if (blocks <= 0 || blocks % g.size() != 0)
    message::raise<181>(std::to_string(blocks) + " blocks on " + std::to_string(g.size()) + " ranks");
  int const count = blocks / g.size();
  return {g.rank() * count, count};
}

namespace detail {

/// Numbers of one element type of this rank's trees, parted for all_to_all: for each rank its slice of each block.
template <class T> class block_slices {
 public:
  /// Slices of `each` elements: the last are filled up with zeros.
  block_slices(std::size_t n, std::size_t blocks, std::size_t ranks)
      : each_((n + ranks - 1) / ranks), blocks_(blocks), ranks_(ranks), memory_(new T[each_ * blocks * ranks]()) {}

  std::size_t each() const { return each_; }
  std::size_t bytes_for_a_rank() const { return each_ * blocks_ * sizeof(T); }
  T* slice(std::size_t rank, std::size_t block) const { return memory_.get() + (rank * blocks_ + block) * each_; }
  std::unique_ptr<T[]>& memory() { return memory_; }
  /// m elements of a block, from `at` on.
  void put(std::size_t block, std::size_t at, void const* numbers, std::size_t m) const {
    auto const* from = static_cast<std::byte const*>(numbers);
    while (m > 0) {
      std::size_t const in = at % each_, now = std::min(m, each_ - in);
      std::memcpy(slice(at / each_, block) + in, from, now * sizeof(T));
      at += now, from += now * sizeof(T), m -= now;
    }
  }
  /// One slice of all blocks of all ranks, added in their order; narrow numbers as floats.
  void add_up(T* out) const {
    using wide = std::conditional_t<is_floating(dtype_of<T>) && sizeof(T) == 2, float, T>;
    std::unique_ptr<wide[]> sum(new wide[each_]);
    for (std::size_t i = 0; i < each_; ++i) sum[i] = wide(memory_[i]);
    for (std::size_t k = 1; k < ranks_ * blocks_; ++k) {
      T const* x = memory_.get() + k * each_;
      for (std::size_t i = 0; i < each_; ++i) sum[i] = added(sum[i], wide(x[i]));
    }
    for (std::size_t i = 0; i < each_; ++i) out[i] = T(sum[i]);
  }

 private:
  template <class W> static W added(W a, W b) {
    if constexpr (std::is_integral_v<W> && !std::is_same_v<W, bool>)  // wraps
      return W(std::make_unsigned_t<W>(std::make_unsigned_t<W>(a) + std::make_unsigned_t<W>(b)));
    else return W(a + b);
  }
  std::size_t each_, blocks_, ranks_;
  std::unique_ptr<T[]> memory_;
};

/// All numbers of element type T of all ranks' trees, block by block, added: in the order of leaves.
template <class T, class Tree>
std::unique_ptr<T[]> sum_of_type(process_group& g, std::vector<Tree> const& mine, std::size_t n) {
  std::size_t const ranks = std::size_t(g.size());
  block_slices<T> in(n, mine.size(), ranks), out(n, mine.size(), ranks);
  for (std::size_t block = 0; block < mine.size(); ++block) {
    std::size_t at = 0;
    tree::for_each(
        [&](auto const& leaf) {
          using leaves = memory_of<decltype(leaf)>;
          if constexpr (dtype_of<typename leaves::number> == dtype_of<T>) {  // (long and long long are one)
            in.put(block, at, leaves::data(leaf), leaves::size(leaf));
            at += leaves::size(leaf);
          }
        },
        mine[block]);
  }
  std::unique_ptr<T[]> memory[]{std::move(in.memory()), std::move(out.memory())};
  ticket const moved = g.all_to_all(memory[0].get(), memory[1].get(), in.bytes_for_a_rank());
  wait_for(g, moved, memory, 2);
  out.memory() = std::move(memory[1]);
  memory[0].reset(new T[in.each()]);
  memory[1].reset(new T[in.each() * ranks]);
  out.add_up(memory[0].get());
  ticket const gathered = g.all_gather(memory[0].get(), memory[1].get(), in.each() * sizeof(T));
  wait_for(g, gathered, memory, 2);
  return std::move(memory[1]);
}

template <class T> void check_blocks(process_group& g, std::vector<T> const& mine) {
  if (mine.empty()) message::raise<181>("rank " + std::to_string(g.rank()) + " has no block");
  std::uint64_t const sign = sign_of(mine[0], blocks_sign);
  bool alike = true;
  for (auto const& t : mine) alike = alike && sign_of(t, blocks_sign) == sign;
  // A rank whose own differ says so too: its sign is nobody's.
  check_alike(g, alike ? sign : sign + 1 + std::uint64_t(g.rank()), "sum_of_blocks");
  if (!alike) message::raise<170>("sum_of_blocks: the trees of this rank's blocks differ");
  if (g.size() == 1) return;
  std::unique_ptr<std::uint64_t[]> most(new std::uint64_t[2]{mine.size(), ~std::uint64_t(mine.size())});
  wait_for(g, g.all_reduce(most.get(), most.get(), 2, dtype::u64, reduction::max), &most, 1);
  if (most[0] != mine.size() || ~most[1] != mine.size())
    message::raise<181>("rank " + std::to_string(g.rank()) + " has " + std::to_string(mine.size()) +
                        ", others have from " + std::to_string(~most[1]) + " to " + std::to_string(most[0]));
}

}  // namespace detail

/// The sum of all blocks' trees over all ranks, added in the order of blocks: each rank gets the same bits, and they
/// are those of any other number of ranks, where a block's tree is computed by the same function of the same block.
///
///     auto const [first, count] = dist::blocks_of(*ranks, 12);
///     std::vector<net> slopes;
///     for (int b = first; b < first + count; ++b) slopes.push_back(gradient(p, rows(b), labels(b)));
///     p = update(std::move(p), dist::sum_of_blocks(*ranks, slopes));
///
/// mine    the trees of this rank's blocks, in their order; as many on all ranks
/// errors  E181 not as many, or no block; E168 to E170
/// cost    it moves each block's tree once, and the sum: with k blocks a rank, (k + 1) / 2 times all_reduce
/// example test/ranks/blocks.cpp  [the same bits on 1 to 4 ranks]
template <tree::any_tree T> T sum_of_blocks(process_group& g, std::vector<T> const& mine) {
  detail::check_blocks(g, mine);
  std::size_t n[dtype_count]{}, at[dtype_count]{};
  tree::for_each(
      [&](auto const& leaf) {
        using leaves = detail::memory_of<decltype(leaf)>;
        n[int(dtype_of<typename leaves::number>)] += leaves::size(leaf);
      },
      mine[0]);
  std::shared_ptr<void> sums[dtype_count];
  return tree::map(
      [&](auto const& leaf) {
        using leaves = detail::memory_of<decltype(leaf)>;
        using number = typename leaves::number;
        int const d = int(dtype_of<number>);
        if (n[d] > 0 && !sums[d]) {
          std::unique_ptr<number[]> sum = detail::sum_of_type<number>(g, mine, n[d]);
          sums[d] = std::shared_ptr<number[]>(std::move(sum));
        }
        auto const* from = static_cast<number const*>(sums[d].get()) + at[d];
        at[d] += leaves::size(leaf);
        return leaves::made(leaf, from);
      },
      mine[0]);
}

}  // namespace etna::dist

#include <etna/set_back.hpp>
