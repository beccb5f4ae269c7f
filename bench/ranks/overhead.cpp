// SPDX-License-Identifier: BSD-3-Clause
// What a collective costs a call of a compiled program on one rank: with one sum of 8 numbers over ranks and without
// it, a group of no MPI and one of MPI's; nanoseconds a call, by turns.
#include <cstdio>
#include <cstdlib>
#include <memory>

#include <etna/dist/pmap.hpp>
#include <etna/dist/world.hpp>
#include <etna/etna.hpp>

#include "../timing.hpp"

using namespace etna;

constexpr auto alone = jit([](array<float, 8> const& x) { return x * 2.0f + 1.0f; });
constexpr auto across = dist::pmap<"i"_n>([](array<float, 8> const& x) { return psum<"i"_n>(x * 2.0f) + 1.0f; });

/// Nanoseconds of a call.
template <class F> double of_a_call(F const& f, int calls) {
  array<float, 8> x{1, 2, 3, 4, 5, 6, 7, 8};
  auto const begin = bench::clock_type::now();
  for (int i = 0; i < calls; ++i) {
    auto const y = f(x);
    asm volatile("" ::"r"(y.data()) : "memory");
  }
  return bench::since(begin) / calls * 1e9;
}

int main(int argc, char** argv) {
  dist::session const mpi(&argc, &argv);
  int const calls = argc > 1 ? std::atoi(argv[1]) : 100000;
  auto const world = dist::world();
  dist::one_process one;
  std::vector<double> plain, of_one, of_mpi;
  for (int turn = 0; turn < 11; ++turn) {
    plain.push_back(of_a_call(alone, calls));
    {
      dist::mesh<"i"_n> const m(one);
      of_one.push_back(of_a_call(across, calls));
    }
    dist::mesh<"i"_n> const m(*world);
    of_mpi.push_back(of_a_call(across, calls));
  }
  if (world->rank() > 0) return 0;
  double const base = bench::middle(plain);
  std::printf("a call without a collective: %.0f ns\n", base);
  std::printf("with one: %.0f ns more (one process), %.0f ns more (%d of MPI's)\n", bench::middle(of_one) - base,
              bench::middle(of_mpi) - base, world->size());
}
