// SPDX-License-Identifier: BSD-3-Clause
// Dropout: a function of a key. Read next: loss.hpp.
#pragma once
#include <etna/random/permutation.hpp>

namespace etna {

/// x with each element 0 with probability `rate`, and the others divided by 1 - rate: the mean stays.
///
/// shape   x [a] -> [a], also of named sizes
/// dtype   floating; the choice is drawn in f32
/// diff    linear in x: the same choice; by an array `rate` through the factor, the choice is constant
/// errors  E051 not a key, E052 a batch of keys, E026 x is not floating
/// source  flax Dropout; Srivastava et al., JMLR 15 (2014)
template <random::one_key K, any_array A, numpy::scalar_operand P>
constexpr auto dropout(K const& key, A const& x, P const& rate) {
  constexpr bool one = random::detail::require_key<K>(), real = is_floating(A::type.d);
  if constexpr (!real) message::fail<message::E026_not_floating<A>>();
  if constexpr (!one || !real) return x;
  else {
    if constexpr (!any_array<P>) {
      if (rate == 0) return x;
      if (rate == 1) return A(zeros_like(x));
    }
    using F = array_of<numpy::as_dtype<A, dtype::f32>>;
    auto keep = random::detail::bernoulli_in<F>(key, numpy::to_handle(x).type(), 1 - rate);
    return A(where(keep, x / (1 - rate), 0));
  }
}

ETNA_NEEDS_KEY(dropout, "dropout(key, x, 0.5)");

}  // namespace etna
