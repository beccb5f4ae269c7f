// SPDX-License-Identifier: BSD-3-Clause
// A program: the trace of a function and its plan, as constants.
#pragma once
#include "budget.hpp"
#include "trace.hpp"

namespace etna::compiler {

/// A trace as a constant, that of a program with its plan, and whether there is one. g++ remembers calls, and asks
/// before it uses what they give. Others would trace twice: the two of a program are one variable (what is read in the
/// evaluation that wrote it is also read faster), and where it fails, its name and line say what is wrong; the compiler
/// adds the reason.
#if defined(ETNA_CALLS_ARE_REMEMBERED)
template <class F, class... P> struct trace_of {
  static constexpr traced<F, P...> get() { return {}; }
};
template <class F, class... P> struct planned {
  using trace = trace_of<F, P...>;
  struct made : planning::draft {
    constexpr made() : planning::draft{} { compile_for<F>(trace::get(), *this); }
  };
  static constexpr made get() { return {}; }
};
#else
template <class F, class... P> struct trace_of {
  // clang-format off
  static constexpr traced<F, P...> E008_not_traceable{};  // E008: jit: the function cannot run while the program compiles: it reads a run-time variable or calls something that is not constexpr; pass values as arguments, declare helpers constexpr, print with debug::print
  // clang-format on
  static constexpr picture const& get() { return E008_not_traceable; }
};
template <class F, class... P> struct trace_and_plan {
  traced<F, P...> trace;
  planning::draft p{};
  constexpr trace_and_plan() { compile_for<F>(trace, p); }
};
template <class F, class... P> struct planned {
  // clang-format off
  static constexpr trace_and_plan<F, P...> E008_not_traceable{};  // E008: jit: the function cannot run while the program compiles: it reads a run-time variable or calls something that is not constexpr; pass values as arguments, declare helpers constexpr, print with debug::print
  // clang-format on
  struct trace {
    static constexpr picture const& get() { return E008_not_traceable.trace; }
  };
  static constexpr planning::draft const& get() { return E008_not_traceable.p; }
};
#endif

/// A function of arrays as constants: its trace and its plan.
template <class F, class... P> struct program {
  using made = planned<F, P...>;
  static constexpr int M = result_count<F, P...>;
  static constexpr planning::plan_size size = size_of(made::get());
  static constexpr auto value = planning::tighten<program>(made::get());
  /// Does it take no more memory than it may?
  static constexpr bool is_fitting =
      budget_of<F> < 0 || (value.is_static && planning::peak_bytes(value) <= budget_of<F>);
  static constexpr extent peak = value.is_static ? planning::peak_bytes(value) : 0;
  using budget_error =
      std::conditional_t<value.is_static,
                         message::E154_budget_of_memory<message::size<budget_of<F>>, message::size<peak>>,
                         message::E155_budget_of_unknown_sizes<F, P...>>;
};

}  // namespace etna::compiler
