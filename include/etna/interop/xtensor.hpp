// SPDX-License-Identifier: BSD-3-Clause
// xtensor's containers, adaptors and views: arguments of jitted functions as they are; an rvalue container is adopted,
// others are copied or borrowed; an array is seen as an adaptor, or becomes one. xtensor 0.27 keeps its headers in
// folders, 0.24 keeps them flat: both are found.
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
#include <algorithm>
#include <memory>
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
/// What a shape's type tells: of xarray nothing, of xtensor how many axes there are, of xtensor_fixed all.
template <class Shape> struct shape_known {
  static constexpr known_shape value{};
};
template <class Shape> requires requires { std::tuple_size<Shape>::value; }
struct shape_known<Shape> {
  static constexpr known_shape value = [] {
    known_shape k{int(std::tuple_size<Shape>::value), {}};
    static_assert(std::tuple_size<Shape>::value <= std::size_t(max_rank), "arrays have at most 10 axes");
    for (int i = 0; i < k.rank; ++i) k.size[i] = -1;
    return k;
  }();
};
template <std::size_t... N> struct shape_known<xt::fixed_shape<N...>> {
  static_assert(sizeof...(N) <= std::size_t(max_rank), "arrays have at most 10 axes");
  static constexpr known_shape value{int(sizeof...(N)), {extent(N)...}};
};
template <class X> inline constexpr known_shape xtensor_known = shape_known<typename X::shape_type>::value;

template <xtensor_like X> struct describe<X> {
  static constexpr known_shape known = xtensor_known<X>;
  static auto of(auto& x) {
    using T = std::remove_pointer_t<decltype(x.data())>;
    strided<T> s{x.data() + x.data_offset(), rank_of(x.dimension()), {}, {}};
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

template <class A> auto xtensor_shape(A const& x) {
  std::array<std::size_t, std::size_t(A::rank)> shape{};
  auto const s = x.shape();
  for (int i = 0; i < A::rank; ++i) shape[std::size_t(i)] = std::size_t(s[std::size_t(i)]);
  return shape;
}

}  // namespace interop

/// The array as an xtensor expression over the same memory; valid while x lives.
///
/// shape   that of x, row-major
template <any_array A> auto to_xtensor(A const& x) {
  return xt::adapt(x.data(), std::size_t(x.size()), xt::no_ownership(), interop::xtensor_shape(x));
}
/// The result of a call as xtensor's: an adaptor that has the array's memory and may be written. What others read too,
/// or lies in the array itself, is copied. Copies of an adaptor share its memory; xt::xtensor<T, N> y = to_xtensor(...)
/// is a container of its own.
template <any_array A> requires(!std::is_const_v<A> && !std::is_reference_v<A>)
auto to_xtensor(A&& x) {
  using T = typename A::value_type;
  using buffer = xt::xbuffer_adaptor<T*, xt::smart_ownership, std::shared_ptr<A>>;
  auto const shape = interop::xtensor_shape(x);
  using access = etna::detail::access;
  bool const alone = !access::traced(x).g && access::sole_owner(x);
  auto own = std::make_shared<A>(alone ? std::forward<A>(x)
                                       : A::build([&](T* out) { std::copy_n(x.data(), x.size(), out); }, x.shape()));
  T* data = static_cast<T*>(access::writable(*own));
  std::size_t const n = std::size_t(own->size());
  return xt::xtensor_adaptor<buffer, std::size_t(A::rank), xt::layout_type::row_major>(buffer(data, n, std::move(own)),
                                                                                       shape);
}
template <any_array A> auto to_xtensor(A const&&) = delete;

/// An array of an xtensor container, view or expression: from_xtensor<array<float, 3, 4>>(x). A row-major rvalue
/// container of more than 256 bytes gives its memory up to the array; an expression is evaluated; others are copied.
/// See borrow.
///
/// errors  E002, E034 other elements (xt::cast them); E003 another number of axes, or another size, where the type
///         tells it; E112 another shape (run time)
template <any_array A, class X> A from_xtensor(X&& x) {
  using C = std::remove_cvref_t<X>;
  interop::check_elements<typename C::value_type, typename A::value_type>();
  if constexpr (!interop::xtensor_like<C>) return from_xtensor<A>(xt::eval(std::forward<X>(x)));
  else {
    interop::check_shape<C, A>();
    if constexpr (interop::is_owner<C> && std::is_same_v<X, C> && !A::in_object) {
      auto s = interop::describe<C>::of(x);
      if (s.is_plain()) return interop::adopt<A>(s, std::forward<X>(x), false);
    }
    return interop::copy_in<A>(x);
  }
}

namespace interop {
/// What xtensor has not computed yet, or reads elsewhere than by strides (x + y, xt::broadcast, a view of xt::keep).
template <class X> concept xtensor_expression = xt::is_xexpression<X>::value && !xtensor_like<X>;
template <class X> struct told_by_expression {
  using type = void;
};
template <class X> requires(xtensor_known<X>.is_static() && element<std::remove_cv_t<typename X::value_type>>)
struct told_by_expression<X> {
  using type = decltype([]<std::size_t... Nth>(std::index_sequence<Nth...>) {
    return std::type_identity<array<std::remove_cv_t<typename X::value_type>, xtensor_known<X>.size[Nth]...>>{};
  }(std::make_index_sequence<std::size_t(xtensor_known<X>.rank)>{}))::type;
};
template <xtensor_expression X> struct guest<X> {
  using told = typename told_by_expression<X>::type;
  template <any_array A> static A as(X const& x) { return from_xtensor<A>(x); }
  template <any_array A> static A copy(X const& x) { return from_xtensor<A>(x); }
};
}  // namespace interop

}  // namespace etna

#include <etna/set_back.hpp>
