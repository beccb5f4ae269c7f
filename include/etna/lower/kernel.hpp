// SPDX-License-Identifier: BSD-3-Clause
// A fused kernel as a type: expression statements over primitives and integers only, so that equal
// computations are one type and one instantiation, and nvcc takes it. Read next: registers.hpp.
#pragma once
#include <etna/ops/table.hpp>
#include <etna/planning/plan.hpp>

namespace etna::lower {

using planning::level;
using planning::motion;
using planning::nest;

/// An input: its element type and how it moves along the innermost loop.
template <dtype D, motion M> struct in {};
/// The value of statement I (its result R), and of input I.
template <int I, int R = 0> struct value {};
template <int I> struct input {};
/// The value of statement I so many elements further along the row.
template <int I, int Shift> struct moved {};
/// A number of the call: the I-th of the step's literals.
template <int I, dtype D> struct number {};

/// One equation: primitive, result type, where it runs, in which phases, which results are stored.
template <class P, dtype D, level L, int Phases, int Outs, class... Operand> struct stmt {};

template <class... X> struct list {
  static constexpr int size = sizeof...(X);
};

/// A loop nest around statements.
template <nest Nest, int Phases, class Inputs, class... S> struct kernel {};

template <class Plan, int U> struct build_kernel {
  static constexpr planning::kernel_words words{Plan::value, U};
  template <int I> static constexpr planning::stmt_head head = words.head(I);

  template <int I, int K> static auto operand() {
    using o = planning::kernel_operand;
    constexpr o x = words.operand(I, K);
    if constexpr (x.kind == o::literal) return std::type_identity<number<x.of, x.d>>{};
    else if constexpr (x.kind == o::moved) return std::type_identity<moved<x.of, x.which>>{};
    else if constexpr (x.kind == o::input) return std::type_identity<input<x.of>>{};
    else return std::type_identity<value<x.of, x.which>>{};
  }
  template <int I, int K> using operand_t = typename decltype(operand<I, K>())::type;
  template <int I, int... K> static auto statement(std::integer_sequence<int, K...>)
      -> stmt<ops::primitive_at<head<I>.op>, head<I>.d, head<I>.at, head<I>.phases, head<I>.outs, operand_t<I, K>...>;
  template <int I> static constexpr int arity = ops::table.at[head<I>.op].arity;
  template <int I> using stmt_t = decltype(statement<I>(std::make_integer_sequence<int, arity<I>>{}));

  template <int... I> static auto inputs_of(std::integer_sequence<int, I...>)
      -> list<in<words.input_type(I), words.input_motion(I)>...>;
  template <int... I> static auto make(std::integer_sequence<int, I...>)
      -> kernel<words.loops(), words.phases(), decltype(inputs_of(std::make_integer_sequence<int, words.inputs()>{})),
                stmt_t<I>...>;
  using type = decltype(make(std::make_integer_sequence<int, words.statements()>{}));
};

/// The kernel one element at a time: where loops are written out, and where a thread has one element.
template <class K> struct one_by_one;
template <nest Nest, int Phases, class In, class... S> struct one_by_one<kernel<Nest, Phases, In, S...>> {
  using type = kernel<planning::row_of(Nest).one_by_one, Phases, In, S...>;
};

/// The type of a plan's U-th kernel.
template <class Plan, int U> using kernel_t = typename build_kernel<Plan, U>::type;
template <class Plan, int U> using kernel_one_by_one = typename one_by_one<kernel_t<Plan, U>>::type;

}  // namespace etna::lower
