// SPDX-License-Identifier: BSD-3-Clause
// Names of parts of a program, for people: in show, in labels of kernels and in errors. Read next: printout.hpp.
#pragma once
#include <etna/eager/place.hpp>
#include <etna/transform/capture.hpp>

namespace etna {
namespace debug {

/// A name as a template argument.
template <std::size_t N> struct name {
  char text[N]{};
  constexpr name(const char (&s)[N]) { for (std::size_t i = 0; i < N; ++i) text[i] = s[i]; }
  constexpr bool fits() const {
    for (char c : text)
      if (c == '/' || c == '(' || c == ')') return false;
    return N > 1 && N <= trace::scope_entry::most_letters + 1;
  }
};

/// The graph in which these are traced, or the one that is being recorded; null where there is none.
template <class... A> constexpr trace::graph* graph_around(A const&... args) {
  trace::graph* g = nullptr;
  auto look = [&](auto const& x) {
    if constexpr (any_array<decltype(x)>) {
      trace::var v = trace::resolve(etna::detail::access::traced(x));
      if (v.g && (!g || (g->on_heap && (!v.g->on_heap || v.g->rt)))) g = v.g;
    }
  };
  (tree::for_each(look, args), ...);
  if (!g && !std::is_constant_evaluated() && transform::running) g = &transform::current(transform::running);
  return g;
}
template <class T> constexpr int arrays_in() {
  if constexpr (tree::number<T>) return 0;
  else if constexpr (any_array<T>) return 1;
  else if constexpr (tree::detail::is_std_array<T>::value) return int(std::tuple_size_v<T>) * arrays_in<typename T::value_type>();
  else return []<class... F>(std::type_identity<std::tuple<F...>>) { return (arrays_in<F>() + ... + 0); }(std::type_identity<tree::detail::fields_of<T>>{});
}

/// While this lives, the name is open at run time.
class open_at_run_time {
 public:
  constexpr explicit open_at_run_time(const char* name) : mine_{name, nullptr} {
    if (std::is_constant_evaluated()) return;
    mine_.outer = eager::open_names;
    eager::open_names = &mine_;
  }
  open_at_run_time(open_at_run_time const&) = delete;
  constexpr ~open_at_run_time() {
    if (!std::is_constant_evaluated()) eager::open_names = mine_.outer;
  }

 private:
  eager::open_name mine_;
};

template <auto Name, class F> struct scoped {
  [[no_unique_address]] F f;

  template <class... A> constexpr decltype(auto) operator()(A&&... args) const {
    if constexpr ((arrays_in<std::remove_cvref_t<A>>() + ... + 0) == 0 || !Name.fits()) message::fail<message::E082_named_scope<F, A...>>();
    trace::open_scope here(graph_around(args...), Name.text);
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
template <debug::name Name, class F> constexpr auto named_scope(F f) { return debug::scoped<Name, F>{f}; }

}  // namespace etna
