// SPDX-License-Identifier: BSD-3-Clause
// Which sums take a product in, so that both are rounded once (fma). The rule is the same for registers, for what is
// left over of a row, and for straight-line code: an element has one value, wherever it lies. What is left is no
// product that a compiler could join with a sum of its own choice. Read next: kept.hpp.
#pragma once
#include <array>

namespace etna::lower {

/// One equation as the rule sees it: its kind; the equations whose values its operands are, or -1; where it runs.
struct contraction_fact {
  bool product = false;  // of floating numbers, read by other equations alone
  bool sum = false;      // of two floating numbers, a difference, or a step of a longer sum
  int in[3] = {-1, -1, -1};
  int place = 0;
  bool loads = false, stores = false;  // memory: a result may lie where an argument was
  bool outside = false;                // of the loop over a row: its stores do not come between what is in the loop
  bool last = false;                   // runs behind all others
};

/// For each equation the product that it takes in, or -1; and whether it is a product that must be kept from compilers.
template <std::size_t N> struct contraction {
  std::array<int, N> taken{};
  std::array<bool, N> apart{};
};

/// Products in their order: one is taken in by all that read it, or by none. These are sums in its place, which have
/// taken in no other, and none is of it twice. Factors are read where the sum is: no store may have come between.
template <std::size_t N> constexpr contraction<N> contract(std::array<contraction_fact, N> const& f) {
  contraction<N> c;
  std::array<int, N> reader{};                 // the last operand that reads an equation: 3 i + k + 1
  std::array<int, 3 * N + 1> before{};         // and the one before
  std::array<int, N + 1> stores{}, in_loop{};  // how many equations before this one store, and how many in the loop
  for (std::size_t i = 0; i < N; ++i) {
    c.taken[i] = -1;
    stores[i + 1] = stores[i] + f[i].stores;
    in_loop[i + 1] = in_loop[i] + (f[i].stores && !f[i].outside);
    for (std::size_t k = 0; k < 3; ++k) {
      if (f[i].in[k] < 0) continue;
      int& of = reader[std::size_t(f[i].in[k])];
      before[3 * i + k + 1] = of;
      of = int(3 * i + k + 1);
    }
  }
  for (std::size_t j = 0; j < N; ++j) {
    bool all = f[j].product, stored = false;
    auto const& before_it = f[j].outside ? stores : in_loop;
    for (int use = reader[j]; use > 0 && all; use = before[std::size_t(use)]) {
      std::size_t const i = std::size_t(use - 1) / 3;
      all = f[i].sum && c.taken[i] < 0 && f[i].in[0] != f[i].in[1] && f[i].place == f[j].place;
      stored = stored || (f[j].loads && before_it[f[i].last ? N : i] > before_it[j + 1]);
    }
    c.apart[j] = all && stored;
    for (int use = reader[j]; use > 0 && all && !stored; use = before[std::size_t(use)])
      c.taken[std::size_t(use - 1) / 3] = int(j);
  }
  return c;
}

}  // namespace etna::lower
