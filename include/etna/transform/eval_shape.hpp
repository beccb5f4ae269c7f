// SPDX-License-Identifier: BSD-3-Clause
// Shapes and element types of a function's result, read off its type: nothing is evaluated.
// Read next: ../rewrite/simplify.hpp.
#pragma once
#include "capture.hpp"

namespace etna {
namespace transform {
template <class R> constexpr auto types_in() {
  return tree::map([](auto const& x) { return std::remove_cvref_t<decltype(as_array(x))>::type; }, R{});
}
}  // namespace transform

/// The tree of f's result with a tensor_type (shape and element type) for each leaf.
///
/// shape   a struct S gives S with tensor_type fields where it is a template, otherwise like<S, ...>
/// cost    none at run time; a named extent stays a name
/// errors  those that calling f gives while compiling
/// source  JAX eval_shape
template <class F, class... A> constexpr auto eval_shape(F const&, A const&...) {
  using R = std::remove_cvref_t<std::invoke_result_t<F const&, decltype(transform::lift(std::declval<A const&>()))...>>;
  constexpr auto types = transform::types_in<R>();
  return types;
}
/// The same for arguments of which there is only the type: eval_shape<array<float, 3>>(f).
template <class... A, class F> requires(sizeof...(A) > 0)
constexpr auto eval_shape(F const& f) {
  return eval_shape(f, A{}...);
}

}  // namespace etna
