// SPDX-License-Identifier: BSD-3-Clause
// Reductions under NumPy's names. Axes are template arguments: sum<0>(x), sum<-1>(x, keepdims);
// without any, all axes. Read next: manipulate.hpp.
#pragma once
#include "integer.hpp"

namespace etna {

struct keepdims_t {};
/// Keep reduced axes with size 1: sum<0>(x, keepdims).
inline constexpr keepdims_t keepdims{};

namespace numpy {

struct axes_list {
  int n = 0;
  std::int64_t a[max_rank]{};
  int wrong = 0;
};
/// Axes in ascending order, counted from 0; all of them where none is given.
template <int... Axis> constexpr axes_list axes_of(int rank) {
  axes_list r;
  bool on[max_rank]{};
  [[maybe_unused]] auto mark = [&](int i) {
    if (i < 0) i += rank;
    if (i < 0 || i >= rank) r.wrong = 5;
    else if (on[i]) r.wrong = 6;
    else on[i] = true;
  };
  (mark(Axis), ...);
  for (int i = 0; i < rank; ++i)
    if (on[i] || sizeof...(Axis) == 0) r.a[r.n++] = i;
  return r;
}
/// Are these axes of A, or of another array that has Rank of them?
template <class P, class A, int... Axis, int Rank = A::rank>
constexpr auto require_axes(std::integral_constant<int, Rank> = {}) {
  constexpr int wrong = axes_of<Axis...>(Rank).wrong;
  if constexpr (wrong == 5)
    message::fail<message::E005_axis_out_of_range<P, message::axis<Axis>..., typename text_of<A>::type>>();
  if constexpr (wrong == 6)
    message::fail<message::E006_axis_named_twice<P, message::axis<Axis>..., typename text_of<A>::type>>();
}
constexpr tensor_type keep_axes(tensor_type const& x, axes_list const& axes) {
  tensor_type t = x;
  for (int i = 0; i < axes.n; ++i) t.e[axes.a[i]] = 1;
  return t;
}
template <class P, class A, dtype D, bool Keep, int Result, int... Axis> struct reduced {
  static constexpr axes_list axes = axes_of<Axis...>(A::rank);
  static constexpr tensor_type make() {
    if (axes.wrong) return A::type;
    tensor_type in = A::type.with(D), out[2]{};
    P::shape(&in, 1, axes.a, axes.n, out);
    return (Keep ? keep_axes(A::type, axes) : out[0]).with(D);
  }
  static constexpr tensor_type value = make();
};
/// How a reduction is done: the type that it reads and the one that it gives, whether axes stay, and which result.
struct reduction {
  dtype in, out;
  bool keep;
  int result;
};
constexpr handle reduce(int op, handle const& x, axes_list const& axes, reduction const& how) {
  handle r = numpy::convert(x, how.in);
  tensor_type const kept = keep_axes(r.type(), axes);
  if (axes.n > 0) r = call(op, r, axes.a, axes.n, how.result);
  if (how.keep) r = numpy::reshape(r, kept);
  return numpy::convert(r, how.out);
}
template <class P, dtype In, dtype D, bool Keep, int Result, int... Axis, class A>
constexpr auto reduce_of(A const& x) {
  using R = reduced<P, A, D, Keep, Result, Axis...>;
  if constexpr (R::axes.wrong != 0) {  // require_axes, one place less in an error
    if constexpr (R::axes.wrong == 5)
      message::fail<message::E005_axis_out_of_range<P, message::axis<Axis>..., typename text_of<A>::type>>();
    else message::fail<message::E006_axis_named_twice<P, message::axis<Axis>..., typename text_of<A>::type>>();
    return x;
  } else {
    return to_array<array_of<R>>(reduce(code<P>, to_handle(x), R::axes, {In, D, Keep, Result}));
  }
}
template <class P, class A, int... Axis> constexpr bool has_elements() {
  constexpr axes_list axes = axes_of<Axis...>(A::rank);
  for (int i = 0; i < axes.n; ++i)
    if (A::type.e[axes.a[i]] == 0) return false;
  return true;
}
/// Have the axes elements: while compiling where sizes are known, otherwise in this value (and jit asks in each call).
template <class P, int... Axis, class A> constexpr auto require_elements(A const& x) {
  constexpr bool ok = has_elements<P, A, Axis...>();
  if constexpr (!ok) message::fail<message::E032_empty_reduction<P, typename text_of<A>::type>>();
  if constexpr (!A::is_static) {
    if (__builtin_is_constant_evaluated()) return;
    constexpr axes_list axes = axes_of<Axis...>(A::rank);
    auto const shape = x.shape();
    for (int i = 0; i < axes.n; ++i)
      if (shape[std::size_t(axes.a[i])] == 0)
        message::raise<32>(std::string(P::name) + " over " + ext::text_of(A::type.e[axes.a[i]]));
  }
}
constexpr dtype summed(dtype d) { return d == dtype::boolean ? dtype::i32 : d; }
/// What a sum or product of all is counted in: bytes would soon wrap.
constexpr dtype totalled(dtype d) {
  if (!is_integer(d) || bytes_of(d) >= 4) return summed(d);
  return row_of(d).family == kind::unsigned_integer ? dtype::u32 : dtype::i32;
}
template <class K> inline constexpr bool keeps = std::is_same_v<K, keepdims_t>;
struct drop_axes {};
/// What may stand behind the array of a reduction.
template <class K> concept keeps_option = std::same_as<K, keepdims_t> || std::same_as<K, drop_axes>;
template <class W, class...> inline constexpr bool takes_keepdims = false;
template <class W> inline constexpr bool takes_keepdims<W> = keeps_option<W>;

}  // namespace numpy

/// Sum of x over the given axes.
///
/// shape   x [a, n, b] -> [a, b], or [a, 1, b] with keepdims
/// dtype   same as x; bool, i8 and i16 are counted in i32, u8 and u16 in u32; sums of integers wrap
/// diff    linear; transpose is broadcast; the sum over an empty axis is 0
/// errors  E005 axis out of range, E006 axis named twice
/// source  NumPy sum; fixed order, eight or more partial sums
template <int... Axis, any_array A, numpy::keeps_option K = numpy::drop_axes> constexpr auto sum(A const& x, K = {}) {
  constexpr dtype d = numpy::totalled(A::type.d);
  return numpy::reduce_of<ops::sum_p, d, d, numpy::keeps<K>, 0, Axis...>(x);
}
/// Product of x over the given axes.
///
/// diff    product of the others, exact at zeros too (n products of n elements)
/// source  NumPy prod; an empty axis gives 1
template <int... Axis, any_array A, numpy::keeps_option K = numpy::drop_axes> constexpr auto prod(A const& x, K = {}) {
  constexpr dtype d = numpy::totalled(A::type.d);
  return numpy::reduce_of<ops::prod_p, d, d, numpy::keeps<K>, 0, Axis...>(x);
}
/// Greatest of x over the given axes.
///
/// diff    shared evenly by equal extremes
/// errors  E005, E006, E032 empty axis
/// source  NumPy max
template <int... Axis, any_array A, numpy::keeps_option K = numpy::drop_axes> constexpr auto max(A const& x, K = {}) {
  numpy::require_elements<ops::amax_p, Axis...>(x);
  return numpy::reduce_of<ops::amax_p, A::type.d, A::type.d, numpy::keeps<K>, 0, Axis...>(x);
}
/// Least of x over the given axes; as max.
template <int... Axis, any_array A, numpy::keeps_option K = numpy::drop_axes> constexpr auto min(A const& x, K = {}) {
  numpy::require_elements<ops::amin_p, Axis...>(x);
  return numpy::reduce_of<ops::amin_p, A::type.d, A::type.d, numpy::keeps<K>, 0, Axis...>(x);
}
/// Whether all elements of a bool array are true, over the given axes.
template <int... Axis, any_array A, numpy::keeps_option K = numpy::drop_axes> constexpr auto all(A const& x, K = {}) {
  return numpy::reduce_of<ops::all_p, dtype::boolean, dtype::boolean, numpy::keeps<K>, 0, Axis...>(x);
}
/// Whether any element of a bool array is true, over the given axes.
template <int... Axis, any_array A, numpy::keeps_option K = numpy::drop_axes> constexpr auto any(A const& x, K = {}) {
  return numpy::reduce_of<ops::any_p, dtype::boolean, dtype::boolean, numpy::keeps<K>, 0, Axis...>(x);
}
namespace numpy {
template <class A> struct flattened {
  static constexpr tensor_type value{A::type.d, 1, {A::type.size()}};
};
template <class P, int... Axis, class A> constexpr auto arg_of(A const& x) {
  if constexpr (sizeof...(Axis) == 0) {
    tensor_type t{A::type.d, 1, {to_handle(x).type().size()}};
    return arg_of<P, 0>(to_array<array_of<flattened<A>>>(numpy::reshape(to_handle(x), t)));
  } else {
    require_elements<P, Axis...>(x);
    return reduce_of<P, A::type.d, dtype::i32, false, 1, Axis...>(x);
  }
}
}  // namespace numpy
/// Index (i32) of the first greatest element along an axis, or in row-major order without one.
///
/// errors  E005 axis out of range, E032 empty axis
/// source  NumPy argmax
template <int... Axis, any_array A> constexpr auto argmax(A const& x) {
  return numpy::arg_of<ops::argmax_p, Axis...>(x);
}
/// Index (i32) of the first least element along an axis, or in row-major order without one.
template <int... Axis, any_array A> constexpr auto argmin(A const& x) {
  return numpy::arg_of<ops::argmin_p, Axis...>(x);
}

namespace numpy {
/// The number of elements that a reduction takes together, as a weak scalar: known or named.
constexpr handle counted(tensor_type const& x, axes_list const& axes, dtype d) {
  extent n = 1;
  for (int i = 0; i < axes.n; ++i) n = ext::mul(n, x.e[axes.a[i]]);
  if (n >= 0) return full({d, 0, {}}, to_bits(d, double(n)));
  tensor_type t{d, 0, {}};
  return call(code<ops::extent_size_p>, nullptr, 0, &n, 1, 0, t);
}
}  // namespace numpy

/// Mean of x over the given axes.
///
/// dtype   floating: f32 for integers up to 32 bits, otherwise as x
/// diff    linear
/// source  NumPy mean: the sum divided by the number of elements (also of a named axis)
template <int... Axis, any_array A, numpy::keeps_option K = numpy::drop_axes>
constexpr auto mean(A const& x, K k = {}) {
  auto total = sum<Axis...>(astype<element_of<to_floating(A::type.d)>>(x), k);
  using R = decltype(total);
  numpy::handle h = numpy::to_handle(total);
  return numpy::to_array<R>(
      numpy::binary(ops::code<ops::div_p>, h,
                    numpy::counted(numpy::to_handle(x).type(), numpy::axes_of<Axis...>(A::rank), R::type.d)));
}
/// Mean squared distance from the mean, over the given axes.
template <int... Axis, any_array A, numpy::keeps_option K = numpy::drop_axes> constexpr auto var(A const& x, K k = {}) {
  return mean<Axis...>(square(x - mean<Axis...>(x, keepdims)), k);
}
/// Square root of var (NumPy std).
template <int... Axis, any_array A, numpy::keeps_option K = numpy::drop_axes>
constexpr auto stddev(A const& x, K k = {}) {
  return sqrt(var<Axis...>(x, k));
}

// What is not taken behind the array.
#define ETNA_REFUSE_REDUCTION(NAME, INSTEAD) \
  ETNA_REFUSE(NAME, numpy::takes_keepdims, #NAME "<0>(x), " #NAME "<0, -1>(x, keepdims)", INSTEAD)
ETNA_REFUSE_REDUCTION(sum, "it takes keepdims alone; of some elements: sum(where(mask, x, 0))");
ETNA_REFUSE_REDUCTION(prod, "it takes keepdims alone; of some elements: prod(where(mask, x, 1))");
ETNA_REFUSE_REDUCTION(
    max, "it takes keepdims alone; the greater of two: maximum(x, y); of some elements: max(where(mask, x, least))");
ETNA_REFUSE_REDUCTION(
    min, "it takes keepdims alone; the less of two: minimum(x, y); of some elements: min(where(mask, x, greatest))");
ETNA_REFUSE_REDUCTION(all, "it takes keepdims alone; of some elements: all(x || !mask)");
ETNA_REFUSE_REDUCTION(any, "it takes keepdims alone; of some elements: any(x && mask)");
ETNA_REFUSE_REDUCTION(mean, "it takes keepdims alone; of some elements: average(x, weights)");
ETNA_REFUSE(argmax, message::takes_nothing, "argmax<0>(x)", "of some elements: argmax(where(mask, x, least))");
ETNA_REFUSE(argmin, message::takes_nothing, "argmin<0>(x)", "of some elements: argmin(where(mask, x, greatest))");

}  // namespace etna
