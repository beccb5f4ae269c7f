// SPDX-License-Identifier: BSD-3-Clause
// Memory that others own, as a pointer, sizes and strides: what every adapter of this room is made of. Arrays are read
// from it by copy, or in place where it lies row-major; so are arguments of jitted functions. Read next: span.hpp,
// mdspan.hpp, kokkos_view.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <etna/array/foreign.hpp>

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

/// What the type of a foreign object tells of its shape; what is below 0 only the object knows.
struct known_shape {
  int rank = -1;
  extent size[max_rank]{};
  constexpr bool is_static() const {
    for (int i = 0; i < rank; ++i)
      if (size[i] < 0) return false;
    return rank >= 0;
  }
};
/// What describes a foreign object: describe<X>::of(x) is a strided, and describe<X>::known a known_shape, where its
/// type tells something. Each adapter adds its kind.
template <class X> struct describe;
template <class X> concept described = requires(X& x) { describe<std::remove_cvref_t<X>>::of(x); };
template <class X> using element_in =
    std::remove_cv_t<std::remove_pointer_t<decltype(describe<std::remove_cvref_t<X>>::of(std::declval<X&>()).data)>>;

template <class X> constexpr known_shape known_of() {
  if constexpr (requires { describe<X>::known; }) return describe<X>::known;
  else return {};
}
/// The number of axes of an object, where arrays may have as many.
inline int rank_of(std::size_t n) {
  if (n > std::size_t(max_rank))
    message::raise<112>("the memory has " + std::to_string(n) + " axes, and arrays have at most " +
                        std::to_string(max_rank));
  return int(n);
}

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
  else if constexpr (!promotes_to(dtype_of<From>, dtype_of<To>))
    message::fail<message::E002_narrowing<message::from<From>, message::to<To>>>();
  else if constexpr (dtype_of<From> != dtype_of<To>)
    message::fail<message::E034_element_type_differs<message::from<From>, message::to<To>>>();
  return true;
}
template <class X> inline constexpr known_shape known_shape_of = known_of<X>();
/// What both types know of their shapes agrees: E003.
template <class X, class A> constexpr bool check_shape() {
  constexpr auto const& known = known_shape_of<X>;  // nvcc reads no constant of a function in a lambda inside of it
  if constexpr (known.rank >= 0 && known.rank != A::rank)
    message::fail<message::E003_number_of_axes_differs<message::rank<known.rank>, message::rank<A::rank>>>();
  else if constexpr (known.rank >= 0)
    [&]<std::size_t... Nth>(std::index_sequence<Nth...>) {
      if constexpr (((known.size[Nth] >= 0 && A::type.e[Nth] >= 0 && known.size[Nth] != A::type.e[Nth]) || ...))
        message::fail<message::E003_shape_differs<message::shape_text<known.size[Nth]...>,
                                                  message::shape_text<A::type.e[Nth]...>>>();
    }(std::make_index_sequence<std::size_t(A::rank)>{});
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
  if constexpr (ext::may_disagree(A::type)) ext::check_one(A::type, r.data());
  return r;
}

