// SPDX-License-Identifier: BSD-3-Clause
// All fused kernels of a program as device code; nothing is linked or run.
#pragma once
#include <etna/etna.hpp>

#include <utility>

// A block computes a unit.
template <class Kernel> __global__ void on_device(etna::lower::loop_numbers c) {
  std::int64_t u = blockIdx.x;
  if (u < etna::lower::fused<Kernel>::units(c)) etna::lower::fused<Kernel>::run(c, u, u + 1);
}
// The program of a kernel that reaches the device is of a named function: the stub that nvcc writes spells the
// arguments of kernel_t, and it cannot spell a lambda of namespace scope.
template <class Program> void launch_all(etna::lower::loop_numbers const& c) {
  [&]<int... U>(std::integer_sequence<int, U...>) {
    (on_device<etna::lower::kernel_t<Program, U>><<<1, 1>>>(c), ...);
  }(std::make_integer_sequence<int, Program::value.n_kernels>{});
}
