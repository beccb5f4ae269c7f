// SPDX-License-Identifier: BSD-3-Clause
// A fused kernel as a type: expression statements over primitives and integers only, so that equal
// computations are one type and one instantiation, and nvcc takes it. Read next: registers.hpp.
#pragma once
#include <tuple>

#include <etna/ops/table.hpp>
#include <etna/planning/plan.hpp>

namespace etna::lower {

using planning::level;
using planning::motion;
using planning::nest;

/// An input: its element type and how it moves along the innermost loop.
template <dtype D, motion M> struct in {};
/// One that is picked from by index, in the places where input `As` is; `Near`: as numbers of 32 bits; `By`: the input
/// that is the index, where it says the places of other elements of a row as well, or -1; `Table`: elements of a small
/// table, or 0.
template <dtype D, motion M, int As, bool Near, int By, int Table> struct picked {};
/// The value of statement Nth (its result R), and of input Nth.
template <int Nth, int R = 0> struct value {};
template <int Nth> struct input {};
/// The value of statement Nth so many elements further along the row.
template <int Nth, int Shift> struct moved {};
/// A number of the call: the Nth of the step's literals.
template <int Nth, dtype D> struct number {};

/// One equation: primitive, result type, where it runs, in which phases, which results are stored.
template <class P, dtype D, level L, int Phases, int Outs, class... Operand> struct stmt {};

template <class... X> struct list {
  static constexpr int size = sizeof...(X);
};

/// The inputs and statements of a kernel, under a name that is short however many they are: it is in the symbol of each
/// function of its loops, and in all tables of templates that a compiler has. The last two numbers are a hash of the
/// words. Of two bodies with one hash the compiler says that a function is defined again.
template <int Inputs, int Statements, std::uint64_t, std::uint64_t> struct body {};
/// A place in a body: of an input, or of a statement.
template <class Body, bool IsInput, int Nth> struct place_in {
  friend auto what_is_at(place_in*);
};
/// Says once for all, where it is instantiated, what is at a place.
template <class Place, class T> struct put_at {
  friend auto what_is_at(Place*) { return std::type_identity<T>{}; }
};
template <class Body, bool IsInput, int Nth> using at_place =
    typename decltype(what_is_at(static_cast<place_in<Body, IsInput, Nth>*>(nullptr)))::type;

/// How loops see the inputs: as they move in memory; strided ones copied side by side; all of them so; with a stride
/// along the registers, which may be 0.
enum class seen { as_they_move, turned, side_by_side, across };
template <seen As, class Input> struct input_seen;
template <class Input> struct input_seen<seen::as_they_move, Input> : std::type_identity<Input> {};

/// A loop nest around a body.
template <nest Nest, int Phases, class Body, seen As = seen::as_they_move> struct kernel {};

template <class K> struct parts;
template <nest Nest, int Phases, int Inputs, int Statements, std::uint64_t A, std::uint64_t B, seen As>
struct parts<kernel<Nest, Phases, body<Inputs, Statements, A, B>, As>> {
  using of = body<Inputs, Statements, A, B>;
  static constexpr nest loops = Nest;
  static constexpr int phases = Phases, inputs = Inputs, statements = Statements;
  template <int J> using input_t = typename input_seen<As, at_place<of, true, J>>::type;
  template <int Nth> using stmt_t = at_place<of, false, Nth>;
};
/// A body that is written out: nvcc spells kernels in a file of its own, where nothing has been said of a short name.
template <class Inputs, class... S> struct written_body {};
template <nest Nest, int Phases, class... In, class... S, seen As>
struct parts<kernel<Nest, Phases, written_body<list<In...>, S...>, As>> {
  static constexpr nest loops = Nest;
  static constexpr int phases = Phases, inputs = sizeof...(In), statements = sizeof...(S);
  template <int J> using input_t =
      typename input_seen<As, std::tuple_element_t<std::size_t(J), std::tuple<In...>>>::type;
  template <int Nth> using stmt_t = std::tuple_element_t<std::size_t(Nth), std::tuple<S...>>;
};
/// All that a kernel is, written out: to be shown.
template <nest Nest, int Phases, class Inputs, class... S> struct listing {};
template <class K> struct listing_of {
  using of = parts<K>;
  template <int... J, int... Nth>
  static auto list_all(std::integer_sequence<int, J...>, std::integer_sequence<int, Nth...>)
      -> listing<of::loops, of::phases, list<typename of::template input_t<J>...>,
                 typename of::template stmt_t<Nth>...>;
  using type = decltype(list_all(std::make_integer_sequence<int, of::inputs>{},
                                 std::make_integer_sequence<int, of::statements>{}));
};

template <class Plan, int U> struct build_kernel {
  static constexpr planning::kernel_words words{Plan::value, U};
  template <int Nth> static constexpr planning::stmt_head head = words.head(Nth);

  template <int Nth, int K> static auto operand() {
    using o = planning::kernel_operand;
    constexpr o x = words.operand(Nth, K);
    if constexpr (x.kind == o::literal) return std::type_identity<number<x.of, x.d>>{};
    else if constexpr (x.kind == o::moved) return std::type_identity<moved<x.of, x.which>>{};
    else if constexpr (x.kind == o::input) return std::type_identity<input<x.of>>{};
    else return std::type_identity<value<x.of, x.which>>{};
  }
  template <int Nth, int K> using operand_t = typename decltype(operand<Nth, K>())::type;
  template <int Nth, int... K> static auto statement(std::integer_sequence<int, K...>)
      -> stmt<ops::primitive_at<head<Nth>.op>, head<Nth>.d, head<Nth>.at, head<Nth>.phases, head<Nth>.outs,
              operand_t<Nth, K>...>;
  template <int Nth> static constexpr int arity = ops::table.at[head<Nth>.op].arity;
  template <int Nth> using stmt_t = decltype(statement<Nth>(std::make_integer_sequence<int, arity<Nth>>{}));

  template <int Nth> static auto input_type() {
    constexpr dtype d = words.input_type(Nth);
    constexpr motion m = words.input_motion(Nth);
    constexpr planning::picking p = words.input_picking(Nth);
    if constexpr (p.as >= 0) return std::type_identity<picked<d, m, p.as, p.is_near, p.by, p.table>>{};
    else return std::type_identity<in<d, m>>{};
  }
  template <int Nth> using input_t = typename decltype(input_type<Nth>())::type;

  template <int... J, int... Nth>
  static auto written(std::integer_sequence<int, J...>, std::integer_sequence<int, Nth...>)
      -> kernel<words.loops(), words.phases(), written_body<list<input_t<J>...>, stmt_t<Nth>...>>;
  using named = body<words.inputs(), words.statements(), words.hash_of_body(0x9e3779b97f4a7c15u),
                     words.hash_of_body(0xc2b2ae3d27d4eb4fu)>;
  template <int... J, int... Nth> static auto make(std::integer_sequence<int, J...>, std::integer_sequence<int, Nth...>)
      -> std::enable_if_t<(sizeof(put_at<place_in<named, true, J>, input_t<J>>) + ... + 1) != 0 &&
                              (sizeof(put_at<place_in<named, false, Nth>, stmt_t<Nth>>) + ... + 1) != 0,
                          kernel<words.loops(), words.phases(), named>>;
  using in_seq = std::make_integer_sequence<int, words.inputs()>;
  using seq = std::make_integer_sequence<int, words.statements()>;
#if defined(__CUDACC__)
  using type = decltype(written(in_seq{}, seq{}));
#else
  using type = decltype(make(in_seq{}, seq{}));
#endif
};

/// The kernel one element at a time: where loops are written out, and where a thread has one element.
template <class K> struct one_by_one;
template <nest Nest, int Phases, class Body> struct one_by_one<kernel<Nest, Phases, Body>> {
  using type = kernel<planning::row_of(Nest).one_by_one, Phases, Body>;
};

/// The type of a plan's U-th kernel.
template <class Plan, int U> using kernel_t = typename build_kernel<Plan, U>::type;
template <class Plan, int U> using kernel_one_by_one = typename one_by_one<kernel_t<Plan, U>>::type;

}  // namespace etna::lower
