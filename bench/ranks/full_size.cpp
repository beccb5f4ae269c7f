// SPDX-License-Identifier: BSD-3-Clause
// The memory of a process for a step of Adam of 378,526,058 parameters (input 1,024, 90 layers of 2,056, output 10), by
// its plan: on one device, and on two by dist::jit and by pmap. Constants: nothing is run, no memory is taken.
#include <cstdio>

#include "deep.hpp"

using namespace bench;
using net = deep<1024, 2056, 90>;

template <int N> using batch = net::batch<N>;
template <int N> using alone = program_of<on_one<net, N>, net, state<net>, batch<N>, targets<N>>;
template <int N> using divided =
    program_of<cut_in_two<net, N>, net, state<net>, half<batch<N / 2>>, half<targets<N / 2>>>;
template <int N> using of_two = program_of<of_each<net, N / 2>, net, state<net>, batch<N / 2>, targets<N / 2>>;

/// What one device of 80 GB (NVIDIA's H100, 81,559 MiB) cannot hold, and two can.
constexpr int published = 6912, most = 16 * published;
constexpr extent device = extent(81'559) << 20;
static_assert(alone<most>::peak_bytes > device && divided<most>::peak_bytes < device &&
              of_two<most>::peak_bytes < device);

template <int N> void print() {
  auto gib = [](extent bytes) { return double(bytes) / (1 << 30); };
  std::printf("batch %7d: one device %6.2f GiB; each of two %6.2f by dist::jit, %6.2f by pmap\n", N,
              gib(alone<N>::peak_bytes), gib(divided<N>::peak_bytes), gib(of_two<N>::peak_bytes));
}
int main() {
  print<published>();
  print<2 * published>();
  print<most>();
}
