// SPDX-License-Identifier: BSD-3-Clause
// What the pool of blocks has (memory::memory_stats): what it gives back, and when; how much nn::init takes.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <etna/etna.hpp>
#include <vector>

using namespace etna;

namespace {

constexpr std::size_t mb = std::size_t(1) << 20;
/// Take and let go so many blocks of a size, `at_once` of them at a time. Nothing is written, so no page is filled.
void turn(std::size_t bytes, int times, int at_once = 1) {
  for (int i = 0; i < times; ++i) {
    std::vector<memory_block*> blocks;
    for (int k = 0; k < at_once; ++k) blocks.push_back(memory::allocate(bytes));
    for (auto* b : blocks) release(b);
  }
}
std::size_t reserved() { return memory::memory_stats().bytes_reserved; }

struct block {
  nn::dense<float, 256, 1024> up;
  nn::dense<float, 1024, 256> down;
  constexpr auto operator()(auto const& x) const { return x + down(up(x)); }
};
struct net {
  nn::stacked<block, 12> blocks;
  nn::dense<float, 256, 8192> head;
};

}  // namespace

TEST_CASE("a model's parameters take the memory that they have, and little more") {
  memory::empty_cache();
  auto const before = memory::memory_stats();
  auto const p = nn::init<net>(random::key(0));
  auto const after = memory::memory_stats();
  std::size_t const bytes = 4 * std::size_t(nn::parameter_count<net>());
  CHECK(bytes > 30 * mb);
  CHECK(after.bytes_in_use - before.bytes_in_use >= bytes);
  CHECK(double(after.bytes_in_use - before.bytes_in_use) < 1.02 * double(bytes));
  CHECK(double(after.peak_bytes_in_use) < 1.1 * double(bytes));  // a block of the stack, and pieces of a draw
  CHECK(double(after.bytes_reserved) < 1.15 * double(bytes));
  CHECK(p.head.kernel(0, 0) != 0);
}

TEST_CASE("all that is kept goes where that is asked for") {
  turn(3 * mb, 1, 4);
  turn(1000, 1, 4);
  auto const kept = memory::memory_stats();
  CHECK(kept.bytes_reserved > kept.bytes_in_use + 12 * mb);
  memory::empty_cache();
  auto const now = memory::memory_stats();
  CHECK(now.bytes_reserved == now.bytes_in_use);
  CHECK(now.bytes_in_use == kept.bytes_in_use);
}

TEST_CASE("a loop takes what it let go, and what it takes no more goes back") {
  memory::empty_cache();
  std::size_t const before = reserved();
  turn(100 * mb, 1, 4);
  turn(20 * mb, 1, 2);
  std::size_t const kept = reserved();
  CHECK(kept >= before + 440 * mb);
  // both sizes have their use in each turn
  for (int i = 0; i < 40; ++i) {
    turn(20 * mb, 3, 2);
    turn(100 * mb, 1, 4);
  }
  CHECK(reserved() == kept);
  // of the large ones none is taken while others take eight times of everything
  turn(20 * mb, int(9 * kept / (40 * mb)), 2);
  CHECK(reserved() < before + 64 * mb);
  CHECK(reserved() >= before + 40 * mb);
}

TEST_CASE("phases of other sizes do not add up") {
  memory::empty_cache();
  std::size_t const before = reserved();
  std::size_t most = 0;
  for (std::size_t size : {100, 110, 130, 155, 180, 200, 220, 260, 310, 360, 400}) {
    turn(size * mb, 1, 1);
    most = std::max(most, reserved() - before);
  }
  // at most twice what was in use at a time, here or in the cases before, and what is always kept
  CHECK(most <= 2 * memory::memory_stats().peak_bytes_in_use + 64 * mb);
  CHECK(most < 1300 * mb);  // they are 2,425
}

TEST_CASE("a larger block serves where a new one would be more than there is room for") {
  memory::empty_cache();
  memory_block* a = memory::allocate(800 * mb);
  release(a);
  memory_block* b = memory::allocate(1400 * mb);
  release(b);  // kept: both, which is below twice what was in use at most
  std::size_t const kept = reserved();
  CHECK(kept >= 2200 * mb);
  memory_block* c = memory::allocate(1000 * mb);
  CHECK(c == b);
  CHECK(reserved() == kept);
  release(c);
  memory::empty_cache();
}
