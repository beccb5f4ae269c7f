// SPDX-License-Identifier: BSD-3-Clause
// Products under NumPy's names: dot, matmul, einsum, outer. All are one primitive, dot_general.
// Read next: take.hpp.
#pragma once
#include <etna/transform/with_precision.hpp>

#include "create.hpp"

namespace etna {
namespace numpy {

constexpr handle dot_general(handle const& x, handle const& y, ops::dot_dims d, precision p = precision::usual) {
  dtype t = promote(x.type().d, y.type().d);
  d.accumulate = t;
  d.precision = std::int64_t(transform::precision_of(p, t, x.traced(), y.traced()));
  std::int64_t a[4 * max_rank + 4]{};
  int n = d.write(a);
  handle in[] = {numpy::convert(x, t), numpy::convert(y, t)};
  return call(code<ops::dot_general_p>, in, 2, a, n);
}
template <class A, class B, class Dims> struct contracted {
  static constexpr tensor_type make() {
    ops::dot_dims d = Dims::value;
    d.accumulate = common_dtype<A, B>();
    std::int64_t a[4 * max_rank + 4]{};
    int n = d.write(a);
    tensor_type in[] = {A::type.with(d.accumulate), B::type.with(d.accumulate)}, out;
    return ops::dot_general_p::shape(in, 2, a, n, &out) ? tensor_type{dtype::f32, 0, {-1}} : out;
  }
  static constexpr tensor_type value = make();
  static constexpr bool ok = value.e[0] != -1 || value.rank > 0;
};
// NumPy dot: the last axis of x with the last but one of y
template <class A, class B> struct dot_rule {
  static constexpr ops::dot_dims value{0, 1, {}, {}, {A::rank - 1}, {B::rank < 2 ? 0 : B::rank - 2}};
};
// matmul of stacks: equal leading axes are batch axes
template <class A, class B> struct stack_rule {
  static constexpr ops::dot_dims make() {
    ops::dot_dims d;
    d.n_batch = A::rank - 2;
    for (int i = 0; i < d.n_batch; ++i) d.lhs_batch[i] = d.rhs_batch[i] = i;
    d.n_contract = 1;
    d.lhs_contract[0] = A::rank - 1;
    d.rhs_contract[0] = B::rank - 2;
    return d;
  }
  static constexpr ops::dot_dims value = make();
};
// One side of a matmul whose stacks broadcast.
template <class A, class B, bool Right> struct stacked {
  static constexpr tensor_type stack(tensor_type t) {
    t.rank -= 2;
    return t;
  }
  static constexpr tensor_type make(bool& fits) {
    tensor_type t{}, mine = Right ? B::type : A::type;
    fits = broadcast_shapes(stack(A::type), stack(B::type), t);
    t.d = mine.d;
    for (int i = 2; i > 0; --i) t.e[t.rank++] = mine.e[mine.rank - i];
    return t;
  }
  static constexpr bool ok = [] {
    bool b = false;
    make(b);
    return b;
  }();
  static constexpr tensor_type value = [] {
    bool b = false;
    return make(b);
  }();
};
/// Is a precision given of floating numbers alone? Otherwise the compiler stops with the reason.
template <precision P, class... A> constexpr bool require_floating() {
  constexpr bool fits = P == precision::usual || (is_floating(A::type.d) || ...);
  if constexpr (!fits) message::fail<message::E098_precision_of_integers<A...>>();
  return fits;
}
template <class Rule, precision P, class A, class B> constexpr auto product(A const& x, B const& y) {
  using R = contracted<A, B, Rule>;
  if constexpr (!R::ok) {
    message::fail<message::E004_shapes_do_not_contract<ops::dot_general_p, typename text_of<A>::type,
                                                       typename text_of<B>::type>>();
    return x;
  } else if constexpr (!have_common<A, B>()) {
    message::fail<message::E136_no_common_element_type<A, B>>();
    return x;
  } else {
    (void)require_floating<P, A, B>();
    transform::names_agree(x, y);
    return to_array<array_of<R>>(numpy::dot_general(to_handle(x), to_handle(y), Rule::value, P));
  }
}

}  // namespace numpy

/// Product of x and y: the last axis of x contracted with the last but one of y (or its only one).
///
/// shape   x [a, k], y [k, b] -> [a, b]; [k], [k] -> []; [a, k], [k] -> [a]
/// dtype   promoted; sums are kept in the result's element type, those of bf16 and f16 in f32
/// call    dot<precision::bf16>(x, y): with this precision, whatever the scope around says (with_precision)
/// diff    bilinear; products of derivatives have its precision
/// errors  E004 the contracted axes differ, E098 a precision of integers
/// source  NumPy dot
template <precision P = precision::usual, any_array A, any_array B> constexpr auto dot(A const& x, B const& y) {
  if constexpr (A::rank == 0 || B::rank == 0) return multiply(x, y);
  else return numpy::product<numpy::dot_rule<A, B>, P>(x, y);
}

/// Matrix product of stacks of matrices; leading axes broadcast.
///
/// shape   x [s, a, k], y [s, k, b] -> [s, a, b]; vectors as in dot
/// call    matmul<precision::bf16>(x, y): as in dot
/// errors  E004 the contracted axes differ, E001 the stacks do not broadcast, E098 a precision of integers
/// source  NumPy matmul
template <precision P = precision::usual, any_array A, any_array B> constexpr auto matmul(A const& x, B const& y) {
  if constexpr (A::rank <= 2 && B::rank <= 2) return dot<P>(x, y);
  else if constexpr (A::rank == 1) return squeeze<-2>(matmul<P>(expand_dims<0>(x), y));
  else if constexpr (B::rank == 1) return squeeze<-1>(matmul<P>(x, expand_dims<1>(y)));
  else if constexpr (B::rank == 2) return dot<P>(x, y);
  else if constexpr (A::rank == B::rank && [] {
                       for (int i = 0; i < A::rank - 2; ++i)
                         if (A::type.e[i] != B::type.e[i]) return false;
                       return true;
                     }())
    return numpy::product<numpy::stack_rule<A, B>, P>(x, y);
  else {
    using X = numpy::stacked<A, B, false>;
    using Y = numpy::stacked<A, B, true>;
    if constexpr (!X::ok) {
      message::fail<message::E001_shapes_do_not_broadcast<ops::dot_general_p, typename numpy::text_of<A>::type,
                                                          typename numpy::text_of<B>::type>>();
      return x;
    } else {
      transform::names_agree(x, y);
      return matmul<P>(
          numpy::to_array<array_of<X>>(numpy::broadcast_to(numpy::to_handle(x), numpy::concrete<array_of<X>>(x, y))),
          numpy::to_array<array_of<Y>>(numpy::broadcast_to(numpy::to_handle(y), numpy::concrete<array_of<Y>>(x, y))));
    }
  }
}

/// All products of an element of x with one of y.
///
/// shape   x [a], y [b] -> [a, b]
template <any_array A, any_array B> constexpr auto outer(A const& x, B const& y) {
  return multiply(expand_dims<-1>(ravel(x)), expand_dims<0>(ravel(y)));
}

}  // namespace etna
