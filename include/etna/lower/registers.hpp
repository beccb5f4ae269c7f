// SPDX-License-Identifier: BSD-3-Clause
// What the statements of a kernel work with: the numbers of a call, the slots of their values, and what their types
// say. Read next: kept.hpp.
#pragma once
#include <bit>

#include <etna/tuning.hpp>

#include "kernel.hpp"
#include "lanes.hpp"

namespace etna::lower {

/// Numbers that a step needs at the call: pointers, strides in elements, extents.
struct view_numbers {
  void* data;          // at the first element
  std::int64_t first;  // of a ramp: its first number
  std::int64_t outer[max_rank], mid[max_rank];
  std::int64_t inner, gather_stride, gather_size;
};
struct loop_numbers {
  view_numbers* views;
  std::int64_t const* numbers;  // literals, as bits
  int n_outer;
  std::int64_t outer[max_rank];
  int n_mid;
  std::int64_t mid_extent[max_rank];
  std::int64_t rows, mid, inner;
  std::int64_t from = 0;  // where the innermost loop begins, if there is no other: that of a tile
  // Results are more than caches hold: they are stored past them where that pays (statements.hpp)
  bool non_temporal = false;
  void* sums = nullptr;  // of a kernel's units, where it says how many bytes these are
};

// Values of one kind of lanes, one slot a statement and element type, in arrays of few lengths: kernels share them.
template <class L, int N, dtype D> struct slots {
  typename L::template of<element_of<D>> x[N];
};
template <class L, int N, class Types = std::make_integer_sequence<int, dtype_count>> struct registers;
template <class L, int N, int... D> struct registers<L, N, std::integer_sequence<int, D...>>
    : slots<L, int(std::bit_ceil(unsigned(N))), dtype(D)>... {
  template <dtype Of> ETNA_FN auto& get(int i) { return slots<L, int(std::bit_ceil(unsigned(N))), Of>::x[i]; }
};

template <class O> struct number_of {
  static constexpr int end = 0;
  static constexpr dtype d = dtype::boolean;
};
template <int Nth, dtype D> struct number_of<number<Nth, D>> {
  static constexpr int end = Nth + 1;
  static constexpr dtype d = D;
};

template <class O> struct input_of {
  static constexpr int number = -1;
};
template <int Nth> struct input_of<input<Nth>> {
  static constexpr int number = Nth;
};

/// The statement whose value an operand is, or -1; and how far along the row.
struct value_read {
  int from = -1, shift = 0;
};
template <class O> inline constexpr value_read read_of{};
template <int Nth, int R> inline constexpr value_read read_of<value<Nth, R>>{Nth, 0};
template <int Nth, int Shift> inline constexpr value_read read_of<moved<Nth, Shift>>{Nth, Shift};

template <class S> struct stmt_of;
template <class P_, dtype D, level L, int Phases, int Outs, class... O>
struct stmt_of<stmt<P_, D, L, Phases, Outs, O...>> {
  using P = P_;
  static constexpr dtype d = D;
  static constexpr level at = L;
  static constexpr int phases = Phases, outs = Outs;
  static constexpr int out_count = (Outs & 1) + (Outs >> 1 & 1);
  static constexpr std::array<int, sizeof...(O)> inputs{input_of<O>::number...};
  static constexpr std::array<value_read, 3> values{read_of<O>...};
  template <int J> static constexpr bool reads = (std::is_same_v<O, input<J>> || ...);
  static constexpr bool is_arg = P::form == ops::form::arg_reduction;
  static constexpr int numbers = [] {
    int n = 0;
    ((n = number_of<O>::end > n ? number_of<O>::end : n), ...);
    return n;
  }();
  static constexpr bool numbers_fit(int bytes) { return ((bytes_of(number_of<O>::d) <= bytes) && ...); }
};
template <class Input> struct input_traits;
template <dtype D, motion M> struct input_traits<in<D, M>> {
  static constexpr dtype d = D;
  static constexpr motion m = M;
};

}  // namespace etna::lower
