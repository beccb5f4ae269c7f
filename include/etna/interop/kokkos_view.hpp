// SPDX-License-Identifier: BSD-3-Clause
// To and from Kokkos::View: LayoutRight in place, LayoutLeft and strided views by copy; and from device memory to
// nowhere: that is said while compiling. Read next: npy.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <Kokkos_Core.hpp>

#include "strided.hpp"

namespace etna {

namespace interop {
template <class X> concept view_like = Kokkos::is_view<X>::value;
template <view_like X> struct describe<X> {
  static constexpr bool keeps = true;  // a copy of a view shares its allocation
  static constexpr known_shape known = [] {
    known_shape k{int(X::rank()), {}};
    for (int i = 0; i < k.rank; ++i) {
      extent const n = extent(X::static_extent(unsigned(i)));  // of a dynamic one 0 or -1, by Kokkos' version
      k.size[i] = n > 0 ? n : -1;
    }
    return k;
  }();
  static constexpr bool on_host = Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename X::memory_space>::accessible;
  /// A device reaches it too, so that calls there read it in place.
  static constexpr bool is_shared =
      !std::is_same_v<Kokkos::SharedSpace, Kokkos::HostSpace> &&
      Kokkos::SpaceAccessibility<typename Kokkos::SharedSpace::execution_space, typename X::memory_space>::accessible;
  /// From here on Kokkos ends the program where a view gives its memory back.
  static bool is_over() { return Kokkos::is_finalized(); }
  static strided<typename X::value_type> of(X const& x) {
    if constexpr (!on_host) message::fail<message::E065_memory_of_a_device<typename X::memory_space>>();
    strided<typename X::value_type> s{x.data(), int(X::rank()), {}, {}};
    for (int i = 0; i < s.rank; ++i) {
      s.size[i] = extent(x.extent(std::size_t(i)));
      s.stride[i] = extent(x.stride(std::size_t(i)));
    }
    return s;
  }
};
template <class T, int Rank> struct pointers {
  using type = typename pointers<T, Rank - 1>::type*;
};
template <class T> struct pointers<T, 0> {
  using type = T;
};
}  // namespace interop

/// An array of a view. An rvalue of more than 256 bytes that nobody else holds gives its memory up to the array; others
/// are copied. See borrow for reading a view in place.
///
/// errors  E002, E034 another element type; E065 memory of a device; E112 another shape (run time)
template <any_array A, interop::view_like X> A from_view(X const& x) { return interop::copy_in<A>(x); }
template <any_array A, interop::view_like X> requires(!std::is_const_v<X>)
A from_view(X&& x) {
  interop::check_elements<typename X::non_const_value_type, typename A::value_type>();
  if constexpr (!A::in_object) {
    auto s = interop::describe<X>::of(x);
    if (s.is_plain() && x.use_count() == 1) return interop::adopt<A>(s, std::forward<X>(x), false);
  }
  return interop::copy_in<A>(x);
}

/// The array as a view (LayoutRight, unmanaged) over the same memory; valid while x lives.
template <any_array A> auto to_view(A const& x) {
  using View = Kokkos::View<typename interop::pointers<typename A::value_type const, A::rank>::type,
                            Kokkos::LayoutRight, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  return [&]<std::size_t... Nth>(std::index_sequence<Nth...>) {
    [[maybe_unused]] auto s = x.shape();
    return View(x.data(), std::size_t(s[Nth])...);
  }(std::make_index_sequence<std::size_t(A::rank)>{});
}
template <any_array A> auto to_view(A const&&) = delete;

}  // namespace etna

#include <etna/set_back.hpp>
