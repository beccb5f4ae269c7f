// SPDX-License-Identifier: BSD-3-Clause
// A program for several ranks, with MPI where the machine has one.
#include <etna/array/array.hpp>
#include <etna/dist/collectives.hpp>
#include <etna/dist/world.hpp>

int main(int argc, char** argv) {
  etna::dist::session const mpi(&argc, &argv);
  auto const ranks = etna::dist::world();
  etna::array<float, 2> const x{1, 2};
  return etna::dist::all_reduce(*ranks, x)(1) == 2.0f * float(ranks->size()) ? 0 : 1;
}
