// SPDX-License-Identifier: BSD-3-Clause
// Arguments that are not etna's: which array each is given for, and that array, made for one call. Read next: jit.hpp.
#pragma once
#include <etna/array/foreign.hpp>
#include <etna/transform/jacobian.hpp>

#include "signature.hpp"

namespace etna::exec {

template <class T> using lifted = decltype(transform::lift(std::declval<std::remove_cvref_t<T> const&>()));

/// Is it an array where no parameter says so? A std::array is a tree of its elements.
template <class X> inline constexpr bool is_told_alone = interop::foreign<X> && !tree::detail::is_std_array<X>::value;

/// The function whose parameters are F's too: that of which F is a derivative.
template <class F> struct derived_from : std::type_identity<F> {};
template <class F, bool HasAux, std::size_t... N> struct derived_from<transform::grad_of<F, HasAux, N...>>
    : derived_from<F> {};
template <class F, bool HasAux, std::size_t... N> struct derived_from<transform::value_and_grad_of<F, HasAux, N...>>
    : derived_from<F> {};
template <class F, std::size_t N> struct derived_from<transform::jacfwd_of<F, N>> : derived_from<F> {};
template <class F, std::size_t N> struct derived_from<transform::jacrev_of<F, N>> : derived_from<F> {};

/// What the argument A number Nth is to the function F that does not declare its parameters: what A tells by itself, or
/// what the function declares of which F is a derivative; void where neither says it.
template <class F, std::size_t Nth, class A> auto find_parameter() {
  using inner = typename derived_from<F>::type;
  if constexpr (!is_told_alone<A>) return std::type_identity<lifted<A>>{};
  else if constexpr (!std::is_void_v<typename interop::guest<A>::told>)
    return std::type_identity<typename interop::guest<A>::told>{};
  else if constexpr (declared<inner>) {
    using all = typename parameters_of<decltype(&inner::operator())>::type;
    if constexpr (Nth < std::tuple_size_v<all>) return std::type_identity<std::tuple_element_t<Nth, all>>{};
    else return std::type_identity<void>{};
  } else return std::type_identity<void>{};
}
template <class F, class... A> struct signature {
  template <std::size_t... Nth> static auto each(std::index_sequence<Nth...>)
      -> std::tuple<typename decltype(find_parameter<F, Nth, A>())::type...>;
  static auto find() {
    if constexpr (declared<F>) return std::type_identity<typename parameters_of<decltype(&F::operator())>::type>{};
    else if constexpr ((is_told_alone<A> || ...))
      return std::type_identity<decltype(each(std::index_sequence_for<A...>{}))>{};
    else return std::type_identity<std::tuple<lifted<A>...>>{};
  }
  using type = typename decltype(find())::type;
};

template <class P, class A> inline constexpr bool is_guest = any_array<P> && interop::foreign<A>;
/// Is there a parameter of which nobody tells the sizes?
template <class Params> inline constexpr bool is_untold = false;
template <class... P> inline constexpr bool is_untold<std::tuple<P...>> = (std::is_void_v<P> || ...);
template <class Params, class... A> inline constexpr bool has_guests = false;
template <class... P, class... A> requires(sizeof...(P) == sizeof...(A))
inline constexpr bool has_guests<std::tuple<P...>, A...> = is_untold<std::tuple<P...>> || (is_guest<P, A> || ...);
/// Is one of these given to F for an array, or would be, were its sizes known?
template <class F, class... A> inline constexpr bool takes_guests = false;
template <class F, class... A> requires((interop::foreign<A> || ...))
inline constexpr bool takes_guests<F, A...> = has_guests<typename signature<F, A...>::type, A...>;

template <class X> bool is_recorded_array(X const& x) {
  if constexpr (interop::foreign<X>) return false;
  else return transform::is_recorded(x);
}
/// Will a call that is given these keep what it reads, since it is recorded, or followed equation by equation?
template <class... A> bool is_kept(A const&... args) {
  return transform::running || eager::instead_of_plans || (is_recorded_array(args) || ... || false);
}
/// An argument for the parameter P: a guest as an array, which reads it where it lies or, where that is kept, a copy.
template <class P, class A> decltype(auto) received(A&& a, bool kept) {
  if constexpr (is_guest<P, A>) {
    using stands = interop::guest<std::remove_cvref_t<A>>;
    return kept ? stands::template copy<P>(a) : stands::template as<P>(a);
  } else return static_cast<A&&>(a);
}

}  // namespace etna::exec
