// SPDX-License-Identifier: BSD-3-Clause
// Shapes under NumPy's names: reshape, transpose, expand_dims, squeeze, broadcast_to.
// Read next: create.hpp.
#pragma once
#include <concepts>

#include "reduce.hpp"

namespace etna {
namespace numpy {

// A reshape to E: equal extents of both shapes are left out first, so that names cost nothing where
// they stay. What remains is compared as two sizes.
template <class A, extent... E> struct reshaped {
  static constexpr int unknown = ((E == -1 ? 1 : 0) + ... + 0);
  struct sizes {
    extent from = 1, to = 1;
  };
  static constexpr sizes remaining = [] {
    constexpr int n = int(sizeof...(E));
    extent to[n + 1]{E..., 1};
    sizes s;
    for (int i = 0; i < A::rank; ++i) {
      bool stays = false;
      for (int k = 0; k < n && !stays; ++k)
        if (to[k] == A::type.e[i] && to[k] != 0) {
          stays = true;
          to[k] = 1;
        }
      if (!stays) s.from = ext::mul(s.from, A::type.e[i]);
    }
    for (int k = 0; k < n; ++k)
      if (to[k] != -1) s.to = ext::mul(s.to, to[k]);
    return s;
  }();
  static constexpr bool too_complicated = remaining.from == ext::invalid || remaining.to == ext::invalid;
  static constexpr extent rest = [] {
    auto [n, known] = remaining;
    if (known == 1) return n;
    if (known == n) return extent(1);
    return ext::quotient(n, known);
  }();
  static constexpr tensor_type value{A::type.d, int(sizeof...(E)), {(E == -1 ? rest : E)...}};
  static constexpr bool ok = unknown <= 1 && rest != ext::invalid && (unknown == 1 || remaining.from == remaining.to);
};

// A type with the sizes that names stand for in the values x: at run time, and where a bucket has set them.
template <class R, class... A> constexpr tensor_type concrete(A const&... x) {
  tensor_type t = R::type;
  if constexpr (R::is_static) return t;
  else {
    ext::bindings b;
    auto learn = [&](tensor_type const& named, tensor_type const& s) {
      for (int i = 0; i < s.rank; ++i)
        if (named.e[i] < 0 && s.e[i] >= 0) b.learn(named.e[i], s.e[i]);
    };
    (learn(A::type, to_handle(x).type()), ...);
    for (int i = 0; i < t.rank; ++i)
      if (extent e = t.e[i]; e < 0) {
        if (b.knows(e)) t.e[i] = b(e);
        else if (extent whole = b.look(e); whole != ext::invalid) t.e[i] = whole;
      }
    return t;
  }
}

template <class A, int... Perm> struct permuted {
  static constexpr int r = A::rank;
  static constexpr std::array<std::int64_t, std::size_t(max_rank)> make() {
    std::array<std::int64_t, std::size_t(max_rank)> p{};
    if constexpr (sizeof...(Perm) == 0)
      for (int i = 0; i < r; ++i) p[std::size_t(i)] = r - 1 - i;
    else {
      int k = 0;
      ((p[std::size_t(k++)] = Perm < 0 ? Perm + r : Perm), ...);
    }
    return p;
  }
  static constexpr auto perm = make();
  static constexpr tensor_type shape() {
    tensor_type out{};
    if (ok) ops::transpose_p::shape(&A::type, 1, perm.data(), r, &out);
    return ok ? out : A::type;
  }
  static constexpr bool ok =
      sizeof...(Perm) == 0 || (sizeof...(Perm) == std::size_t(r) && axes_of<Perm...>(r).wrong == 0);
  static constexpr tensor_type value = shape();
};
template <class A, int... Axis> struct expanded {
  static constexpr int rank = A::rank + int(sizeof...(Axis));
  static constexpr bool has_room = rank <= max_rank;
  static constexpr axes_list axes = axes_of<Axis...>(rank);
  static constexpr bool ok = axes.wrong == 0;
  static constexpr tensor_type value = [] {
    tensor_type t = A::type;
    for (int i = 0; ok && i < axes.n; ++i) t = t.insert(int(axes.a[i]), 1);
    return t;
  }();
};
template <class A, int... Axis> struct squeezed {
  static constexpr axes_list axes = axes_of<Axis...>(A::rank);
  static constexpr bool ok = [] {
    for (int i = 0; i < axes.n; ++i)
      if (sizeof...(Axis) > 0 && A::type.e[axes.a[i]] != 1) return false;
    return axes.wrong == 0;
  }();
  static constexpr tensor_type value = [] {
    tensor_type t{A::type.d, 0, {}};
    for (int i = 0, k = 0; i < A::rank; ++i) {
      bool named = k < axes.n && axes.a[k] == i;
      if (named) ++k;
      if (!(named && A::type.e[i] == 1)) t.e[t.rank++] = A::type.e[i];
    }
    return t;
  }();
};

template <class Holder, class A> constexpr auto reshape_as(A const& x) {
  using R = array_of<Holder>;
  return to_array<R>(numpy::reshape(to_handle(x), concrete<R>(x)));
}

}  // namespace numpy

/// The same elements in row-major order under another shape; one extent may be -1 (the rest).
///
/// errors  E009 the numbers of elements differ, E029 a size in names that is too long to carry
/// source  NumPy reshape
template <extent... E, any_array A> constexpr auto reshape(A const& x) {
  using H = numpy::reshaped<A, E...>;
  if constexpr (H::too_complicated) {
    message::fail<message::E029_extent_too_complicated<typename numpy::text_of<A>::type, message::shape_text<E...>>>();
    return x;
  } else if constexpr (!H::ok) {
    message::fail<message::E009_sizes_do_not_reshape<typename numpy::text_of<A>::type, message::shape_text<E...>>>();
    return x;
  } else return numpy::reshape_as<H>(x);
}
/// All elements in one axis.
///
/// errors  E029 as reshape
template <any_array A> constexpr auto ravel(A const& x) { return reshape<-1>(x); }

/// Axes in another order (axis i of the result is axis Perm[i] of x); reversed without arguments.
///
/// errors  E005 axis out of range, E006 axis named twice
/// source  NumPy transpose
template <int... Perm, any_array A> constexpr auto transpose(A const& x) {
  using H = numpy::permuted<A, Perm...>;
  numpy::require_axes<ops::transpose_p, A, Perm...>();
  if constexpr (!H::ok) return x;
  else {
    if constexpr (A::rank < 2) return x;
    else
      return numpy::to_array<array_of<H>>(
          numpy::call(ops::code<ops::transpose_p>, numpy::to_handle(x), H::perm.data(), A::rank));
  }
}
namespace numpy {
template <class A, int From, int To, bool Swap, std::size_t... Nth>
constexpr auto permute_axes(A const& x, std::index_sequence<Nth...>) {
  constexpr int r = A::rank, from = From < 0 ? From + r : From, to = To < 0 ? To + r : To;
  require_axes<ops::transpose_p, A, From>();
  require_axes<ops::transpose_p, A, To>();
  constexpr auto perm = [] {
    std::array<int, sizeof...(Nth)> p{int(Nth)...};
    if (axes_of<From>(r).wrong || axes_of<To>(r).wrong) return p;
    if (Swap) {
      p[std::size_t(from)] = to;
      p[std::size_t(to)] = from;
      return p;
    }
    for (int i = 0, j = 0; i < r; ++i) {
      if (j == from) ++j;
      p[std::size_t(i)] = i == to ? from : j++;
    }
    return p;
  }();
  return transpose<perm[Nth]...>(x);
}
}  // namespace numpy
/// Two axes exchanged.
template <int A, int B, any_array X> constexpr auto swapaxes(X const& x) {
  return numpy::permute_axes<X, A, B, true>(x, std::make_index_sequence<std::size_t(X::rank)>{});
}
/// One axis moved to another place.
template <int From, int To, any_array X> constexpr auto moveaxis(X const& x) {
  return numpy::permute_axes<X, From, To, false>(x, std::make_index_sequence<std::size_t(X::rank)>{});
}
/// New axes of size 1, which have these numbers in the result: expand_dims<1>(x), expand_dims<1, 2>(x).
///
/// errors  E005 axis out of range, E006 axis named twice, E012 more axes than an array has
template <int... Axis, any_array A> requires(sizeof...(Axis) > 0)
constexpr auto expand_dims(A const& x) {
  using H = numpy::expanded<A, Axis...>;
  if constexpr (!H::has_room) {
    message::fail<message::E012_too_many_axes<message::rank<H::rank>>>();
    return x;
  } else {
    numpy::require_axes<ops::reshape_p, A, Axis...>(std::integral_constant<int, H::rank>{});
    if constexpr (!H::ok) return x;
    else return numpy::reshape_as<H>(x);
  }
}
/// Without the named axes of size 1, or without all of them.
///
/// errors  E005 axis out of range, E009 the axis has another size
template <int... Axis, any_array A> constexpr auto squeeze(A const& x) {
  using H = numpy::squeezed<A, Axis...>;
  numpy::require_axes<ops::reshape_p, A, Axis...>();
  if constexpr (!H::ok) {
    if constexpr (H::axes.wrong == 0)
      message::fail<message::E009_sizes_do_not_reshape<typename numpy::text_of<A>::type, message::axis<Axis>...>>();
    return x;
  } else return numpy::reshape_as<H>(x);
}
/// x repeated to this shape, axes matched from the last.
///
/// diff    linear; transpose is sum
/// errors  E001 the shapes do not broadcast
template <extent... E, any_array A> constexpr auto broadcast_to(A const& x) {
  using R = array<typename A::value_type, E...>;
  constexpr bool ok =
      numpy::broadcast_type<A, R>::ok() && numpy::broadcast_type<A, R>::make(dtype::f32).same_shape(R::type);
  if constexpr (!ok) {
    message::fail<message::E001_shapes_do_not_broadcast<ops::broadcast_p, typename numpy::text_of<A>::type,
                                                        message::shape_text<E...>>>();
    return x;
  } else return numpy::to_array<R>(numpy::broadcast_to(numpy::to_handle(x), numpy::concrete<R>(x)));
}

// What is not taken behind the array.
ETNA_REFUSE(reshape, message::takes_nothing, "reshape<3, 2>(x)", "the order of elements is that of rows");
ETNA_REFUSE(ravel, message::takes_nothing, "ravel(x)", "the order of elements is that of rows");
ETNA_REFUSE(transpose, message::takes_nothing, "transpose<1, 0>(x)", "axes are template arguments");
ETNA_REFUSE(swapaxes, message::takes_nothing, "swapaxes<0, 1>(x)", "axes are template arguments");
ETNA_REFUSE(moveaxis, message::takes_nothing, "moveaxis<0, -1>(x)", "axes are template arguments");
ETNA_REFUSE(expand_dims, message::takes_nothing, "expand_dims<0>(x)", "axes are template arguments");
ETNA_REFUSE(squeeze, message::takes_nothing, "squeeze<0>(x)", "axes are template arguments");
ETNA_REFUSE(broadcast_to, message::takes_nothing, "broadcast_to<3, 2>(x)", "the shape is a template argument");

}  // namespace etna