template <any_array A, class T> A copy_elements(strided<T> const& s) {
  return A::build([&](auto* out) { for_all(s, [&](auto const& v, extent k) { out[k] = v; }); }, sizes_for<A>(s));
}
/// Owners that may not be destroyed any more, kept in sight until the program ends.
inline std::atomic<memory_block*> outlived{nullptr};
inline void keep_for_ever(memory_block* b) {
  b->next = outlived.load(std::memory_order_relaxed);
  while (!outlived.compare_exchange_weak(b->next, b, std::memory_order_release)) {}
}
template <any_array A, class X> A copy_in(X& x) {
  check_elements<element_in<X>, typename A::value_type>();
  check_shape<std::remove_cvref_t<X>, A>();
  return copy_elements<A>(describe<std::remove_cvref_t<X>>::of(x));
}
/// A block whose memory something else keeps alive.
template <class Owner> struct adopted_block : memory_block {
  Owner owner;
  explicit adopted_block(Owner const& x) : owner(x) {}
  explicit adopted_block(Owner&& x) : owner(std::move(x)) {}
};
struct nobody {};  // who keeps memory alive that outlives the array by promise
/// An array over memory that `owner` keeps alive. What others may still write is `borrowed`: it is never written in
/// place.
template <any_array A, class T, class Owner> A adopt(strided<T> const& s, Owner&& owner, bool borrowed) {
  using Kept = std::remove_cvref_t<Owner>;
  tensor_type t = A::type;
  auto sizes = sizes_for<A>(s);
  for (int i = 0; i < A::rank; ++i) t.e[i] = sizes[std::size_t(i)];
  auto* b = new adopted_block<Kept>(std::forward<Owner>(owner));
  b->borrowed = borrowed;
  if constexpr (requires { describe<Kept>::is_shared; })
    if (describe<Kept>::is_shared) b->space = memory_space::shared;
  b->bytes = std::size_t(s.count()) * sizeof(T);
  b->data = const_cast<std::remove_const_t<T>*>(s.data);
  b->drop = [](memory_block* mine) {
    if constexpr (requires { describe<Kept>::is_over(); })
      if (describe<Kept>::is_over()) return keep_for_ever(mine);
    delete static_cast<adopted_block<Kept>*>(mine);
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
/// errors  E002, E034 another element type; E003 another number of axes, or another size, where the type tells it;
///         E065 memory of a device; E112 another shape (run time)
/// example test/unit/interop/strided.cpp  [borrowed memory is not copied]
template <any_array A, interop::described X> A borrow(X const& x) {
  interop::check_elements<interop::element_in<X const>, typename A::value_type>();
  interop::check_shape<X, A>();
  using D = interop::describe<std::remove_cvref_t<X>>;
  if constexpr (!A::in_object) {
    auto s = D::of(x);
    if (s.is_plain()) {
      if constexpr (requires { D::keeps; }) return interop::adopt<A>(s, x, true);
      else return interop::adopt<A>(s, interop::nobody{}, true);
    }
  }
  return interop::copy_in<A>(x);
}

namespace interop {
template <class X, class T, std::size_t... Nth> auto told_array(std::index_sequence<Nth...>)
    -> array<T, known_of<X>().size[Nth]...>;
/// The array type that X tells by itself, or void.
template <class X> struct told_by {
  using type = void;
};
template <described X> requires(known_of<X>().is_static() && element<element_in<X>>)
struct told_by<X> {
  using type = decltype(told_array<X, element_in<X>>(std::make_index_sequence<std::size_t(known_of<X>().rank)>{}));
};
template <described X> struct guest<X> {
  using told = typename told_by<X>::type;
  template <any_array A> static A as(X const& x) { return borrow<A>(x); }
  template <any_array A> static A copy(X const& x) { return copy_in<A>(x); }
};
}  // namespace interop

/// Write an array's elements into memory of the user's, whatever its layout.
///
/// errors  E002, E034 another element type; E003 another number of axes, or another size, where the type tells it;
///         E065 memory of a device; E112 another shape, or elements that are one (run time)
template <interop::described X, any_array A> void copy_to(X&& to, A const& a) {
  using T = typename A::value_type;
  auto s = interop::describe<std::remove_cvref_t<X>>::of(to);
  interop::check_elements<T, interop::element_in<X>>();
  interop::check_shape<std::remove_cvref_t<X>, A>();
  auto have = a.shape();
  if (s.rank != A::rank)
    message::raise<112>("the memory has " + std::to_string(s.rank) + " axes, the array " + std::to_string(A::rank));
  for (int i = 0; i < A::rank; ++i)
    if (have[std::size_t(i)] != s.size[i])
      message::raise<112>("axis " + std::to_string(i) + " has " + std::to_string(s.size[i]) + ", the array's " +
                          std::to_string(have[std::size_t(i)]));
  for (int i = 0; i < A::rank; ++i)
    if (s.stride[i] == 0 && s.size[i] > 1)
      message::raise<112>("axis " + std::to_string(i) + " of the memory repeats one element");
  T const* from = a.data();
  interop::for_all(s, [&](auto& v, extent k) { v = from[k]; });
}

}  // namespace etna

#include <etna/set_back.hpp>
