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
/// One that is picked from by index, in the places where input `As` is; `Near`: as numbers of 32 bits.
template <dtype D, motion M, int As, bool Near> struct picked {};
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

/// A loop nest around statements.
template <nest Nest, int Phases, class Inputs, class... S> struct kernel {};

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
    if constexpr (p.as >= 0) return std::type_identity<picked<d, m, p.as, p.is_near>>{};
    else return std::type_identity<in<d, m>>{};
  }
  template <int... Nth> static auto inputs_of(std::integer_sequence<int, Nth...>)
      -> list<typename decltype(input_type<Nth>())::type...>;
  template <int... Nth> static auto make(std::integer_sequence<int, Nth...>)
      -> kernel<words.loops(), words.phases(), decltype(inputs_of(std::make_integer_sequence<int, words.inputs()>{})),
                stmt_t<Nth>...>;
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
