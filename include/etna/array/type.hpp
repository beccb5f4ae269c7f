// SPDX-License-Identifier: BSD-3-Clause
// What the tracer knows of a value: element type and extents. A structural value, no template.
// No member initializers: the compiler
// makes arrays of it for nothing. Laws: drop(insert(t, a, e), a) == t. Read next: binding.hpp.
#pragma once
#include "dtype.hpp"
#include "extent.hpp"

namespace etna {

inline constexpr int max_rank = 10;

struct tensor_type {
  dtype d;
  int rank;
  extent e[max_rank];

  constexpr bool operator==(tensor_type const& o) const {
    if (d != o.d || rank != o.rank) return false;
    for (int i = 0; i < rank; ++i)
      if (e[i] != o.e[i]) return false;
    return true;
  }
  constexpr bool same_shape(tensor_type const& o) const {
    if (rank != o.rank) return false;
    for (int i = 0; i < rank; ++i)
      if (e[i] != o.e[i]) return false;
    return true;
  }
  /// Number of elements; a derived (negative) extent where a name takes part.
  constexpr extent size() const { return size(0, rank); }
  /// Of the axes [from, to).
  constexpr extent size(int from, int to) const {
    extent n = 1;
    for (int i = from; i < to; ++i) n = n >= 0 && e[i] >= 0 ? n * e[i] : ext::mul(n, e[i]);
    return n;
  }
  constexpr bool is_static() const {
    for (int i = 0; i < rank; ++i)
      if (e[i] < 0) return false;
    return true;
  }
  constexpr tensor_type with(dtype to) const {
    tensor_type t = *this;
    t.d = to;
    return t;
  }
  constexpr tensor_type drop(int axis) const {
    tensor_type t{d, rank - 1, {}};
    for (int i = 0, j = 0; i < rank; ++i)
      if (i != axis) t.e[j++] = e[i];
    return t;
  }
  constexpr tensor_type insert(int axis, extent x) const {
    tensor_type t{d, rank + 1, {}};
    for (int i = 0, j = 0; i <= rank; ++i) t.e[i] = i == axis ? x : e[j++];
    return t;
  }
};

}  // namespace etna
