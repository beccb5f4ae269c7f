// SPDX-License-Identifier: BSD-3-Clause
// Every collective on ranks whose numbers are known: what rank r has at place i is 100 r + i.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <etna/dist/delayed_group.hpp>
#include <etna/dist/world.hpp>
#include <limits>
#include <vector>

using namespace etna;

namespace {

int wrong = 0;
#define MUST(...)                                                       \
  if (!(__VA_ARGS__)) {                                                 \
    std::printf("line %d: %s does not hold\n", __LINE__, #__VA_ARGS__); \
    ++wrong;                                                            \
  }

template <class T> void of(dist::process_group& g, dtype t, std::size_t n) {
  int const me = g.rank(), all = g.size();
  std::size_t const ranks = std::size_t(all);
  auto number = [](int rank, std::size_t i) { return T(float(rank % 2 + int(i % 7))); };
  auto mine = [&](std::size_t length) {
    std::vector<T> r(length);
    for (std::size_t i = 0; i < length; ++i) r[i] = number(me, i);
    return r;
  };
  auto reduced = [&](std::size_t i, dist::reduction r) {
    float sum = 0, most = -1e9f, least = 1e9f;
    for (int k = 0; k < all; ++k) {
      float const x = float(number(k, i));
      sum += x;
      most = std::max(most, x);
      least = std::min(least, x);
    }
    return r == dist::reduction::sum ? sum : r == dist::reduction::max ? most : least;
  };
  for (auto r : {dist::reduction::sum, dist::reduction::max, dist::reduction::min}) {
    auto x = mine(n);
    std::vector<T> y(n), last(n, T(5));
    g.wait(g.all_reduce(x.data(), y.data(), n, t, r));
    dist::ticket const posted = g.reduce(x.data(), last.data(), n, t, r, all - 1);
    while (!g.test(posted)) {}
    for (std::size_t i = 0; i < n; ++i) {
      MUST(float(y[i]) == reduced(i, r));
      MUST(float(last[i]) == (me == all - 1 ? reduced(i, r) : 5.0f));
    }
    g.wait(g.all_reduce(x.data(), x.data(), n, t, r));  // in place
    MUST(x == y);
    auto const parts = mine(n * ranks);
    g.wait(g.reduce_scatter(parts.data(), y.data(), n, t, r));
    for (std::size_t i = 0; i < n; ++i) MUST(float(y[i]) == reduced(std::size_t(me) * n + i, r));
  }
}

// What moves is told by rank and place alone.
void moves(dist::process_group& g, std::size_t n) {
  int const me = g.rank(), all = g.size();
  std::size_t const ranks = std::size_t(all), bytes = n * sizeof(int);
  auto of_rank = [&](int rank, std::size_t length) {
    std::vector<int> r(length);
    for (std::size_t i = 0; i < length; ++i) r[i] = 100 * rank + int(i);
    return r;
  };
  auto const x = of_rank(me, n), parts = of_rank(me, n * ranks);
  std::vector<int> gathered(n * ranks), at_root(n * ranks, -1), exchanged(n * ranks), y(n), z(n), both = x;
  // all under way at once
  dist::ticket const posted[]{
      g.all_gather(x.data(), gathered.data(), bytes), g.gather(x.data(), at_root.data(), bytes, 0),
      g.scatter(parts.data(), y.data(), bytes, all - 1), g.all_to_all(parts.data(), exchanged.data(), bytes),
      g.broadcast(both.data(), bytes, all / 2),
      // to the next, but the last to nobody
      g.permute(x.data(), z.data(), bytes, me + 1 < all ? me + 1 : g.nobody, me - 1)};
  for (dist::ticket t : posted) g.wait(t);
  for (std::size_t i = 0; i < n; ++i) {
    MUST(y[i] == 100 * (all - 1) + me * int(n) + int(i));
    MUST(both[i] == 100 * (all / 2) + int(i));
    MUST(z[i] == (me == 0 ? 0 : 100 * (me - 1) + int(i)));
    for (std::size_t k = 0; k < ranks; ++k) {
      MUST(gathered[k * n + i] == 100 * int(k) + int(i));
      MUST(at_root[k * n + i] == (me == 0 ? 100 * int(k) + int(i) : -1));
      MUST(exchanged[k * n + i] == 100 * int(k) + me * int(n) + int(i));
    }
  }
}

void parts(dist::process_group& g) {
  auto const half = g.split(g.rank() % 2, -g.rank());  // even and odd ranks, each from the last
  int const mine = (g.size() + 1 - g.rank() % 2) / 2;
  MUST(half->size() == mine);
  MUST(half->rank() == mine - 1 - g.rank() / 2);
  int const x = g.rank();
  int most = -1;
  half->wait(half->all_reduce(&x, &most, 1, dtype::i32, dist::reduction::max));
  MUST(most % 2 == g.rank() % 2);
  MUST(most >= g.size() - 2);
}

void all_of_it(dist::process_group& g) {
  for (std::size_t n : {0, 1, 5, 3000}) {
    of<double>(g, dtype::f64, n);
    of<float>(g, dtype::f32, n);
    of<float16>(g, dtype::f16, n);
    of<bfloat16>(g, dtype::bf16, n);
    of<std::int64_t>(g, dtype::i64, n);
    of<std::int8_t>(g, dtype::i8, n);
    of<std::uint16_t>(g, dtype::u16, n);
    moves(g, n);
  }
  parts(g);
}

}  // namespace

int main(int argc, char** argv) try {
  dist::session const mpi(&argc, &argv);
  auto const ranks = dist::world();
  MUST(ranks->size() == (argc > 1 ? std::atoi(argv[1]) : 1));
  all_of_it(*ranks);
  dist::delayed_group late(*ranks, std::chrono::milliseconds(1), std::uint32_t(ranks->rank()));
  all_of_it(late);
  std::printf("rank %d of %d: %d wrong\n", ranks->rank(), ranks->size(), wrong);
  return wrong > 0;
} catch (error const& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 2;
}
