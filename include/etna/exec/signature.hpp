// SPDX-License-Identifier: BSD-3-Clause
// The parameters of a function: those it declares, or the arguments where one is `auto`.
// Read next: jit.hpp, point.hpp.
#pragma once
#include <tuple>
#include <type_traits>

namespace etna::exec {

template <class F> concept declared = requires { &F::operator(); };
template <class M> struct parameters_of;
template <class F, class R, class... P> struct parameters_of<R (F::*)(P...) const> {
  using type = std::tuple<std::remove_cvref_t<P>...>;
};
template <class F, class R, class... P> struct parameters_of<R (F::*)(P...)> {
  using type = std::tuple<std::remove_cvref_t<P>...>;
};

}  // namespace etna::exec
