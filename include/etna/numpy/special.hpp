// SPDX-License-Identifier: BSD-3-Clause
// The error function's relatives under JAX's names. Read next: ../random/key.hpp.
#pragma once
#include "c_functions.hpp"

namespace etna {

/// 1 - erf(x), accurate where erf(x) is nearly 1.
///
/// shape   x [a] -> [a]
/// diff    -2 / sqrt(pi) exp(-x^2)
/// source  JAX lax.erfc
template <any_array A> constexpr auto erfc(A const& x) { return numpy::real_of<ops::erfc_p>(x); }

/// The inverse of erf: inf at 1, NaN outside [-1, 1].
///
/// shape   x [a] -> [a]
/// diff    sqrt(pi) / 2 exp(erf_inv(x)^2)
/// source  JAX lax.erf_inv; Giles, "Approximating the erfinv function"
template <any_array A> constexpr auto erf_inv(A const& x) { return numpy::real_of<ops::erf_inv_p>(x); }

/// sin(pi x) / (pi x), 1 at 0 and 0 at all other whole numbers.
///
/// shape   x [a] -> [a]
/// dtype   floating; integers are converted
/// diff    to any order: those of a series in the distance to the nearest whole number
/// source  NumPy sinc
template <any_array A> constexpr auto sinc(A const& x) {
  constexpr int terms = 12;
  double term[terms + 1] = {1};  // of (pi x)^2k / (2k + 1)!
  for (int k = 1; k <= terms; ++k) term[k] = term[k - 1] * 9.869604401089358 / (2 * k * (2 * k + 1));
  auto number = multiply(x, 1.);
  auto whole = stop_gradient(rint(number));
  auto rest = number - whole;
  auto s = square(rest);
  auto series = term[terms - 1] - s * term[terms];
  for (int k = terms - 2; k > 0; --k) series = term[k] - s * series;
  auto loss = s * series;
  auto half = whole * 0.5, turned = where(equal(half, floor(half)), rest, -rest);
  auto near = equal(whole, 0);
  return where(near, 1 - loss, (turned - turned * loss) / where(near, 1, number));
}

}  // namespace etna
