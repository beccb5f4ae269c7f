// SPDX-License-Identifier: BSD-3-Clause
// With one rank; several, and the bits of their sums, are in test/ranks/blocks.cpp.
#include <doctest/doctest.h>

#include <etna/array/array.hpp>
#include <etna/dist/sum_of_blocks.hpp>
#include <etna/group/one_process.hpp>
#include <string>
#include <tuple>

using namespace etna;

namespace {

// A rank of several, of whom it asks nothing.
struct rank_of final : public dist::process_group {
  int me, all;
  rank_of(int r, int n) : me(r), all(n) {}
  int rank() const override { return me; }
  int size() const override { return all; }
  dist::ticket all_reduce(void const*, void*, std::size_t, dtype, dist::reduction) override { return {}; }
  dist::ticket reduce(void const*, void*, std::size_t, dtype, dist::reduction, int) override { return {}; }
  dist::ticket reduce_scatter(void const*, void*, std::size_t, dtype, dist::reduction) override { return {}; }
  dist::ticket broadcast(void*, std::size_t, int) override { return {}; }
  dist::ticket all_gather(void const*, void*, std::size_t) override { return {}; }
  dist::ticket gather(void const*, void*, std::size_t, int) override { return {}; }
  dist::ticket scatter(void const*, void*, std::size_t, int) override { return {}; }
  dist::ticket all_to_all(void const*, void*, std::size_t) override { return {}; }
  dist::ticket permute(void const*, void*, std::size_t, int, int) override { return {}; }
  bool test(dist::ticket) override { return true; }
  void wait(dist::ticket) override {}
  std::unique_ptr<process_group> split(int, int) override { return nullptr; }
};
template <class F> bool refused(int number, F const& f) {
  try {
    f();
  } catch (error const& e) { return e.number == number && std::string(e.what()).find("; ") != std::string::npos; }
  return false;
}

}  // namespace

TEST_CASE("which blocks a rank has") {
  CHECK(dist::blocks_of(rank_of(0, 1), 12) == dist::block_range{0, 12});
  CHECK(dist::blocks_of(rank_of(0, 4), 12) == dist::block_range{0, 3});
  CHECK(dist::blocks_of(rank_of(3, 4), 12) == dist::block_range{9, 3});
  CHECK(refused(181, [] { dist::blocks_of(rank_of(0, 5), 12); }));
  CHECK(refused(181, [] { dist::blocks_of(rank_of(0, 4), 0); }));
  CHECK(refused(181, [] { dist::blocks_of(rank_of(0, 4), -4); }));
}
TEST_CASE("a sum goes from the first block to the last") {
  dist::one_process g;
  using tree = std::tuple<array<float, 2>, double, array<int>>;
  std::vector<tree> const blocks{
      {{1e8f, 1}, 1.0, array<int>(2)}, {{1, 2}, 2.0, array<int>(3)}, {{-1e8f, 3}, 3.0, array<int>(4)}};
  auto const [a, b, c] = dist::sum_of_blocks(g, blocks);
  CHECK(a(0) == 0.0f);  // (1e8 + 1) - 1e8: another order gives 1
  CHECK(a(1) == 6.0f);
  CHECK(b == 6.0);
  CHECK(c.item() == 9);
}
TEST_CASE("numbers of 16 bits are added as floats, integers wrap") {
  dist::one_process g;
  using tree = std::tuple<array<bfloat16>, array<std::int8_t>, array<bool>>;
  tree const one{array<bfloat16>(bfloat16(1.0f)), array<std::int8_t>(std::int8_t(100)), array<bool>(true)};
  auto const [h, i, b] = dist::sum_of_blocks(g, std::vector<tree>(300, one));
  CHECK(float(h.item()) == 300.0f);  // a sum of bfloat16 stays at 256
  CHECK(int(i.item()) == std::int8_t(300 * 100 % 256));
  CHECK(b.item());
}
TEST_CASE("E181 and E170: no block, and trees that differ") {
  dist::one_process g;
  using some = array<float, "n"_n>;
  auto const of = [](int n) { return some::build([&](float* out) { std::fill_n(out, n, 1.0f); }, {n}); };
  CHECK(refused(181, [&] { dist::sum_of_blocks(g, std::vector<some>()); }));
  CHECK(refused(170, [&] { dist::sum_of_blocks(g, std::vector<some>{of(2), of(3)}); }));
}
