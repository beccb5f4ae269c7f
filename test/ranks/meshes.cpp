// SPDX-License-Identifier: BSD-3-Clause
// Places and groups of a mesh; which part of an array is where, in numbers, words and pictures.
#include <cstdio>
#include <cstdlib>
#include <etna/dist/placement.hpp>
#include <etna/dist/visualize.hpp>
#include <etna/dist/world.hpp>
#include <numeric>
#include <sstream>

using namespace etna;
using dist::axis, dist::spec;

namespace {

int wrong = 0;
#define MUST(...)                                                       \
  if (!(__VA_ARGS__)) {                                                 \
    std::printf("line %d: %s does not hold\n", __LINE__, #__VA_ARGS__); \
    ++wrong;                                                            \
  }

int sum_over(dist::process_group& g, int x) {
  int all = 0;
  g.wait(g.all_reduce(&x, &all, 1, dtype::i32, dist::reduction::sum));
  return all;
}

template <class M> void groups(M const& m) {
  int product = 1, rank = 0;
  for (int k = 0; k < M::axes; ++k) {
    product *= m.size(k);
    rank = rank * m.size(k) + m.place(k);
    MUST(m.along(k).size() == m.size(k));
    MUST(m.along(k).rank() == m.place(k));
  }
  MUST(product == m.all().size());
  MUST(rank == m.all().rank());
  // The ranks along an axis are those that differ in its place alone.
  int below = m.all().size();
  for (int k = 0; k < M::axes; ++k) {
    below /= m.size(k);
    int const first = rank - m.place(k) * below;
    int should = 0;
    for (int i = 0; i < m.size(k); ++i) should += first + i * below;
    MUST(sum_over(m.along(k), rank) == should);
  }
}

void of_four(dist::process_group& g) {
  using two_by_two = dist::mesh<axis("data"_n, 2), axis("model"_n, 2)>;
  two_by_two const m(g);
  groups(m);
  auto const x = array<int, 4, 6>::build([](int* out) { std::iota(out, out + 24, 0); });
  auto const s = dist::device_put<spec<"data"_n, "model"_n>>(m, x);
  MUST(s.global_shape() == std::array<extent, 2>{4, 6});
  MUST(s.offset() == std::array<extent, 2>{2 * m.place(0), 3 * m.place(1)});
  std::ostringstream words, picture;
  words << s;
  if (g.rank() == 1)
    MUST(words.str() == "int32[4, 6] by spec<data, model>, rank 1 of 4: [0:2, 3:6]\n[[ 3  4  5]\n [ 9 10 11]]");
  dist::visualize_array_sharding(dist::reshard<spec<"model"_n>>(s), picture);
  MUST(picture.str() == (g.rank() ? ""
                                  : "┌──────────┐\n"
                                    "│ rank 0,2 │\n"
                                    "├──────────┤\n"
                                    "│ rank 1,3 │\n"
                                    "└──────────┘\n"));
  auto const odd = dist::device_put_padded<spec<"data"_n>>(m, array<int, 3>{1, 2, 3}, 9);
  MUST(odd.local.size() == 2);
  MUST(odd.local(1) == (m.place(0) ? 9 : 2));
  MUST(odd.held()[0] == 2 - m.place(0));
  MUST(odd.global_shape()[0] == 3);
}

}  // namespace

int main(int argc, char** argv) try {
  dist::session const mpi(&argc, &argv);
  auto const ranks = dist::world();
  MUST(ranks->size() == (argc > 1 ? std::atoi(argv[1]) : 1));
  groups(dist::mesh<"data"_n>(*ranks));
  groups(dist::mesh<"data"_n, axis("model"_n, 1)>(*ranks));
  groups(dist::mesh<axis("model"_n, 1), "data"_n, axis("x"_n, 1)>(*ranks));
  if (ranks->size() == 4) of_four(*ranks);
  if (ranks->size() % 2 == 0) groups(dist::mesh<"data"_n, axis("model"_n, 2)>(*ranks));
  std::printf("rank %d of %d: %d wrong\n", ranks->rank(), ranks->size(), wrong);
  return wrong > 0;
} catch (error const& e) {
  std::fprintf(stderr, "a rank says: %s\n", e.what());
  return 2;
}
