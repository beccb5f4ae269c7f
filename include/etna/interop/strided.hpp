// SPDX-License-Identifier: BSD-3-Clause
// Memory that others own, as a pointer, sizes and strides: what every adapter of this room is made of. Arrays are read
// from it by copy, or in place where it lies row-major. Read next: span.hpp, mdspan.hpp, kokkos_view.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <etna/array/array.hpp>

namespace etna {
namespace interop {

/// Elements of T somewhere: strides count elements.
template <class T> struct strided {
  T* data;
  int rank;
  extent size[max_rank];
  extent stride[max_rank];

  extent count() const {
    extent n = 1;
    for (int i = 0; i < rank; ++i) n *= size[i];
    return n;
  }
  /// One element after the other in row-major order, without holes.
  bool is_plain() const {
    extent n = 1;
    for (int i = rank - 1; i >= 0; --i) {
      if (size[i] != 1 && stride[i] != n) return false;
      n *= size[i];
    }
    return true;
  }
};

/// What describes a foreign object: describe<X>::of(x) is a strided. Each adapter adds its kind.
template <class X> struct describe;
template <class X> concept described = requires(X& x) { describe<std::remove_cvref_t<X>>::of(x); };
template <class X> using element_in =
    std::remove_cv_t<std::remove_pointer_t<decltype(describe<std::remove_cvref_t<X>>::of(std::declval<X&>()).data)>>;

/// Call f(foreign element, row-major number) for all elements.
template <class T, class F> void for_all(strided<T> const& s, F f) {
  extent at[max_rank]{}, n = s.count();
  T* p = s.data;
  for (extent k = 0; k < n; ++k) {
    f(*p, k);
    for (int i = s.rank - 1; i >= 0; --i) {
      p += s.stride[i];
      if (++at[i] < s.size[i]) break;
      p -= s.stride[i] * s.size[i];
      at[i] = 0;
    }
  }
}
template <class From, class To> constexpr bool check_elements() {
  if constexpr (!element<From>) message::fail<message::E002_narrowing<message::from<From>, message::to<To>>>();
  else if constexpr (promote(dtype_of<From>, dtype_of<To>) != dtype_of<To>)
    message::fail<message::E002_narrowing<message::from<From>, message::to<To>>>();
  else if constexpr (dtype_of<From> != dtype_of<To>)
    message::fail<message::E034_element_type_differs<message::from<From>, message::to<To>>>();
  return true;
}
template <class A, class T> std::array<extent, std::size_t(A::rank)> sizes_for(strided<T> const& s) {
  std::array<extent, std::size_t(A::rank)> r{};
  if (s.rank != A::rank)
    message::raise<112>("the memory has " + std::to_string(s.rank) + " axes, the array " + std::to_string(A::rank));
  for (int i = 0; i < A::rank; ++i) {
    if (A::type.e[i] >= 0 && A::type.e[i] != s.size[i])
      message::raise<112>("axis " + std::to_string(i) + " has " + std::to_string(s.size[i]) + ", not " +
                          std::to_string(A::type.e[i]));
    r[std::size_t(i)] = s.size[i];
  }
  return r;
}

template <any_array A, class X> A copy_in(X& x) {
  using T = typename A::value_type;
  check_elements<element_in<X>, T>();
  auto s = describe<std::remove_cvref_t<X>>::of(x);
  return A::build([&](T* out) { for_all(s, [&](auto const& v, extent k) { out[k] = v; }); }, sizes_for<A>(s));
}
/// Owners that may not be destroyed any more, kept in sight until the program ends.
inline std::atomic<memory_block*> outlived{nullptr};
inline void keep_for_ever(memory_block* b) {
  b->next = outlived.load(std::memory_order_relaxed);
  while (!outlived.compare_exchange_weak(b->next, b, std::memory_order_release)) {}
}
/// An array over memory that `owner` keeps alive. What others may still write is `borrowed`: it is never written in
/// place.
template <any_array A, class T, class Owner> A adopt(strided<T> const& s, Owner&& owner, bool borrowed) {
  using Kept = std::remove_cvref_t<Owner>;
  tensor_type t = A::type;
  auto sizes = sizes_for<A>(s);
  for (int i = 0; i < A::rank; ++i) t.e[i] = sizes[std::size_t(i)];
  auto* kept = new Kept(std::forward<Owner>(owner));
  auto* b = new memory_block;
  b->borrowed = borrowed;
  if constexpr (requires { describe<Kept>::is_shared; })
    if (describe<Kept>::is_shared) b->space = memory_space::shared;
  b->bytes = std::size_t(s.count()) * sizeof(T);
  b->data = const_cast<std::remove_const_t<T>*>(s.data);
  b->context = kept;
  b->drop = [](memory_block* mine) {
    if constexpr (requires { describe<Kept>::is_over(); })
      if (describe<Kept>::is_over()) return keep_for_ever(mine);
    delete static_cast<Kept*>(mine->context);
    delete mine;
  };
  return etna::detail::access::make<A>(t, b);
}

}  // namespace interop

/// An array that reads the memory of a span, view, mdspan or container where it lies. No copy where that is row-major
/// and the array is larger than 256 bytes; otherwise a copy. A Kokkos::View is kept alive; all others must outlive the
/// array. While it is in use, the memory must not be written: an array is a value. A function that takes it by rvalue
/// does not write it.
///
/// shape   the array's own extents must agree; names take the sizes that are there
/// errors  E002, E034 another element type; E065 memory of a device; E112 another shape (run time)
/// example test/unit/interop/strided.cpp  [borrowed memory is not copied]
template <any_array A, interop::described X> A borrow(X const& x) {
  interop::check_elements<interop::element_in<X const>, typename A::value_type>();
  using D = interop::describe<std::remove_cvref_t<X>>;
  if constexpr (!A::in_object) {
    auto s = D::of(x);
    if (s.is_plain()) {
      if constexpr (requires { D::keeps; }) return interop::adopt<A>(s, x, true);
      else return interop::adopt<A>(s, 0, true);
    }
  }
  return interop::copy_in<A>(x);
}

/// Write an array's elements into memory of the user's, whatever its layout.
///
/// errors  E002, E034 another element type; E065 memory of a device; E112 another shape (run time)
template <interop::described X, any_array A> void copy_to(X&& to, A const& a) {
  using T = typename A::value_type;
  auto s = interop::describe<std::remove_cvref_t<X>>::of(to);
  interop::check_elements<T, interop::element_in<X>>();
  auto have = a.shape();
  if (s.rank != A::rank)
    message::raise<112>("the memory has " + std::to_string(s.rank) + " axes, the array " + std::to_string(A::rank));
  for (int i = 0; i < A::rank; ++i)
    if (have[std::size_t(i)] != s.size[i])
      message::raise<112>("axis " + std::to_string(i) + " has " + std::to_string(s.size[i]) + ", the array's " +
                          std::to_string(have[std::size_t(i)]));
  T const* from = a.data();
  interop::for_all(s, [&](auto& v, extent k) { v = from[k]; });
}

}  // namespace etna

#include <etna/set_back.hpp>
