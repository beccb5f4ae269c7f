// SPDX-License-Identifier: BSD-3-Clause
// Activations under JAX's names (jax.nn); relu, sigmoid and tanh are in numpy/math.hpp.
// Read next: norm.hpp.
#pragma once
#include <etna/numpy/special.hpp>

namespace etna {

/// x times the normal distribution's share below x: by tanh as JAX does by default, or exactly.
///
/// shape   x [a] -> [a]
/// diff    as of the formula
/// source  JAX nn.gelu; Hendrycks and Gimpel, arXiv 1606.08415
template <any_array A, std::same_as<bool> B = bool> constexpr auto gelu(A const& x, B approximate = true) {
  if (approximate) return x * (0.5 * (1 + tanh(0.7978845608028654 * (x + 0.044715 * (x * x * x)))));
  return 0.5 * x * erfc(x * -0.7071067811865476);
}

template <any_array A, class B> requires(!std::same_as<B, bool>)
ETNA_REFUSAL(E039_known_while_compiling, "E039: gelu: whether it is approximate is a C++ bool: gelu(x, false)",
             gelu(A const&, B const&));

/// x sigmoid(x).
///
/// source  JAX nn.silu
template <any_array A> constexpr auto silu(A const& x) { return x * sigmoid(x); }
/// silu under its other name.
template <any_array A> constexpr auto swish(A const& x) { return silu(x); }

/// log(1 + exp(x)), without overflow.
///
/// diff    sigmoid(x)
/// source  JAX nn.softplus
template <any_array A> constexpr auto softplus(A const& x) { return logaddexp(x, 0); }
/// log(sigmoid(x)), without overflow.
///
/// diff    sigmoid(-x)
/// source  JAX nn.log_sigmoid
template <any_array A> constexpr auto log_sigmoid(A const& x) { return -softplus(-x); }

/// x where it is positive, alpha (exp(x) - 1) elsewhere.
///
/// diff    1 and alpha exp(x)
/// source  JAX nn.elu; Clevert et al., arXiv 1511.07289
template <any_array A, numpy::operand P = double> constexpr auto elu(A const& x, P const& alpha = 1) {
  auto above = greater(x, 0);
  return where(above, x, alpha * expm1(where(above, 0, x)));
}
/// x where it is not negative, slope x elsewhere.
///
/// source  JAX nn.leaky_relu
template <any_array A, numpy::operand P = double> constexpr auto leaky_relu(A const& x, P const& slope = 0.01) {
  return where(greater_equal(x, 0), x, slope * x);
}
/// elu with the scales that keep mean and variance.
///
/// source  JAX nn.selu; Klambauer et al., arXiv 1706.02515
template <any_array A> constexpr auto selu(A const& x) { return 1.0507009873554805 * elu(x, 1.6732632423543772); }
/// x where it is positive, alpha (exp(x / alpha) - 1) elsewhere.
///
/// source  JAX nn.celu
template <any_array A, numpy::operand P = double> constexpr auto celu(A const& x, P const& alpha = 1) {
  // The derivative of an extreme at NaN is 0
  return maximum(x, 0) + alpha * expm1(where(isnan(x), x, minimum(x, 0)) / alpha);
}
/// relu kept below 6.
///
/// diff    1 between 0 and 6, 0 elsewhere and at both
/// source  JAX nn.relu6
template <any_array A> constexpr auto relu6(A const& x) {
  auto above = relu(x);
  return where(greater_equal(above, 6), 6, above);
}
/// x kept between -1 and 1.
///
/// diff    1 between -1 and 1 and at both, 0 elsewhere
/// source  JAX nn.hard_tanh
template <any_array A> constexpr auto hard_tanh(A const& x) {
  return where(greater(x, 1), 1, where(less(x, -1), -1, x));
}
/// relu6(x + 3) / 6.
template <any_array A> constexpr auto hard_sigmoid(A const& x) { return relu6(x + 3) / 6; }
/// x hard_sigmoid(x).
template <any_array A> constexpr auto hard_silu(A const& x) { return x * hard_sigmoid(x); }
/// x / (1 + |x|).
template <any_array A> constexpr auto soft_sign(A const& x) { return x / (1 + abs(x)); }
/// x tanh(softplus(x)).
///
/// source  JAX nn.mish; Misra, arXiv 1908.08681
template <any_array A> constexpr auto mish(A const& x) { return x * tanh(softplus(x)); }

}  // namespace etna
