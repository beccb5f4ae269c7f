// SPDX-License-Identifier: BSD-3-Clause
// Arrays on streams, and compared.
#pragma once
#include <ostream>

#include "text.hpp"

namespace etna {

template <any_array A> std::ostream& operator<<(std::ostream& o, A const& x) { return o << to_string(x); }

/// Are the shapes equal, and all elements within atol + rtol |b|? NaN equals nothing, inf itself.
///
/// source  NumPy allclose, without its broadcasting
template <any_array A, any_array B> bool allclose(A const& a, B const& b, double rtol = 1e-5, double atol = 1e-8) {
  auto m = a.shape();
  auto n = b.shape();
  if (!std::equal(m.begin(), m.end(), n.begin(), n.end())) return false;
  for (extent i = 0; i < a.size(); ++i) {
    double x = double(a.data()[i]), y = double(b.data()[i]);
    if (!(x == y || (std::isfinite(y) && std::abs(x - y) <= atol + rtol * std::abs(y)))) return false;
  }
  return true;
}

}  // namespace etna
