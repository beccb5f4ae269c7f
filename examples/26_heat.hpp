// SPDX-License-Identifier: BSD-3-Clause
// The heat equation of 26_heat.cpp by hand: loops, and MPI_Sendrecv with the ranks above and below.
#pragma once
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#if defined(ETNA_WITH_MPI)
#include <mpi.h>
#endif

/// `rows` rows of n numbers, with one row above and one below and a column on each side, all zero.
struct field {
  int rows, n;
  std::vector<double> x;
  template <class From> field(int rows, int n, From const& from)
      : rows(rows), n(n), x(std::size_t((rows + 2) * (n + 2))) {
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < n; ++j) at(i, j) = from(i, j);
  }
  double& at(int i, int j) { return x[std::size_t((i + 1) * (n + 2) + j + 1)]; }
};

/// The rows above and below come from the neighbours, where there are some.
inline void exchange([[maybe_unused]] field& u) {
#if defined(ETNA_WITH_MPI)
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int const above = rank > 0 ? rank - 1 : MPI_PROC_NULL, below = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
  MPI_Sendrecv(&u.at(u.rows - 1, 0), u.n, MPI_DOUBLE, below, 0, &u.at(-1, 0), u.n, MPI_DOUBLE, above, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  MPI_Sendrecv(&u.at(0, 0), u.n, MPI_DOUBLE, above, 1, &u.at(u.rows, 0), u.n, MPI_DOUBLE, below, 1, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
#endif
}

/// So many steps of u += step * div(k grad u).
inline void solve_by_hand(field& u, field& k, int steps, double step) {
  field next = u;
  exchange(k);
  for (int s = 0; s < steps; ++s) {
    exchange(u);
    for (int i = 0; i < u.rows; ++i)
      for (int j = 0; j < u.n; ++j) {
        auto const from = [&](int a, int b) { return (k.at(i, j) + k.at(a, b)) * (u.at(a, b) - u.at(i, j)); };
        double const all = from(i - 1, j) + from(i + 1, j) + from(i, j - 1) + from(i, j + 1);
        next.at(i, j) = u.at(i, j) + step / 2 * all;
      }
    std::swap(u.x, next.x);
  }
}

template <class A> double largest_difference(field& u, A const& x) {
  double all = 0;
  for (int i = 0; i < u.rows; ++i)
    for (int j = 0; j < u.n; ++j) all = std::max(all, std::abs(u.at(i, j) - x(i, j)));
  return all;
}
inline double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}
