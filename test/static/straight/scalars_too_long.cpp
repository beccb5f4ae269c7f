// SPDX-License-Identifier: BSD-3-Clause
// A function of more equations than may be written is refused, and not cut off, wherever the limit falls in it.
#define ETNA_MOST_NODES 256
#include <etna/language.hpp>
#include <etna/straight/scalars.hpp>

using namespace etna;

// of each element an input, a sine, a term of the sum, of which the first needs no equation: 3 N - 1 where 128 may be
template <extent N> struct sum_of_sines {
  static constexpr auto f = [](array<double, N> y) { return sum(sin(y)); };
  static constexpr auto const& code = straight::scalars<std::remove_const_t<decltype(f)>, array<double, N>>::value;
  static constexpr bool is_refused = code.wrong == 63;
  static constexpr bool is_whole = code.wrong == 0 && code.n == 3 * N - 1;
};
static_assert(sum_of_sines<42>::is_whole && sum_of_sines<43>::is_whole);
static_assert(sum_of_sines<44>::is_refused);   // in the sum
static_assert(sum_of_sines<64>::is_refused);   // behind the last sine
static_assert(sum_of_sines<65>::is_refused);   // in the sines
static_assert(sum_of_sines<129>::is_refused);  // in the inputs
// a product of matrices, which stops in its middle
template <extent N> struct product {
  static constexpr auto f = [](array<double, N, N> y) { return dot(y, y); };
  static constexpr int wrong = straight::scalars<std::remove_const_t<decltype(f)>, array<double, N, N>>::value.wrong;
};
static_assert(product<3>::wrong == 0 && product<5>::wrong == 63);
