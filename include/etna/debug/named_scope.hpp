// SPDX-License-Identifier: BSD-3-Clause
// Names of parts of a program, for people: in show, in labels of kernels and in errors. Read next: printout.hpp.
#pragma once
#include <etna/array/fixed_string.hpp>
#include <etna/eager/place.hpp>
#include <etna/transform/capture.hpp>

namespace etna {
namespace debug {

/// No / ( ), which join names in a path, and neither empty nor too long.
template <fixed_string Name> constexpr bool is_name() {
  for (char c : Name.text)
    if (c == '/' || c == '(' || c == ')') return false;
  return Name.size() > 0 && Name.size() <= tracing::scope_entry::most_letters;
}

/// While this lives, the name is open at run time.
class open_at_run_time {
 public:
  constexpr explicit open_at_run_time(const char* name) : mine_{name, nullptr} {
    if (__builtin_is_constant_evaluated()) return;
    mine_.outer = eager::open_names;
    eager::open_names = &mine_;
  }
  open_at_run_time(open_at_run_time const&) = delete;
  constexpr ~open_at_run_time() {
    if (!__builtin_is_constant_evaluated()) eager::open_names = mine_.outer;
  }

 private:
  eager::open_name mine_;
};

template <fixed_string Name, class F> struct scoped {
  [[no_unique_address]] F f;

  template <class... A> constexpr decltype(auto) operator()(A&&... args) const {
    if constexpr (!is_name<Name>() || !transform::have_array<A...>) message::fail<message::E082_named_scope<F, A...>>();
    tracing::open_scope here(transform::graph_around(args...), Name.text);
    open_at_run_time also(Name.text);
    return f(std::forward<A>(args)...);
  }
};

}  // namespace debug

/// named_scope<"attention">(f): f, whose equations have this name in show, in labels of kernels and in errors.
///
/// call    at least one argument is an array, which tells the program that is being written
/// nested  names join: encoder/attention; derivatives have jvp(...) and transpose(jvp(...))
/// cost    none: equations and kernels that differ in their scopes alone stay one
/// errors  E082 no argument is an array, or the name is empty, too long, or has / ( )
/// source  JAX named_scope
template <fixed_string Name, class F> constexpr auto named_scope(F f) { return debug::scoped<Name, F>{f}; }

}  // namespace etna
