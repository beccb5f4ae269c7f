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

}  // namespace etna
