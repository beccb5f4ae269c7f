// SPDX-License-Identifier: BSD-3-Clause
// 90 layers trained in three ways, each beside the others: on one device, by dist::jit over a batch that is cut in two,
// and by pmap; milliseconds a step, and losses. Usage: mpirun -n 2 three_ways; beside it three_ways.py, JAX's way.
#include <sched.h>

#include <cstdio>

#include <etna/dist/collectives.hpp>
#include <etna/dist/placement.hpp>
#include <etna/dist/world.hpp>

#include "../run/job.hpp"
#include "../timing.hpp"
#include "deep.hpp"

using namespace bench;

constexpr int examples = 512, steps = 10;
using net = deep<128, 256, 90>;

net start() {
  unsigned stream = 1;
  auto he = [&](auto& l) {
    l.w = filled<std::remove_cvref_t<decltype(l.w)>>(stream++, 2 * std::sqrt(6.0 / double(l.w.shape()[0])));
  };
  net p{};
  he(p.in);
  for (auto& l : p.inner) he(l);
  he(p.out);
  return p;
}
/// Ten steps, from the beginning.
template <class Step, class X, class Y>
void train(char const* way, bool prints, Step const& step, X const& x, Y const& y) {
  net p = start();
  auto s = optimizer.init(p);
  std::vector<double> seconds;
  float first = 0, last = 0;
  for (int i = 0; i < steps; ++i) {
    auto const begin = clock_type::now();
    auto [q, next, value] = step(std::move(p), std::move(s), x, y);
    seconds.push_back(since(begin));
    p = std::move(q), s = std::move(next), last = value.item();
    if (i == 0) first = last;
  }
  if (prints) std::printf("%-34s %6.0f ms  loss %.6f, %.6f\n", way, middle(seconds) * 1e3, double(first), double(last));
}

int main(int argc, char** argv) try {
  dist::session const mpi(&argc, &argv);
  auto const ranks = dist::world();
  bool const is_first = ranks->rank() == 0;
  cpu_set_t mine;
  CPU_ZERO(&mine);
  CPU_SET(ranks->rank(), &mine);
  (void)sched_setaffinity(0, sizeof mine, &mine);
  two const cut(*ranks);
  dist::mesh<"i"_n> const all(*ranks);
  auto const x = filled<net::batch<examples>>(1000, 2);
  auto const y = filled<targets<examples>>(1001, 2);
  auto const x2 = dist::device_put<dist::spec<"data"_n>>(cut, x);
  auto const y2 = dist::device_put<dist::spec<"data"_n>>(cut, y);
  for (int turn = 0; turn < 2; ++turn) {
    if (is_first) train("one device", turn == 1, on_one<net, examples>, x, y);
    (void)dist::all_reduce(*ranks, 0);
    train("two, a batch that is cut", is_first && turn == 1, cut_in_two<net, examples>, x2, y2);
    train("two, pmap", is_first && turn == 1, of_each<net, examples / 2>, x2.local, y2.local);
  }
} catch (error const& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 2;
}
