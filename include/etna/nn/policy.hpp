// SPDX-License-Identifier: BSD-3-Clause
// Which element types a model keeps, computes in and gives. Read next: loss_scale.hpp.
#pragma once
#include "cast.hpp"

namespace etna::nn {

/// Element types of parameters, of what is computed, and of results: nn::policy<float, bfloat16, float>. Parameters
/// stay f32, where small updates count; a function casts them as it begins.
///
///   constexpr nn::policy<float, bfloat16, float> policy;
///   auto loss = [](net<float> const& p, auto const& x, auto const& y) {
///     auto logits = policy.cast_to_output(policy.cast_to_compute(p)(policy.cast_to_compute(x)));
///     return mean(softmax_cross_entropy(logits, y));
///   };
///
/// diff    the gradient by p is of p's element type
/// errors  E100 a type is not floating, or a struct is no template of its element type
/// source  jmp Policy; Micikevicius et al., Mixed Precision Training, arXiv 1710.03740
template <element Param, element Compute, element Output> struct policy {
  static_assert(message::holds < is_real<Param> && is_real<Compute> && is_real<Output>, message::E100_policy < Param,
                Compute, Output >>);
  using param = Param;
  using compute = Compute;
  using output = Output;

  template <class T> static constexpr auto cast_to_param(T const& t) { return nn::cast<Param>(t); }
  template <class T> static constexpr auto cast_to_compute(T const& t) { return nn::cast<Compute>(t); }
  template <class T> static constexpr auto cast_to_output(T const& t) { return nn::cast<Output>(t); }
};

namespace detail {
template <class Policy, class F> struct under_policy {
  [[no_unique_address]] F f;

  template <class... A> constexpr auto operator()(A const&... args) const {
    return Policy::cast_to_output(f(Policy::cast_to_compute(args)...));
  }
};
}  // namespace detail

/// with_policy<nn::policy<float, bfloat16, float>>(f): f of its arguments in the element type in which the policy
/// computes, and its result in that which it gives.
///
/// errors  E100 a struct among the arguments is no template of its element type
/// source  jmp; haiku mixed_precision
template <class Policy, class F> constexpr auto with_policy(F f) { return detail::under_policy<Policy, F>{f}; }

}  // namespace etna::nn
