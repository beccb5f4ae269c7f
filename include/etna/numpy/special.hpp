// SPDX-License-Identifier: BSD-3-Clause
// The error function's relatives under JAX's names. Read next: ../random/key.hpp.
#pragma once
#include <iterator>

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
  // sin(pi r) / (pi r) - 1 of r^2 - 1/8: less than in powers of r^2, so that roundings on the way count half
  constexpr double term[] = {-0x1.8be0a00fe6253p-3,  -0x1.736399539f508p+0,  0x1.7c383d2c4fe28p-1,
                             -0x1.6c9f92b757c69p-3,  0x1.94f1d763e6de8p-6,   -0x1.2535f7888ff89p-9,
                             0x1.2ab4ea6320d63p-13,  -0x1.c36de702264f5p-18, 0x1.0717904e97e7cp-22,
                             -0x1.e76d586eb83dep-28, 0x1.6f789ce6ff38fp-33,  -0x1.cbb693aa36265p-39,
                             0x1.e4daae1b91b3ap-45};
  constexpr int last = int(std::size(term)) - 1;
  auto number = multiply(x, 1.);
  auto whole = stop_gradient(rint(number));
  auto rest = number - whole;
  auto d = square(rest) - 0.125;
  auto series = term[last - 1] + d * term[last];
  for (int k = last - 2; k > 0; --k) series = term[k] + d * series;
  auto tail = d * series, less = term[0] + tail, half = whole * 0.5,
       turned = where(equal(half, floor(half)), rest, -rest);
  // turned + turned * less, rounded once: products of first halves are exact
  constexpr double cut = decltype(number)::type.d == dtype::f32 ? 0x1.8p11 : 0x1.8p25;
  auto t = (turned + cut) - cut, l = (less + cut) - cut, product = t * l, sum = turned + product;
  auto lost = (term[0] - less) + tail;
  auto exact = sum + (((turned - sum) + product) + ((turned - t) * l + turned * ((less - l) + lost)));
  auto plain = turned + turned * less;
  auto near = equal(whole, 0);
  return where(near, 1 + less, (plain + stop_gradient(exact - plain)) / where(near, 1, number));
}

}  // namespace etna
