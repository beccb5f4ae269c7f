// SPDX-License-Identifier: BSD-3-Clause
// Differences of neighbours along an axis. Read next: position.hpp.
#pragma once
#include "join.hpp"
#include "math.hpp"

namespace etna {
namespace numpy {
template <class A, int Axis> struct shortened {
  static constexpr tensor_type value = [] {
    tensor_type t = A::type;
    t.e[Axis] = t.e[Axis] > 0 ? t.e[Axis] - 1 : 0;
    return t;
  }();
};
}  // namespace numpy

/// Each element minus the one before it along an axis, and of these differences again, N times: diff(x), diff<2>(x),
/// diff<1, 0>(x).
///
/// shape   x [a, n] -> [a, n - N], and none where N is more
/// dtype   same as x; of bool whether neighbours differ
/// errors  E005 axis out of range, E042 an axis with a name
/// source  NumPy diff
template <int N = 1, int Axis = -1, any_array A> requires(N >= 0)
constexpr auto diff(A const& x) {
  constexpr int axis = Axis < 0 ? Axis + A::rank : Axis;
  constexpr bool sized = numpy::require_sized_axis<Axis, A>();
  if constexpr (!sized || N == 0) return x;
  else {
    using R = array_of<numpy::shortened<A, axis>>;
    constexpr extent n = R::type.e[axis];
    numpy::handle const h = numpy::to_handle(x);
    auto const after = numpy::to_array<R>(numpy::slice_axis(h, axis, A::type.e[axis] - n, n));
    auto const before = numpy::to_array<R>(numpy::slice_axis(h, axis, 0, n));
    if constexpr (A::type.d == dtype::boolean) return diff<N - 1, Axis>(not_equal(after, before));
    else return diff<N - 1, Axis>(after - before);
  }
}

// What is not taken behind the array.
template <int N, int Axis = -1, any_array A> requires(N < 0)
ETNA_REFUSAL(E037_argument_not_taken,
             "E037: diff<N> takes the difference N times, 0 and more; diff<1, -1>(x) is along the last axis",
             diff(A const&));
ETNA_REFUSE(diff, message::takes_nothing, "diff<1, 0>(x)", "how often and the axis are template arguments");

}  // namespace etna
