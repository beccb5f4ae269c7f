// SPDX-License-Identifier: BSD-3-Clause
// To and from mdspan: the standard's where the library has it, Kokkos' otherwise, and any class of that form
// (layout_right, layout_left, layout_stride). Read next: kokkos_view.hpp.
#pragma once
#include <etna/set_aside.hpp>

#if __has_include(<mdspan>)
#include <mdspan>
#endif
#if !defined(__cpp_lib_mdspan) && __has_include(<mdspan/mdspan.hpp>)
#include <mdspan/mdspan.hpp>
#endif

#include "strided.hpp"

namespace etna {

namespace interop {
// (Kokkos::View has this form too, and more)
template <class X> concept mdspan_like = !requires { typename X::memory_space; } && requires(X const& x) {
  x.data_handle();
  x.extents();
  x.extent(0);
  typename X::layout_type;
  X::rank();
};
template <mdspan_like X> struct describe<X> {
  static constexpr known_shape known = [] {
    static_assert(X::rank() <= std::size_t(max_rank), "arrays have at most 10 axes");
    known_shape k{int(X::rank()), {}};
    for (int i = 0; i < k.rank; ++i)
      k.size[i] = X::static_extent(std::size_t(i)) == std::size_t(-1) ? -1 : extent(X::static_extent(std::size_t(i)));
    return k;
  }();
  static strided<typename X::element_type> of(X const& x) {
    strided<typename X::element_type> s{x.data_handle(), int(X::rank()), {}, {}};
    for (int i = 0; i < s.rank; ++i) {
      s.size[i] = extent(x.extent(std::size_t(i)));
      s.stride[i] = extent(x.stride(std::size_t(i)));
    }
    return s;
  }
};
#if defined(__cpp_lib_mdspan)
namespace md = std;
#define ETNA_HAS_MDSPAN 1
#elif __has_include(<mdspan/mdspan.hpp>)
namespace md = MDSPAN_IMPL_STANDARD_NAMESPACE;
#define ETNA_HAS_MDSPAN 1
#endif
}  // namespace interop

/// An array with the elements of an mdspan of any strided layout.
///
/// errors  E002, E034 another element type; E112 another shape (run time)
template <any_array A, interop::mdspan_like X> A from_mdspan(X const& x) { return interop::copy_in<A>(x); }

#if defined(ETNA_HAS_MDSPAN)
namespace interop {
template <class T, class> struct mdspan_of;
template <class T, extent... E> struct mdspan_of<T, array<T, E...>> {
  using type = md::mdspan<T const, md::extents<extent, (E < 0 ? md::dynamic_extent : std::size_t(E))...>>;
};
}  // namespace interop
/// The array as an mdspan (layout_right) over the same memory; static extents stay static. Valid while x lives.
template <any_array A> auto to_mdspan(A const& x) {
  return [&]<std::size_t... Nth>(std::index_sequence<Nth...>) {
    [[maybe_unused]] auto s = x.shape();
    return typename interop::mdspan_of<typename A::value_type, A>::type(x.data(), s[Nth]...);
  }(std::make_index_sequence<std::size_t(A::rank)>{});
}
template <any_array A> auto to_mdspan(A const&&) = delete;
#endif

}  // namespace etna

#include <etna/set_back.hpp>
