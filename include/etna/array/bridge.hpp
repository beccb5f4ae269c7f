// SPDX-License-Identifier: BSD-3-Clause
// To and from xtensor without a copy: an rvalue container is adopted, an array is seen as an adaptor.
// xtensor 0.27 keeps its headers in folders, 0.24 keeps them flat: both are found.
#pragma once
#if __has_include(<xtensor/containers/xadapt.hpp>)
#include <xtensor/containers/xadapt.hpp>
#include <xtensor/containers/xtensor.hpp>
#else
#include <xtensor/xadapt.hpp>
#include <xtensor/xtensor.hpp>
#endif

#include "array.hpp"

namespace etna {

/// The array as an xtensor expression over the same memory; valid while x lives.
///
/// shape   that of x, row-major
template <any_array A> auto to_xtensor(A const& x) {
  std::array<std::size_t, std::size_t(A::rank)> shape{};
  auto s = x.shape();
  for (int i = 0; i < A::rank; ++i) shape[std::size_t(i)] = std::size_t(s[std::size_t(i)]);
  return xt::adapt(x.data(), std::size_t(x.size()), xt::no_ownership(), shape);
}

/// An array of an xtensor container: from_xtensor<array<float, 3, 4>>(x). An rvalue of more than 256
/// bytes gives its memory up to the array; an lvalue, or another layout, is copied.
///
/// errors  E002, E034 the container has another element type (xt::cast it); E112 it has another shape
template <any_array A, class X> A from_xtensor(X&& x) {
  using C = std::remove_cvref_t<X>;
  using from = typename C::value_type;
  using to = typename A::value_type;
  if constexpr (!element<from> || promote(dtype_of<from>, dtype_of<to>) != dtype_of<to>)
    message::fail<message::E002_narrowing<message::from<from>, message::to<to>>>();
  else if constexpr (dtype_of<from> != dtype_of<to>)
    message::fail<message::E034_element_type_differs<message::from<from>, message::to<to>>>();
  tensor_type t = A::type;
  if (int(x.dimension()) != A::rank) message::raise<112>("the container has " + std::to_string(x.dimension()) + " axes, the array " + std::to_string(A::rank));
  for (int i = 0; i < A::rank; ++i) {
    extent n = extent(x.shape()[std::size_t(i)]);
    if (t.e[i] >= 0 && t.e[i] != n) message::raise<112>("axis " + std::to_string(i) + " has " + std::to_string(n) + ", not " + std::to_string(t.e[i]));
    t.e[i] = n;
  }
  constexpr bool plain = requires { x.storage().data(); };
  if constexpr (plain && !std::is_lvalue_reference_v<X> && !std::is_const_v<std::remove_reference_t<X>> && !A::in_object) {
    if (x.layout() == xt::layout_type::row_major) {
      auto* kept = new C(std::move(x));
      auto* b = new memory_block;
      b->bytes = std::size_t(kept->size()) * sizeof(typename A::value_type);
      b->data = kept->storage().data();
      b->context = kept;
      b->drop = [](memory_block* mine) {
        delete static_cast<C*>(mine->context);
        delete mine;
      };
      return detail::access::make<A>(t, b);
    }
  }
  A a = detail::access::make<A>(t);
  auto* out = static_cast<typename A::value_type*>(detail::access::writable(a));
  for (auto it = x.template begin<xt::layout_type::row_major>(); it != x.template end<xt::layout_type::row_major>(); ++it) *out++ = *it;
  return a;
}

}  // namespace etna
