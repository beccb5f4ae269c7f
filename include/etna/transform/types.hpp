// SPDX-License-Identifier: BSD-3-Clause
// Transforms named by their function, as types: types::grad<f>, types::vmap<f, none, 0>. A class
// template cannot share a scope with the function template grad, so the classes have a namespace of
// their own; `using etna::types::grad;` in a scope takes the class. Called on the spot, grad<f>(x)
// needs no object. Read next: eval_shape.hpp.
#pragma once
#include "jacobian.hpp"

namespace etna {

/// A function object that is a template argument: a lambda without captures, or a transform of one.
template <auto F> concept function_object = std::is_class_v<std::remove_cvref_t<decltype(F)>>;

namespace types {
namespace detail {
// The type of a value that carries that value: a function object may have a state.
template <auto Made> struct like_value : std::remove_cvref_t<decltype(Made)> {
  constexpr like_value() : std::remove_cvref_t<decltype(Made)>(Made) {}
};
}  // namespace detail

/// grad<f>{}(x) is grad(f)(x); grad<f, 0, 1> names arguments.
template <auto F, std::size_t... Argnum> requires function_object<F>
struct grad : detail::like_value<etna::grad<Argnum...>(F)> {};
/// value_and_grad<f>{}(x) is value_and_grad(f)(x).
template <auto F, std::size_t... Argnum> requires function_object<F>
struct value_and_grad : detail::like_value<etna::value_and_grad<Argnum...>(F)> {};
/// vmap<f, none, 0>{}(p, x) is vmap<none, 0>(f)(p, x).
template <auto F, int... In> requires function_object<F>
struct vmap : detail::like_value<etna::vmap<In...>(F)> {};
/// jacfwd<f, 0>{}(x) is jacfwd<0>(f)(x); jacrev and hessian likewise.
template <auto F, std::size_t Argnum = 0> requires function_object<F>
struct jacfwd : detail::like_value<etna::jacfwd<Argnum>(F)> {};
template <auto F, std::size_t Argnum = 0> requires function_object<F>
struct jacrev : detail::like_value<etna::jacrev<Argnum>(F)> {};
template <auto F, std::size_t Argnum = 0> requires function_object<F>
struct hessian : detail::like_value<etna::hessian<Argnum>(F)> {};
/// jvp<f>{}(args, tangents) is jvp(f, args, tangents).
template <auto F> requires function_object<F>
struct jvp {
  template <class A, class T> constexpr auto operator()(A const& args, T const& tangents) const {
    return etna::jvp(F, args, tangents);
  }
};
/// vjp<f>{}(args...) is vjp(f, args...).
template <auto F> requires function_object<F>
struct vjp {
  template <class... A> constexpr auto operator()(A const&... args) const { return etna::vjp(F, args...); }
};

}  // namespace types

/// grad<f>(x) is grad(f)(x), and so for the others; arguments are named behind f: grad<f, 1>(x, y).
template <auto F, std::size_t... Argnum, class... A> requires function_object<F>
constexpr auto grad(A const&... args) {
  return types::grad<F, Argnum...>{}(args...);
}
template <auto F, std::size_t... Argnum, class... A> requires function_object<F>
constexpr auto value_and_grad(A const&... args) {
  return types::value_and_grad<F, Argnum...>{}(args...);
}
template <auto F, int... In, class... A> requires function_object<F>
constexpr auto vmap(A const&... args) {
  return types::vmap<F, In...>{}(args...);
}
template <auto F, std::size_t Argnum = 0, class... A> requires function_object<F>
constexpr auto jacfwd(A const&... args) {
  return types::jacfwd<F, Argnum>{}(args...);
}
template <auto F, std::size_t Argnum = 0, class... A> requires function_object<F>
constexpr auto jacrev(A const&... args) {
  return types::jacrev<F, Argnum>{}(args...);
}
template <auto F, std::size_t Argnum = 0, class... A> requires function_object<F>
constexpr auto hessian(A const&... args) {
  return types::hessian<F, Argnum>{}(args...);
}

}  // namespace etna
