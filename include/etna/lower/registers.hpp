// SPDX-License-Identifier: BSD-3-Clause
// What the statements of a kernel work with: the numbers of a call, the slots of their values, and what their types
// say. Read next: kept.hpp.
#pragma once
#include <algorithm>
#include <array>
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
template <class Input> struct input_seen<seen::turned, Input>
    : std::conditional<input_traits<Input>::m == motion::strided, in<input_traits<Input>::d, motion::next>, Input> {};
template <class Input> struct input_seen<seen::side_by_side, Input>
    : std::type_identity<in<input_traits<Input>::d, motion::next>> {};
template <class Input> struct input_seen<seen::across, Input>
    : std::type_identity<in<input_traits<Input>::d,
                            planning::is_ramp(input_traits<Input>::m) ? motion::strided_ramp : motion::strided>> {};

/// What is to be known of a statement, and of an input, as numbers.
struct statement_fact {
  level at{};
  int phases = 0, outs = 0, out_count = 0, numbers = 0, flops = 0, indexed_by = -1;
  bool is_arg = false, lies_apart = false;
  dtype d{};
  unsigned types = 0, number_types = 0;
  std::array<int, 3> inputs{-1, -1, -1};
  std::array<value_read, 3> values{};
  constexpr bool reads(int input) const {
    return input >= 0 && (inputs[0] == input || inputs[1] == input || inputs[2] == input);
  }
};
struct input_fact {
  dtype d{};
  motion m{};
};
/// The input by which a statement picks elements, or -1.
template <class S> inline constexpr int index_of_gather = -1;
template <class P, dtype D, level At, int Ph, int Outs, class X, int Nth>
inline constexpr int index_of_gather<stmt<P, D, At, Ph, Outs, X, input<Nth>>> = P::form == ops::form::gather ? Nth : -1;

/// The parts of a kernel, and what is to be known of them.
template <class K> struct facts_of {
  static constexpr int n = parts<K>::statements, n_in = parts<K>::inputs;
  using seq = std::make_integer_sequence<int, n>;
  using in_seq = std::make_integer_sequence<int, n_in>;
  template <int Nth> using stmt_t = typename parts<K>::template stmt_t<Nth>;
  template <int Nth> using S_ = stmt_of<stmt_t<Nth>>;
  template <int Nth> using In_ = input_traits<typename parts<K>::template input_t<Nth>>;

 private:
  template <class S> static constexpr statement_fact fact() {
    using of = stmt_of<S>;
    statement_fact f{of::at,         of::phases,   of::outs,           of::out_count,
                     of::numbers,    of::P::flops, index_of_gather<S>, of::is_arg,
                     of::lies_apart, of::d,        of::types,          of::number_types};
    for (std::size_t k = 0; k < of::inputs.size(); ++k) f.inputs[k] = of::inputs[k];
    f.values = of::values;
    return f;
  }
  template <int... Nth> static constexpr auto all_statements(std::integer_sequence<int, Nth...>) {
    return std::array<statement_fact, n + 1>{fact<stmt_t<Nth>>()...};
  }
  template <int... J> static constexpr auto all_inputs(std::integer_sequence<int, J...>) {
    return std::array<input_fact, n_in + 1>{input_fact{In_<J>::d, In_<J>::m}...};
  }
  struct table {
    std::array<statement_fact, n + 1> statements;
    std::array<input_fact, n_in + 1> inputs;
    int n_out = 0, n_numbers = 0, work = 0, widest = 1;
    unsigned types = 0, number_types = 0, input_types = 0;
  };
  static constexpr table make() {
    table t{all_statements(seq{}), all_inputs(in_seq{})};
    for (int i = 0; i < n; ++i) {
      statement_fact const& s = t.statements[std::size_t(i)];
      t.n_out += s.out_count;
      t.n_numbers = std::max(t.n_numbers, s.numbers);
      t.work += s.at == level::element ? s.flops : 0;
      t.widest = std::max(t.widest, bytes_of(s.d));
      t.types |= s.types;
      t.number_types |= s.number_types;
    }
    for (int j = 0; j < n_in; ++j) {
      t.widest = std::max(t.widest, bytes_of(t.inputs[std::size_t(j)].d));
      t.input_types |= bit_of(t.inputs[std::size_t(j)].d);
    }
    return t;
  }

 public:
  static constexpr table facts = make();
};

}  // namespace etna::lower
