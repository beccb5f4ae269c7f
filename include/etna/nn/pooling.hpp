// SPDX-License-Identifier: BSD-3-Clause
// Pools: reductions of windows, channels last. Read next: activation.hpp.
#pragma once
#include <limits>

#include <etna/numpy/convolution.hpp>

namespace etna {
namespace nn {

/// Windows along the axes of space; of stride 1 for each axis where no option says it: here they are side by side then.
template <class A, class Sizes, class... O> struct pooled;
template <class A, extent... Size, class... O> struct pooled<A, std::integer_sequence<extent, Size...>, O...> {
  static constexpr bool says_strides = numpy::choice_of<O...>().strides.n > 0;
  using usual = numpy::placed_windows<A, 1, numpy::sizes<Size...>, O..., decltype(window_strides<Size...>)>;
  using given = numpy::placed_windows<A, 1, numpy::sizes<Size...>, O...>;
  using type = std::conditional_t<says_strides, given, usual>;
};
/// The elements of windows reduced by P; v around the array. Channels stay last while it is done, so that they lie
/// along vectors.
template <class P, class V> constexpr numpy::handle pool(numpy::handle const& x, numpy::window_axes const& w, V v) {
  using namespace numpy;
  handle view = windows_of(x, w, v);
  int const rank = x.type().rank, n = view.type().rank - rank;
  if (n == 0) return view;
  std::int64_t perm[max_rank]{}, axes[max_rank]{};
  for (int i = 0; i + 1 < rank; ++i) perm[i] = i;
  for (int i = 0; i < n; ++i) perm[rank - 1 + i] = rank + i;
  perm[rank - 1 + n] = rank - 1;
  view = call(code<ops::transpose_p>, view, perm, rank + n);
  for (int i = 0; i < n; ++i) axes[i] = rank - 1 + i;
  return call(code<P>, view, axes, n);
}
template <class P, class Row, class A, class V> constexpr auto pool_arrays(A const& x, V around) {
  constexpr bool ok = numpy::require_windows<P, A>();
  if constexpr (!ok) return x;
  else {
    constexpr auto axes = P::here.axes;
    static_assert(message::holds<P::has_room, message::E012_too_many_axes<message::rank<A::rank + P::n>>>);
    return numpy::to_array<array_of<P>>(pool<Row>(numpy::to_handle(x), axes, around));
  }
}
/// The least or greatest number of an element type, as what surrounds an array.
template <class A, bool Least> constexpr auto end_of() {
  using limits = std::numeric_limits<typename A::value_type>;
  if constexpr (is_floating(A::type.d))
    return Least ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
  else return Least ? limits::lowest() : limits::max();
}

}  // namespace nn

/// The greatest element of each window: max_pool<2, 2>(x), the windows side by side. Options: window_strides, padding,
/// padding_same, window_dilation. What lies outside is never the greatest.
///
/// shape   x [n, h, w, c], windows [2, 2] -> [n, h / 2, w / 2, c]; axes in front of those of space stay
/// dtype   same as x
/// diff    that of the first greatest element of a window
/// errors  E059 a window larger than the padded input, options that do not fit
/// source  Flax max_pool, whose strides are 1 unless they are given
template <extent... Size, any_array A, numpy::window_option... O> constexpr auto max_pool(A const& x, O const&...) {
  using P = typename nn::pooled<A, numpy::sizes<Size...>, O...>::type;
  return nn::pool_arrays<P, ops::amax_first_p>(x, nn::end_of<A, true>());
}
/// The least element of each window; as max_pool.
///
/// source  Flax min_pool
template <extent... Size, any_array A, numpy::window_option... O> constexpr auto min_pool(A const& x, O const&...) {
  using P = typename nn::pooled<A, numpy::sizes<Size...>, O...>::type;
  return nn::pool_arrays<P, ops::amin_first_p>(x, nn::end_of<A, false>());
}
/// Option of avg_pool: the mean of those elements of a window that are not padding.
inline constexpr numpy::count_option exclude_padding{};
/// The mean of each window: avg_pool<2, 2>(x), the windows side by side; padding counts as zeros, or not with
/// exclude_padding. Other options are those of max_pool.
///
/// shape   as max_pool
/// dtype   same as x, floating
/// diff    linear
/// errors  E026 x is not floating, E059 as max_pool
/// source  Flax avg_pool, whose strides are 1 unless they are given
template <extent... Size, any_array A, numpy::window_option... O> constexpr auto avg_pool(A const& x, O const&...) {
  using P = typename nn::pooled<A, numpy::sizes<Size...>, O...>::type;
  if constexpr (!is_floating(A::type.d)) {
    message::fail<message::E026_not_floating<A>>();
    return x;
  } else if constexpr (P::here.choice.leaves_padding_out) {
    auto const counts = nn::pool_arrays<P, ops::sum_p>(ones_like(x), 0);
    return nn::pool_arrays<P, ops::sum_p>(x, 0) / counts;
  } else return nn::pool_arrays<P, ops::sum_p>(x, 0) * (1 / double((Size * ... * 1)));
}

ETNA_REFUSE(max_pool, numpy::takes_window_options, "max_pool<2, 2>(x)",
            "options are window_strides<2, 2>, padding_same and their like");
ETNA_REFUSE(min_pool, numpy::takes_window_options, "min_pool<2, 2>(x)",
            "options are window_strides<2, 2>, padding_same and their like");
ETNA_REFUSE(avg_pool, numpy::takes_window_options, "avg_pool<2, 2>(x)",
            "options are window_strides<2, 2>, padding_same, exclude_padding and their like");

}  // namespace etna
