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

/// Element types as a set of bits, and as a list.
constexpr unsigned bit_of(dtype d) { return 1u << int(d); }
static_assert(dtype_count <= 32, "etna: a set of element types is a number of 32 bits");
template <dtype... D> struct types {};
template <unsigned Set, dtype... D> struct types_in : types_in<(Set & (Set - 1)), D..., dtype(std::countr_zero(Set))> {
};
template <dtype... D> struct types_in<0, D...> {
  using type = types<D...>;
};

// Values in one kind of lanes: for each type among them, a slot a statement. Lengths are powers of two, so that kernels
// share them; types that a kernel has not would cost the compiler of each of its functions.
template <class L, int N, dtype D> struct slots {
  typename L::template of<element_of<D>> x[N];
};
template <class L, int N, class Types> struct registers_of;
template <class L, int N, dtype... D> struct registers_of<L, N, types<D...>> : slots<L, N, D>... {
  template <dtype Of> ETNA_FN auto& get(int i) { return slots<L, N, Of>::x[i]; }
};
template <class L, int N, unsigned Set> using registers =
    registers_of<L, int(std::bit_ceil(unsigned(N))), typename types_in<Set>::type>;

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

/// Indices in lanes beside values of type D.
template <dtype D> inline constexpr dtype index_beside = bytes_of(D) == 8 ? dtype::i64 : dtype::i32;

template <class S> struct stmt_of;
template <class P_, dtype D, level L, int Phases, int Outs, class... O>
struct stmt_of<stmt<P_, D, L, Phases, Outs, O...>> {
  using P = P_;
  static constexpr dtype d = D;
  static constexpr level at = L;
  static constexpr int phases = Phases, outs = Outs & ~planning::stmt_head::apart;
  static constexpr bool lies_apart = (Outs & planning::stmt_head::apart) != 0;
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
  static constexpr unsigned number_types = ((number_of<O>::end > 0 ? bit_of(number_of<O>::d) : 0u) | ... | 0u);
  /// Of what stands in its slots: its own, indices beside the best, and f64, in which sums of f32 are joined.
  static constexpr unsigned types = bit_of(D) | (is_arg ? bit_of(dtype::i32) | bit_of(index_beside<D>) : 0u) |
                                    (L == level::reduce && D == dtype::f32 ? bit_of(dtype::f64) : 0u);
  static constexpr bool numbers_fit(int bytes) { return ((bytes_of(number_of<O>::d) <= bytes) && ...); }
};
template <class Input> struct input_traits;
template <dtype D, motion M> struct input_traits<in<D, M>> {
  static constexpr dtype d = D;
  static constexpr motion m = M;
};
template <dtype D, motion M, int As, bool Near> struct input_traits<picked<D, M, As, Near>> : input_traits<in<D, M>> {
  static constexpr int as = As;
  static constexpr bool is_near = Near;
};

}  // namespace etna::lower
