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
struct alignas(tuning::cache::line) view_numbers {  // what a kernel of one loop needs is in one line
  void* data;                                       // at the first element
  std::int64_t first;                               // of a ramp: its first number
  std::int64_t inner, gather_stride, gather_size;
  std::int64_t outer[max_rank], mid[max_rank];
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

/// The statement whose value an operand is, or -1; how far along the row, and which of its results.
struct value_read {
  int from = -1, shift = 0, which = 0;
};
template <class O> inline constexpr value_read read_of{};
template <int Nth, int R> inline constexpr value_read read_of<value<Nth, R>>{Nth, 0, R};
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
  static constexpr std::array<dtype, 3> operand_types{number_of<O>::d...};  // of numbers
};
template <class Input> struct input_traits;
template <dtype D, motion M> struct input_traits<in<D, M>> {
  static constexpr dtype d = D;
  static constexpr motion m = M;
  static constexpr int by = -1;
};
template <dtype D, motion M, int As, bool Near, int By, int Table>
struct input_traits<picked<D, M, As, Near, By, Table>> : input_traits<in<D, M>> {
  static constexpr int as = As;
  static constexpr bool is_near = Near;
  static constexpr int by = By, table = Table;
};
/// Has an input a tile: is it read across its memory, or by rows that an index picks?
template <class X> inline constexpr bool is_turned = X::m == motion::strided || X::by >= 0;
template <class Input> struct input_seen<seen::turned, Input>
    : std::conditional<is_turned<input_traits<Input>>, in<input_traits<Input>::d, motion::next>, Input> {};
template <class Input> struct input_seen<seen::side_by_side, Input>
    : std::type_identity<in<input_traits<Input>::d, motion::next>> {};
template <class Input> struct input_seen<seen::across, Input>
    : std::type_identity<in<input_traits<Input>::d,
                            planning::is_ramp(input_traits<Input>::m) ? motion::strided_ramp : motion::strided>> {};

/// What is to be known of a statement, and of an input, as numbers: who asks for all statements of a kernel asks these,
/// since each template of each statement costs the compiler.
struct statement_fact {
  level at{};
  int phases = 0, outs = 0, out_count = 0, numbers = 0, op = 0, indexed_by = -1;
  bool is_arg = false, lies_apart = false;
  bool chooses = false;  // each element of the result is an operand's: it may be in wider lanes
  dtype d{};
  unsigned types = 0, number_types = 0;
  std::array<int, 3> inputs{-1, -1, -1};
  std::array<value_read, 3> values{};
  std::array<dtype, 3> operand_types{};
  int first_out = 0;  // of its results among the kernel's
  constexpr ops::form form() const { return ops::table.at[op].form; }
  constexpr int flops() const { return ops::flops.at[op]; }
  /// Are these integers of 8 or 16 bits that are computed as they are (rewrite/widen.hpp)?
  constexpr bool has_any_width() const {
    return ops::table.at[op].any_width && d != dtype::boolean && is_narrow(d) && !is_floating(d);
  }
};
/// Those of a statement by itself.
template <class S> inline constexpr statement_fact fact_of = [] {
  using of = stmt_of<S>;
  using P = typename of::P;
  statement_fact f{of::at, of::phases, of::outs, of::out_count, of::numbers, ops::code<P>};
  f.is_arg = of::is_arg;
  f.lies_apart = of::lies_apart;
  f.d = of::d;
  f.types = of::types;
  f.number_types = of::number_types;
  for (std::size_t k = 0; k < of::inputs.size(); ++k) f.inputs[k] = of::inputs[k];
  f.values = of::values;
  f.operand_types = of::operand_types;
  if constexpr (P::form == ops::form::reduction) f.chooses = P::selects;
  else f.chooses = P::form == ops::form::patch || P::form == ops::form::gather || std::is_same_v<P, ops::select_p>;
  if (P::form == ops::form::gather) f.indexed_by = f.inputs[1];
  return f;
}();
struct input_fact {
  dtype d{};
  motion m{};
  int by = -1;                               // the index that picks rows, of which this is an element
  bool is_turned = false;                    // has a tile, where others have
  bool as_index = false, otherwise = false;  // is read so
  bool in_elements = false;                  // is read by statements of elements and sums
  /// Is it read as an index only? Then no register need hold it.
  constexpr bool is_index() const { return as_index && !otherwise; }
};
/// The parts of a kernel, and what is to be known of them.
template <class K> struct facts_of {
  static constexpr int n = parts<K>::statements, n_in = parts<K>::inputs;
  using seq = std::make_integer_sequence<int, n>;
  using in_seq = std::make_integer_sequence<int, n_in>;
  template <int Nth> using stmt_t = typename parts<K>::template stmt_t<Nth>;
  template <int Nth> using S_ = stmt_of<stmt_t<Nth>>;
  template <int Nth> using In_ = input_traits<typename parts<K>::template input_t<Nth>>;

 private:
  template <int... Nth> static constexpr auto all_statements(std::integer_sequence<int, Nth...>) {
    return std::array<statement_fact, n + 1>{fact_of<stmt_t<Nth>>...};
  }
  template <int... J> static constexpr auto all_inputs(std::integer_sequence<int, J...>) {
    return std::array<input_fact, n_in + 1>{input_fact{In_<J>::d, In_<J>::m, In_<J>::by, is_turned<In_<J>>}...};
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
      statement_fact& s = t.statements[std::size_t(i)];
      for (std::size_t k = 0; k < s.inputs.size(); ++k) {
        value_read const v = s.values[k];
        if (s.inputs[k] >= 0) {
          input_fact& x = t.inputs[std::size_t(s.inputs[k])];
          s.operand_types[k] = x.d;
          (s.inputs[k] == s.indexed_by ? x.as_index : x.otherwise) = true;
          x.in_elements = x.in_elements || s.at != level::row;
        } else if (v.from >= 0) s.operand_types[k] = v.which == 1 ? dtype::i32 : t.statements[std::size_t(v.from)].d;
      }
      s.first_out = t.n_out;
      t.n_out += s.out_count;
      t.n_numbers = std::max(t.n_numbers, s.numbers);
      t.work += s.at == level::element ? s.flops() : 0;
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
