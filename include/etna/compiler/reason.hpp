// SPDX-License-Identifier: BSD-3-Clause
// Why there is no program: what stopped the trace, or which part a transform could not do, as the class that says it.
#pragma once
#include <etna/ops/known.hpp>

#include "program.hpp"

namespace etna::compiler {

/// The trace once more, which ends where a number is read that is not known: for E035.
template <class F, class... P> struct strict_trace {
  static constexpr bool reads_no_number() {
    bounded_graph traced;
    tracing::zeros<int> outputs;
    traced.g.reads = graph::most_reads;
    trace_into<F, P...>(traced.g, outputs.at);
    return true;
  }
};
template <class Trace> concept traceable = requires { typename std::integral_constant<int, Trace::get().n_nodes>; };
inline constexpr int not_traceable = 8;
/// Was the function traced, and could every transform do its part?
template <class Trace> concept complete = traceable<Trace> && Trace::get().error == 0;
/// Where in the program: named_scope's path.
template <fixed_string Path> struct in_scope;
template <class Trace> constexpr int scope_letters() {
  int n = 0;
  auto const& t = Trace::get();
  tracing::put_scope(t.attrs, t.error_scope, [&](char) { ++n; });
  return n;
}
template <class Trace> constexpr auto scope_text() {
  char text[std::size_t(scope_letters<Trace>() + 1)]{};
  int n = 0;
  auto const& t = Trace::get();
  tracing::put_scope(t.attrs, t.error_scope, [&](char c) { text[n++] = c; });
  return fixed_string(text);
}
/// What went wrong, by its number, as the class that says it: `message::fail<refusal<Trace, F, P...>>()`. What
/// transforms cannot do is a row of message/failure.hpp; two more are of the trace itself.
template <int Error, class F, class... P> struct refusal_ {
  using type = typename message::failure_row<Error>::template error<F, P...>;
};
template <class F, class... P> struct refusal_<not_traceable, F, P...> {
#if defined(ETNA_CALLS_ARE_REMEMBERED)
  using type = message::E008_not_traceable<F, P...>;
#else
  struct type {};  // the trace is a variable, whose name has said it
#endif
};
template <class F, class... P> struct refusal_<tracing::unknown_number, F, P...> {
  using type = message::E035_number_of_an_unknown_value<strict_trace<F, P...>>;
};
template <class Trace> constexpr int error_of() {
  if constexpr (traceable<Trace>) return Trace::get().error;
  else return not_traceable;
}
template <class Trace, class F, class... P> constexpr auto find_refusal() {
  constexpr int error = error_of<Trace>();
  if constexpr (error > 0 && error != not_traceable && error != tracing::unknown_number) {
    if constexpr (scope_letters<Trace>() > 0)
      return std::type_identity<
          typename message::failure_row<error>::template error<in_scope<scope_text<Trace>()>, F, P...>>{};
    else return std::type_identity<typename refusal_<error, F, P...>::type>{};
  } else return std::type_identity<typename refusal_<error, F, P...>::type>{};
}
template <class Trace, class F, class... P> using refusal = typename decltype(find_refusal<Trace, F, P...>())::type;

}  // namespace etna::compiler
