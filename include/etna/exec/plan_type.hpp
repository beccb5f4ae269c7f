// SPDX-License-Identifier: BSD-3-Clause
// A program as a type, whose properties are constants: its kernels, operations and memory, for static_assert and for
// concepts. docs/types_and_values.md says what is a type and what is a value.
#pragma once
#include "jit.hpp"

namespace etna {

/// Properties of a jitted function's plan for these parameter types, as constants.
template <class F, class... P> struct plan_of {
  using program = compiler::program<F, P...>;
  static constexpr auto const& plan = program::value;
  /// Launches of fused kernels, products and scatters in one call.
  static constexpr int kernel_count = plan.n_steps;
  /// Different fused kernels: instantiations.
  static constexpr int unique_kernels = plan.n_kernels;
  static constexpr extent bytes_of_kind(planning::buffer::kind_t k) { return planning::bytes_of_kind(plan, k); }
  static constexpr extent donated_bytes = planning::donated_bytes(plan);
  /// Temporaries of one call, in bytes.
  static constexpr extent arena_bytes = plan.arena;
  /// Arguments, results and temporaries together, with rvalue arguments donated; in bytes.
  static constexpr extent peak_bytes = planning::peak_bytes(plan);
  /// Floating-point operations of one call.
  static constexpr extent flops = [] {
    extent n = 0;
    for (int i = plan.frames[plan.n_frames - 1].step; i < plan.n_steps; ++i) n += plan.steps[i].flops;
    return n;
  }();
};
namespace exec {
template <class F, class Tuple> struct plan_for;
template <class F, class... P> struct plan_for<F, std::tuple<P...>> {
  using type = plan_of<F, P...>;
};
}  // namespace exec
/// plan_of for a jitted function that declares its parameters: plan_type<decltype(step)>::peak_bytes.
template <class J> struct plan_type_;
template <class F> struct plan_type_<jitted<F>> {
  using type = typename exec::plan_for<F, typename exec::signature<F>::type>::type;
};
template <class J> using plan_type = typename plan_type_<std::remove_cvref_t<J>>::type;

namespace exec {
template <class F, class... P> struct plan_for_program {
  using type = plan_of<F, P...>;
};
template <class F> struct plan_for_program<jitted<F>> {
  using type = plan_type<jitted<F>>;
};
template <class F, class First, class... P> struct plan_for_program<jitted<F>, First, P...> {
  using type = plan_of<F, First, P...>;
};
}  // namespace exec

/// The program of a function for these arguments, a constant of which is its plan.
///
/// F       a constexpr function object: a lambda, a transform of one, or what jit gives
/// P       its parameter types; none where a jitted function declares them
/// errors  as jit has them
///
///     static_assert(program_of<step, net, batch>::kernel_count == 10);
///     static_assert(program_of<f, vec>{} == program_of<g, vec>{});   // the same work: f and g run the same kernels
template <auto F, class... P> struct program_of : exec::plan_for_program<std::remove_cvref_t<decltype(F)>, P...>::type {
  using plan_type = typename exec::plan_for_program<std::remove_cvref_t<decltype(F)>, P...>::type;
  using compiled = typename plan_type::program;
  /// The Nth of its different fused kernels, a type: equal kernels of all programs are one (lower/kernel.hpp).
  template <int Nth> using kernel = lower::kernel_t<compiled, Nth>;
};

/// Do two programs do the same work: the same steps with the same kernels, loops and memory?
template <auto F, class... P, auto G, class... Q> constexpr bool operator==(program_of<F, P...>, program_of<G, Q...>) {
  return planning::same_work(planning::plan(program_of<F, P...>::plan), planning::plan(program_of<G, Q...>::plan));
}

/// Are arguments, results and temporaries of the program together at most so many bytes?
template <class Program, extent Bytes> concept needs_at_most = Program::peak_bytes <= Bytes;
/// Does it run without memory of its own?
template <class Program> concept needs_no_memory = Program::arena_bytes == 0;

}  // namespace etna
