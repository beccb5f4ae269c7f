// SPDX-License-Identifier: BSD-3-Clause
// Normalization along an axis, as functions. Read next: attention.hpp.
#pragma once
#include <etna/numpy/special.hpp>

namespace etna {

/// x less its mean, over its standard deviation, along an axis.
///
/// shape   x [a, n] -> [a, n]
/// dtype   floating; integers are converted
/// diff    through mean and variance
/// errors  E005 axis out of range
/// source  JAX nn.standardize
template <int Axis = -1, any_array A, numpy::scalar_operand P = double>
constexpr auto standardize(A const& x, P const& epsilon = 1e-5) {
  auto centered = x - mean<Axis>(x, keepdims);
  return centered * rsqrt(mean<Axis>(square(centered), keepdims) + epsilon);
}

/// standardize, then scaled and shifted: layer_norm(x, scale, shift).
///
/// shape   x [a, n], scale and shift [n] (they broadcast to x) -> [a, n]
/// errors  E005 axis out of range, E001 shapes do not broadcast
/// source  PyTorch layer_norm; Ba, Kiros and Hinton, arXiv 1607.06450
template <int Axis = -1, any_array A, any_array S, any_array B, numpy::scalar_operand P = double>
constexpr auto layer_norm(A const& x, S const& scale, B const& shift, P const& epsilon = 1e-5) {
  return standardize<Axis>(x, epsilon) * scale + shift;
}
/// layer_norm without scale and shift.
template <int Axis = -1, any_array A, numpy::scalar_operand P = double>
constexpr auto layer_norm(A const& x, P const& epsilon = 1e-5) {
  return standardize<Axis>(x, epsilon);
}

/// x over the root of its mean square along an axis.
///
/// shape   x [a, n] -> [a, n]
/// errors  E005 axis out of range
/// source  PyTorch rms_norm; Zhang and Sennrich, arXiv 1910.07467
template <int Axis = -1, any_array A, numpy::scalar_operand P = double>
constexpr auto rms_norm(A const& x, P const& epsilon = 1e-6) {
  return x * rsqrt(mean<Axis>(square(x), keepdims) + epsilon);
}
/// The same, scaled: rms_norm(x, scale). An array of one number as the second argument is the epsilon, as a number is;
/// a gain of one number is a * rms_norm(x).
template <int Axis = -1, any_array A, any_array S, numpy::scalar_operand P = double> requires(S::rank > 0)
constexpr auto rms_norm(A const& x, S const& scale, P const& epsilon = 1e-6) {
  return rms_norm<Axis>(x, epsilon) * scale;
}

}  // namespace etna
