// SPDX-License-Identifier: BSD-3-Clause
// point(f): f, or a derivative of it, as a function of a few numbers that is called inside a kernel of the
// user's: straight-line code made while the program compiles, no memory, no library behind it.
#pragma once
#include <etna/compiler/reason.hpp>
#include <etna/straight/scalars.hpp>

#include "straight_call.hpp"

namespace etna {
namespace exec {

// What an argument is: how its elements are read, and which array it tells of by itself.
template <class X> struct told {
  using type = void;
};
template <element T> struct told<T> {
  using type = array<T>;
};
template <element T, extent... E> struct told<small<T, E...>> {
  using type = array<T, E...>;
};
template <element T, extent... E> struct told<array<T, E...>> {
  using type = array<T, E...>;
};
template <class A, extent N> struct in_front {
  using type = void;
};
template <class T, extent... E, extent N> struct in_front<array<T, E...>, N> {
  using type = array<T, N, E...>;
};
template <class T, std::size_t N> struct told<T[N]> : in_front<typename told<std::remove_const_t<T>>::type, extent(N)> {
};
template <class T, std::size_t N> struct told<std::array<T, N>> : in_front<typename told<T>::type, extent(N)> {};
template <class X> using told_by = typename told<std::remove_cvref_t<X>>::type;

template <class X, class Sequence> struct indexed_;
template <class X, std::size_t... Nth> struct indexed_<X, std::index_sequence<Nth...>> {
  static constexpr bool called = requires(X const& x) { x((void(Nth), 0)...); };
};
template <class X, int Rank> inline constexpr bool is_called = indexed_<X, std::make_index_sequence<Rank>>::called;

/// Element Flat (in row-major order) of what stands for an array of type A.
template <class A, int Flat, class X> struct reader {
  static constexpr int index(int axis) {
    int f = Flat;
    for (int i = A::rank - 1; i > axis; --i) f /= int(A::type.e[i]);
    return f % int(A::type.e[axis] > 0 ? A::type.e[axis] : 1);
  }
  static constexpr int rank = A::rank;
  template <std::size_t... Nth> static ETNA_FN_INLINE decltype(auto) call(X const& x, std::index_sequence<Nth...>) {
    return x(index(int(Nth))...);
  }
  template <int Axis, class Y> static ETNA_FN_INLINE decltype(auto) nested(Y const& y) {
    if constexpr (Axis == rank) return (y);
    else return nested<Axis + 1>(y[index(Axis)]);
  }
  static ETNA_FN_INLINE decltype(auto) get(X const& x) {
    if constexpr (is_number<X> || any_small<X>) {
      if constexpr (any_small<X>) return x[Flat];
      else return (x);
    } else if constexpr (std::is_pointer_v<X> || (std::is_array_v<X> && std::rank_v<X> == 1)) return x[Flat];
    else if constexpr (is_called<X, rank>) return call(x, std::make_index_sequence<std::size_t(rank)>{});
    else return nested<0>(x);
  }
};

/// May X be given for an A?
template <class A, class X> constexpr bool stands_for() {
  using T = typename A::value_type;
  if constexpr (is_number<X>) return A::rank == 0 && (is_real<T> || !is_real<X>);
  else {
    using told_type = told_by<X>;
    if constexpr (!std::is_void_v<told_type>) {
      // in one row, or in the array's own shape
      constexpr bool row = told_type::rank == 1 && std::is_array_v<X> && told_type::size() == A::size();
      if constexpr (!row && !(told_type::type.same_shape(A::type))) return false;
    }
    if constexpr (A::size() == 0) return true;
    else if constexpr (requires(X const& x) { reader<A, 0, X>::get(x); }) {
      using V = std::remove_cvref_t<decltype(reader<A, 0, X>::get(std::declval<X const&>()))>;
      if constexpr (element<V>) return promotes_to(dtype_of<V>, dtype_of<T>);
      else return false;
    } else return false;
  }
}

/// The arguments of a call, one for each array.
template <class Leaves, class... X> struct point_arguments;
template <class Leaves> struct point_arguments<Leaves> {};
template <class Leaves, class X, class... More> struct point_arguments<Leaves, X, More...> {
  X const& x;
  point_arguments<Leaves, More...> more;
  template <int Nth> ETNA_FN_INLINE auto const& pick() const {
    if constexpr (Nth == 0) return x;
    else return more.template pick<Nth - 1>();
  }
  template <class T, int Number> ETNA_FN_INLINE T get() const {
    constexpr auto p = Leaves::leaf(Number);
    auto const& from = pick<p.leaf>();
    return T(reader<typename Leaves::template at<p.leaf>, p.flat, std::remove_cvref_t<decltype(from)>>::get(from));
  }
};
template <class Leaves> ETNA_FN_INLINE auto gather_arguments() { return point_arguments<Leaves>{}; }
template <class Leaves, class X, class... More> ETNA_FN_INLINE auto gather_arguments(X const& x, More const&... more) {
  return point_arguments<Leaves, X, More...>{x, gather_arguments<Leaves>(more...)};
}

}  // namespace exec

/// A function of small arrays for the inside of a kernel. Made by point. f is its type alone: nvcc 13.0 gives a class
/// with a [[no_unique_address]] member no place in a class around it in device code, and one byte in host code.
template <class F, class... Declared> struct pointed {
  template <class... X> ETNA_FN_INLINE auto operator()(X const&... x) const {
    if constexpr (sizeof...(Declared) > 0) return enter(static_cast<std::tuple<Declared...>*>(nullptr), x...);
    else if constexpr (exec::declared<F>)
      return enter(static_cast<typename exec::parameters_of<decltype(&F::operator())>::type*>(nullptr), x...);
    else if constexpr ((std::is_void_v<exec::told_by<X>> || ...)) {
      message::fail<message::E061_point_argument<message::from<X>...>>();
      return 0;
    } else return enter(static_cast<std::tuple<exec::told_by<X>...>*>(nullptr), x...);
  }

 private:
  template <class... P, class... X> ETNA_FN_INLINE static auto enter(std::tuple<P...>*, X const&... x) {
    if constexpr (!std::is_empty_v<F> || !std::is_default_constructible_v<F>) {
      message::fail<message::E007_capture_in_jit<F>>();
      return 0;
    } else if constexpr ((tree::size<P>() + ... + 0) != sizeof...(X)) {
      message::fail<message::E064_point_arguments<message::from<X>..., message::to<P>...>>();
      return 0;
    } else if constexpr (!compiler::complete<compiler::trace_of<F, P...>>) {
      message::fail<compiler::refusal<compiler::trace_of<F, P...>, F, P...>>();
      return 0;
    } else return checked<typename exec::leaves_of_<P...>::type, P...>(x...);
  }
  template <class Leaves, class... P, class... X> ETNA_FN_INLINE static auto checked(X const&... x) {
    using code = straight::scalars<F, P...>;
    if constexpr (!all_static(static_cast<Leaves*>(nullptr))) {
      message::fail<message::E060_point_named_extent<P...>>();
      return 0;
    } else if constexpr (code::value.wrong == 60) {
      message::fail<message::E060_point_named_extent<P...>>();
      return 0;
    } else if constexpr (code::value.wrong == 62) {
      message::fail<message::E062_point_operation<message::operation<ops::primitive_at<code::value.op>>, F>>();
      return 0;
    } else if constexpr (code::value.wrong == 63) {
      message::fail<message::E063_point_too_long<F, P...>>();
      return 0;
    } else if constexpr (!fits<Leaves, X...>(std::make_index_sequence<sizeof...(X)>{})) return 0;
    else {
      using body = lower::straight_code<code>;
      typename body::file values;
      auto const in = exec::gather_arguments<Leaves>(x...);
      body::steps(values, in, std::make_integer_sequence<int, body::length>{});
      return body::template result<compiler::result_of<F, P...>, 0>(values);
    }
  }
  template <class... A> static constexpr bool all_static(exec::leaf_list<A...>*) {
    return (A::is_static && ... && true);
  }
  template <class Leaves, class... X, std::size_t... Nth> static constexpr bool fits(std::index_sequence<Nth...>) {
    return (fits_one<typename Leaves::template at<int(Nth)>, X>() && ... && true);
  }
  template <class A, class X> static constexpr bool fits_one() {
    if constexpr (exec::stands_for<A, X>()) return true;
    else {
      message::fail<message::E061_point_argument<message::from<X>, message::to<A>>>();
      return false;
    }
  }
};

/// f as a function of a few numbers, for the inside of a kernel of yours: point(grad(f)), point(jacfwd(f)).
///
/// f       a function object without captures, as for jit; its arrays are small and static
/// call    on the host and in device code; an argument for each array of the parameters: a number, small<T, E...>,
///         std::array, a C array, a pointer to its elements, or a view that is called with indices (Kokkos::View);
///         the results are numbers as small<T, E...>, in the tree that f gives
/// nvcc    in a lambda that goes to the device f has a named class, as in struct energy: nvcc spells no lambda there;
/// and the
///         object is a local variable, which the lambda copies
/// types   point<array<double, 6>>(f) says the parameters where f does not declare them and arguments do not tell
/// cost    no memory, no calls: each element's equations once, unrolled; zeros known while compiling are left out
/// diff    0 times what `where` did not take stays 0, as elsewhere; a product of a known 0 is left out of a sum of
///         products even beside inf
/// errors  E007 a capture, E008 not traceable, E060 a named extent, E061 an argument of another kind, E062 an
///         operation that has no form here, E063 more than 16,384 equations, E064 the number of arguments
/// example test/unit/exec/point.cpp  [a Jacobian inside parallel_for]
template <class... P, class F> constexpr pointed<F, P...> point([[maybe_unused]] F f) { return {}; }

/// Properties of point(f) for these parameter types, as constants.
template <class F, class... P> struct point_of {
  static constexpr auto const& code = straight::scalars<F, P...>::value;
  /// Equations of single numbers; elements of arguments that are needed, and constants, are counted.
  static constexpr int equations = code.n;
  /// Floating-point operations of one call.
  static constexpr int flops = code.flops;
};

}  // namespace etna
