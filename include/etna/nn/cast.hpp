// SPDX-License-Identifier: BSD-3-Clause
// A tree with other floating elements: a model of f32 as one of bf16. Its type is the same template with another
// element type, so it has its layers' calls. Read next: policy.hpp.
#pragma once
#include <etna/numpy/manipulate.hpp>

#include "layer.hpp"

namespace etna::nn {
namespace detail {

/// T with elements U in the place of floating ones: arrays, numbers, std::array, tuples, and class templates by their
/// arguments. A template of another pattern says it itself: `template <element U> using with_element = ...`.
template <class T, class U> struct with_element {
  using type = T;
};
template <class T, class U> using with_element_t = typename with_element<T, U>::type;
template <class T, class U> requires(tree::number<T> && is_real<T>)
struct with_element<T, U> {
  using type = U;
};
template <class T, class U> requires requires { typename T::template with_element<U>; }
struct with_element<T, U> {
  using type = typename T::template with_element<U>;
};
template <class T, extent... E, class U> struct with_element<array<T, E...>, U> {
  using type = array<with_element_t<T, U>, E...>;
};
template <class T, std::size_t N, class U> struct with_element<std::array<T, N>, U> {
  using type = std::array<with_element_t<T, U>, N>;
};
template <template <class...> class S, class A, class... B, class U>
requires(!requires { typename S<A, B...>::template with_element<U>; })
struct with_element<S<A, B...>, U> {
  using type = S<with_element_t<A, U>, with_element_t<B, U>...>;
};
template <template <class, auto, auto...> class S, class A, auto N, auto... M, class U>
requires(!any_array<S<A, N, M...>> && !requires { typename S<A, N, M...>::template with_element<U>; })
struct with_element<S<A, N, M...>, U> {
  using type = S<with_element_t<A, U>, N, M...>;
};
template <template <class, class, class, auto, auto...> class S, class A, class B, class C, auto N, auto... M, class U>
struct with_element<S<A, B, C, N, M...>, U> {
  using type = S<with_element_t<A, U>, B, C, N, M...>;
};

template <class U, class X> constexpr auto cast_leaf(X const& x) {
  if constexpr (!any_array<X>) return with_element_t<X, U>(x);
  else if constexpr (is_floating(X::type.d)) return astype<U>(x);
  else return x;
}
template <class R, class... X> constexpr bool holds_leaves(std::tuple<X...> const*) {
  return std::is_same_v<decltype(tree::leaves(std::declval<R const&>())), std::tuple<X...>>;
}

}  // namespace detail

/// A tree like this whose floating elements are of type U; integers and bool stay. A struct in it is a template of the
/// element type, `template <class T> struct net { nn::dense<T, 784, 10> last; }`: net<float> becomes net<bfloat16>.
///
/// diff    a gradient by what was cast is of its own element type
/// errors  E100 a struct is no such template
/// source  jmp cast_to_compute
template <element U, class T> constexpr auto cast(T const& t) {
  using R = detail::with_element_t<T, U>;
  auto const leaves =
      std::apply([](auto const&... x) { return std::tuple{detail::cast_leaf<U>(x)...}; }, tree::leaves(t));
  constexpr bool fits = detail::holds_leaves<R>(static_cast<decltype(leaves) const*>(nullptr));
  if constexpr (!fits) {
    message::fail<message::E100_cast<T, U>>();
    return t;
  } else return tree::unflatten(tree::structure<R>{}, leaves);
}

}  // namespace etna::nn
