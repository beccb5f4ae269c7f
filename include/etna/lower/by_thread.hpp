// SPDX-License-Identifier: BSD-3-Clause
// Bodies for the threads of a device: fused kernels, products and scatters, each thread with a unit of its own. All
// that a thread needs besides the arrays is in the body, which travels by value. Read next: routine.hpp.
#pragma once
#include "fused.hpp"
#include "gemm_parts.hpp"
#include "scatter.hpp"

namespace etna::lower {

/// A fused kernel, by units. (Named by its parts: nvcc spells a program's alias of the kernel by the program, and
/// cannot spell the lambda in it.)
template <class K> struct fused_body;
template <nest Nest, int Phases, class Body> struct fused_body<kernel<Nest, Phases, Body>> {
  using loops = fused<kernel<Nest, Phases, Body>, by_thread>;
  loop_numbers c;
  view_numbers views[loops::n_in + loops::n_out];
  std::int64_t numbers[loops::F::n_all_numbers == 0 ? 1 : loops::F::n_all_numbers];

  explicit fused_body(loop_numbers const& from) : c(from) {
    for (int i = 0; i < loops::n_in + loops::n_out; ++i) views[i] = from.views[i];
    for (int i = 0; i < loops::F::n_all_numbers; ++i) numbers[i] = from.numbers[i];
  }
  ETNA_FN loop_numbers here() const {
    loop_numbers mine = c;
    mine.views = const_cast<view_numbers*>(views);
    mine.numbers = numbers;
    return mine;
  }
  ETNA_FN void operator()(std::int64_t u) const { loops::run_units(here(), u, u + 1); }
};
/// The rows whose parts have sums of their own.
template <class K> struct joining_body;
template <nest Nest, int Phases, class Body> struct joining_body<kernel<Nest, Phases, Body>> {
  fused_body<kernel<Nest, Phases, Body>> of;
  ETNA_FN void operator()(std::int64_t row) const { decltype(of)::loops::join_row(of.here(), row); }
};

/// A product, by elements of the result.
template <class T, class Sum> struct gemm_body {
  gemm_numbers p;
  operand_folds folds[2];

  explicit gemm_body(gemm_numbers const& from) : p(from), folds{} {
    for (int k = 0; p.folds && k < 2; ++k) folds[k] = p.folds[k];
  }
  static std::int64_t units(gemm_numbers const& p) { return p.batch * p.m * p.n; }
  ETNA_FN static std::int64_t place(folded_axis const& axis, std::int64_t i, std::int64_t stride) {
    return axis.is_folded() ? axis.at(i) : i * stride;
  }
  ETNA_FN void operator()(std::int64_t u) const {
    std::int64_t j = u % p.n, i = u / p.n % p.m, q = u / p.n / p.m;
    T const* a = static_cast<T const*>(p.a) + q * p.a_batch + place(folds[0].free, i, p.a_m);
    T const* b = static_cast<T const*>(p.b) + q * p.b_batch + place(folds[1].free, j, p.b_n);
    Sum sum{};
    for (std::int64_t k = 0; k < p.k; ++k)
      sum += Sum(a[place(folds[0].sums, k, p.a_k)]) * Sum(b[place(folds[1].sums, k, p.b_k)]);
    static_cast<Sum*>(p.c)[u] = p.start ? static_cast<Sum const*>(p.start)[u] + p.scale<Sum>() * sum : sum;
  }
};

/// A scatter, by places before and behind the axis that is indexed: where indices repeat, sums have one order.
template <class T, class Index> struct scatter_body {
  scatter_numbers s;
  static std::int64_t units(scatter_numbers const& s) { return s.batch * s.pre * s.post; }
  ETNA_FN void operator()(std::int64_t u) const {
    std::int64_t q = u % s.post, row = u / s.post, b = row / s.pre;
    auto const* x = static_cast<T const*>(s.x) + row * s.n * s.post + q;
    auto const* index = static_cast<Index const*>(s.index) + b * s.next_batch;
    auto const* updates = static_cast<T const*>(s.updates) + row * s.places * s.post + q;
    T* out = static_cast<T*>(s.out) + row * s.n * s.post + q;
    if (s.out != s.x)
      for (std::int64_t i = 0; i < s.n; ++i) out[i * s.post] = x[i * s.post];
    for (std::int64_t i = 0; i < s.places; ++i) {
      std::int64_t at = std::int64_t(index[i * s.next_place]);
      if (at < 0) at += s.n;
      if (at >= 0 && at < s.n) out[at * s.post] += updates[i * s.post];
    }
  }
};

}  // namespace etna::lower
