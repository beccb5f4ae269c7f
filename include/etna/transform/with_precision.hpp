// SPDX-License-Identifier: BSD-3-Clause
// Scopes of precision, for all products of a function. Read next: eval_shape.hpp.
#pragma once
#include "capture.hpp"

namespace etna {
namespace transform {

/// While this lives, products of the graph (at run time: of the thread) have this precision. The graph may be taken in
/// by another meanwhile, whose own scope is that around this one.
class precision_scope {
 public:
  constexpr precision_scope(graph* g, precision p) : somewhere_{g, g ? 0 : -1} {
    if (!__builtin_is_constant_evaluated()) {
      outer_ = tracing::open_precision;
      tracing::open_precision = p;
    } else if (g) {
      outer_ = g->precision_here;
      g->precision_here = p;
    }
  }
  precision_scope(precision_scope const&) = delete;
  constexpr ~precision_scope() {
    if (!__builtin_is_constant_evaluated()) {
      tracing::open_precision = outer_;
      return;
    }
    if (!somewhere_) return;
    for (graph* g = somewhere_.g; outer_ == precision::usual && g->forward; g = g->forward)
      outer_ = g->precision_around;
    current(somewhere_.g).precision_here = outer_;
  }

 private:
  var somewhere_;
  precision outer_ = precision::usual;
};

/// What a product of these operands has that asks for p.
constexpr precision precision_of(precision p, dtype d, var x, var y) {
  if (p == precision::usual && !__builtin_is_constant_evaluated()) p = tracing::open_precision;
  for (var v : {x, y})
    if (p == precision::usual && __builtin_is_constant_evaluated() && v.g) p = current(v.g).precision_here;
  return tracing::matters(p, d) ? p : precision::usual;
}

template <precision P, class F> struct precise {
  [[no_unique_address]] F f;

  template <class... A> constexpr decltype(auto) operator()(A&&... args) const {
    if constexpr (!have_array<A...>) message::fail<message::E099_with_precision<F, A...>>();
    precision_scope const here(graph_around(args...), P);
    return f(std::forward<A>(args)...);
  }
};

}  // namespace transform

/// with_precision<precision::bf16>(f): f, all of whose products of f32 and f64 have this precision, those of its
/// derivatives too: with_precision<P>(grad(f)) and grad(with_precision<P>(f)).
///
/// call    at least one argument is an array, which tells the program that is being written
/// nested  the innermost scope counts, and what a product itself says (dot<precision::highest>(x, y)) before it
/// jit     with_precision<P>(jit(f)) is jit(with_precision<P>(f)); a jitted function that f calls at run time is a
///         program of its own
/// errors  E099 no argument is an array
/// source  JAX default_matmul_precision, which is a context of the thread
template <precision P, class F> constexpr auto with_precision(F f) { return transform::precise<P, F>{f}; }

}  // namespace etna
