// SPDX-License-Identifier: BSD-3-Clause
// xtensor's containers, adaptors and views: an rvalue container is adopted, others are copied or borrowed; an array is
// seen as an adaptor. xtensor 0.27 keeps its headers in folders, 0.24 keeps them flat: both are found.
#pragma once
#include <etna/set_aside.hpp>

#if __has_include(<xtensor/containers/xadapt.hpp>)
#include <xtensor/containers/xadapt.hpp>
#include <xtensor/containers/xtensor.hpp>
#include <xtensor/core/xeval.hpp>
#else
#include <xtensor/xadapt.hpp>
#include <xtensor/xeval.hpp>
#include <xtensor/xtensor.hpp>
#endif
#include <vector>

#include "strided.hpp"

namespace etna {
namespace interop {

template <class X> concept xtensor_like = requires(X const& x) {
  x.dimension();
  x.shape();
  x.strides();
  x.data();
  x.data_offset();
  typename X::value_type;
};
template <xtensor_like X> struct describe<X> {
  static auto of(auto& x) {
    using T = std::remove_pointer_t<decltype(x.data())>;
    strided<T> s{x.data() + x.data_offset(), int(x.dimension()), {}, {}};
    for (int i = 0; i < s.rank; ++i) {
      s.size[i] = extent(x.shape()[std::size_t(i)]);
      s.stride[i] = extent(x.strides()[std::size_t(i)]);
    }
    return s;
  }
};

// Containers whose elements stay where they are when they are moved.
template <class> inline constexpr bool is_on_heap = false;
template <class T, class A> inline constexpr bool is_on_heap<xt::uvector<T, A>> = true;
template <class T, class A> inline constexpr bool is_on_heap<std::vector<T, A>> = true;
template <class> inline constexpr bool is_owner = false;
template <class S, std::size_t N, xt::layout_type L, class Tag>
inline constexpr bool is_owner<xt::xtensor_container<S, N, L, Tag>> = is_on_heap<S>;
template <class S, xt::layout_type L, class Shape, class Tag>
inline constexpr bool is_owner<xt::xarray_container<S, L, Shape, Tag>> = is_on_heap<S>;

}  // namespace interop

/// The array as an xtensor expression over the same memory; valid while x lives.
///
/// shape   that of x, row-major
template <any_array A> auto to_xtensor(A const& x) {
  std::array<std::size_t, std::size_t(A::rank)> shape{};
  auto s = x.shape();
  for (int i = 0; i < A::rank; ++i) shape[std::size_t(i)] = std::size_t(s[std::size_t(i)]);
  return xt::adapt(x.data(), std::size_t(x.size()), xt::no_ownership(), shape);
}

/// An array of an xtensor container, view or expression: from_xtensor<array<float, 3, 4>>(x). A row-major rvalue
/// container of more than 256 bytes gives its memory up to the array; an expression is evaluated; others are copied.
/// See borrow.
///
/// errors  E002, E034 other elements (xt::cast them); E112 another shape (run time)
template <any_array A, class X> A from_xtensor(X&& x) {
  using C = std::remove_cvref_t<X>;
  interop::check_elements<typename C::value_type, typename A::value_type>();
  if constexpr (!interop::xtensor_like<C>) return from_xtensor<A>(xt::eval(std::forward<X>(x)));
  else {
    if constexpr (interop::is_owner<C> && std::is_same_v<X, C> && !A::in_object) {
      auto s = interop::describe<C>::of(x);
      if (s.is_plain()) return interop::adopt<A>(s, std::forward<X>(x), false);
    }
    return interop::copy_in<A>(x);
  }
}

}  // namespace etna

#include <etna/set_back.hpp>
