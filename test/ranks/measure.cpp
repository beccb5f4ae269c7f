// SPDX-License-Identifier: BSD-3-Clause
// dist::measure on the ranks that are there: all find the same machine, so that all predict the same.
#include <cstdio>
#include <cstdlib>
#include <etna/dist/collectives.hpp>
#include <etna/dist/measure.hpp>
#include <etna/dist/world.hpp>
#include <vector>

using namespace etna;

int main(int argc, char** argv) try {
  dist::session const mpi(&argc, &argv);
  auto const ranks = dist::world();
  dist::machine const m = dist::measure(*ranks);
  std::vector<double> all{m.product_f32,    m.product_f64,      m.kernel_f32, m.kernel_f64, m.memory,
                          m.inside.latency, m.inside.bandwidth, m.added,      m.busy,       double(m.ranks_a_node)};
  for (auto const& c : m.caches) all.push_back(c.rate);
  int wrong = m.ranks_a_node != ranks->size() || (ranks->size() > 1 && !(m.inside.latency > 0));
  for (double const x : all) {
    double const most = dist::all_reduce(*ranks, x, dist::reduction::max),
                 least = dist::all_reduce(*ranks, x, dist::reduction::min);
    wrong += !(x > 0 || x == 0) || most != least;
  }
  if (wrong) std::printf("rank %d of %d: %d numbers are its own\n", ranks->rank(), ranks->size(), wrong);
  return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
} catch (error const& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 2;
}
