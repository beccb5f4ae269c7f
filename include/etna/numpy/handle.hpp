// SPDX-License-Identifier: BSD-3-Clause
// What NumPy's names are built on: a value of either life (an equation's result while compiling or
// recording, numbers at run time), and calls of primitives with promotion and broadcasting, all
// without templates. Shapes are computed once for types and once for values by the same functions.
// Read next: math.hpp.
#pragma once
#include <etna/message/refusal.hpp>
#include <etna/ops/known.hpp>
#include <etna/transform/capture.hpp>

namespace etna::eager {
/// Evaluate one equation on numbers, or record it where an operand is being recorded. Gives the number of its results.
int apply(int op, value const* in, int n, std::int64_t const* attr, int n_attr, value* out, tensor_type const* known);
}  // namespace etna::eager

namespace etna::numpy {

using etna::detail::access;
using ops::code;
using tracing::var;

/// A value, owned: its graph or its memory is kept while the handle lives.
class handle {
 public:
  constexpr handle() = default;
  constexpr explicit handle(eager::value const& x) : x_(x) {}  // takes over one reference
  constexpr handle(handle const& o) : x_(o.x_) { keep(); }
  constexpr handle(handle&& o) noexcept : x_(o.x_) { o.x_ = {}; }
  constexpr handle& operator=(handle o) noexcept {
    eager::value y = x_;
    x_ = o.x_;
    o.x_ = y;
    return *this;
  }
  constexpr ~handle() { drop(x_.v.g, x_.owner); }
  static constexpr handle share(eager::value const& x) {
    if (x.v.g ? x.v.g->on_heap : true) {
      handle h(x);
      h.keep();
      return h;
    }
    return handle(x);
  }
  constexpr tensor_type const& type() const {
    if (!x_.v.g) return x_.type;
    return x_.v.g->forward ? tracing::type_of(x_.v) : x_.v.g->values[x_.v.id].type;
  }
  constexpr eager::value const& value() const { return x_; }
  constexpr var traced() const { return x_.v; }

 private:
  eager::value x_{};
  // Functions of their own at run time: every operation has many handles.
  constexpr void keep() const { keep(x_.v.g, x_.owner); }
  [[gnu::noinline]] static constexpr void keep(tracing::graph* g, memory_block* owner) {
    if (g) tracing::retain(g);
    else if (!__builtin_is_constant_evaluated()) retain(owner);
  }
  [[gnu::noinline]] static constexpr void drop(tracing::graph* g, memory_block* owner) {
    if (g) tracing::release(g);
    else if (!__builtin_is_constant_evaluated()) release(owner);
  }
};

/// One primitive on values; attributes name concrete sizes at run time.
constexpr handle call(int op, handle const* in, int n, std::int64_t const* attr = nullptr, int n_attr = 0,
                      int result = 0, tracing::maybe<tensor_type const> known = {}) {
  if (__builtin_is_constant_evaluated()) {
    var v[tracing::max_operands];
    for (int k = 0; k < n; ++k) v[k] = in[k].traced();
    if (n == 0) {
      tracing::graph* g = tracing::graph::make(tracing::recipe_capacity);
      return handle({tracing::emit(op, nullptr, 0, attr, n_attr, known, g)});
    }
    var r = tracing::emit(op, v, n, attr, n_attr, known);
    r.id += result;
    return handle::share({r});
  }
  eager::value x[tracing::max_operands], out[tracing::max_results];
  for (int k = 0; k < n; ++k) x[k] = in[k].value();
  int results = eager::apply(op, x, n, attr, n_attr, out, known.at);
  for (int k = 0; k < results; ++k)
    if (k != result) (void)handle(out[k]);
  return handle(out[result]);
}
constexpr handle call(int op, handle const& x, std::int64_t const* attr = nullptr, int n_attr = 0, int result = 0) {
  return call(op, &x, 1, attr, n_attr, result);
}

template <class A> constexpr handle to_handle(A const& a) {
  if (__builtin_is_constant_evaluated()) {
    var v = tracing::resolve(access::traced(a));
    if (!v.g) return handle({tracing::recipe_full(A::type, to_bits(A::type.d, access::number(a)))});
    return handle::share({v});
  }
  return handle::share(transform::numbers_of(a));
}
template <class A> handle to_handle(A const&&) = delete;  // a few numbers lie in the array itself, and end with it
template <class R> constexpr R to_array(handle const& h) {
  if (h.traced().g) return access::from<R>(h.traced());
  return access::adopt<R>(h.value());
}

/// A constant array.
constexpr handle full(tensor_type const& t, std::int64_t bits) {
  return call(code<ops::full_p>, nullptr, 0, &bits, 1, 0, t);
}

constexpr handle convert(handle const& x, dtype d) {
  std::int64_t a = std::int64_t(d);
  if (x.type().d == d) return x;  // no ?: on handles: g++ 12 destroys the copy twice in constants
  return call(code<ops::convert_p>, x, &a, 1);
}

/// Sizes of a shape to which both broadcast, NumPy's rule; false where they do not.
constexpr bool broadcast_shapes(tensor_type const& a, tensor_type const& b, tensor_type& out) {
  out.rank = a.rank > b.rank ? a.rank : b.rank;
  for (int i = 1; i <= out.rank; ++i) {
    extent x = i <= a.rank ? a.e[a.rank - i] : 1, y = i <= b.rank ? b.e[b.rank - i] : 1;
    if (x != y && x != 1 && y != 1) return false;
    out.e[out.rank - i] = x == 1 ? y : x;
  }
  return true;
}

/// How t becomes the shape of `to`: axes are matched from the last.
constexpr ops::broadcast_words matched_from_last(tensor_type const& t, tensor_type const& to) {
  ops::broadcast_words w(to);
  for (int i = 0; i < t.rank; ++i) w.put(to.rank - t.rank + i);
  return w;
}
/// x repeated to the shape of `to`.
constexpr handle broadcast_to(handle const& x, tensor_type const& to) {
  if (x.type().same_shape(to)) return x;
  ops::broadcast_words w = matched_from_last(x.type(), to);
  return call(code<ops::broadcast_p>, x, w.a, w.n);
}
constexpr handle reshape(handle const& x, tensor_type const& to) {
  if (x.type().same_shape(to)) return x;
  ops::shape_words w(to);
  return call(code<ops::reshape_p>, x, w.a, w.n);
}

/// Two operands brought to one element type and one shape.
constexpr handle binary(int op, handle const& x, handle const& y, bool floating = false) {
  tensor_type const &a = x.type(), &b = y.type();
  if (a == b && (!floating || is_floating(a.d))) {
    handle in[] = {x, y};
    return call(op, in, 2);
  }
  tensor_type t{};
  if (!broadcast_shapes(a, b, t)) message::raise<111>("the operands of an elementwise operation");
  t.d = promote(a.d, b.d);
  if (floating) t.d = to_floating(t.d);
  handle in[] = {broadcast_to(convert(x, t.d), t), broadcast_to(convert(y, t.d), t)};
  return call(op, in, 2);
}

/// The bits of a C++ number that stands beside a value of the graph g, or outside of one, and becomes an element of
/// type d.
///
/// errors  E092 (while compiling), E133: d does not hold it
template <class U> constexpr std::int64_t bits_beside(tracing::graph* g, dtype d, U v) {
  if constexpr (std::is_integral_v<U>)
    if (!holds_number(d, v)) {
      if (!__builtin_is_constant_evaluated()) not_held(d, v);
      else if (g) tracing::refuse<message::number_does_not_fit>(tracing::resolve({g, 0}).g);
      else message::E092_the_element_type_does_not_hold_this_number();
    }
  return to_bits(d, v);
}
/// A C++ number beside an array: weak, so the array's element type decides (bits are per type). It is written in
/// the array's graph and shape at once.
template <class U> constexpr handle weak(U v, handle const& beside) {
  tensor_type t = beside.type();
  t.d = promote_weak(t.d, kind_of_literal<U>());
  std::int64_t bits = bits_beside(beside.traced().g, t.d, v);
  if (__builtin_is_constant_evaluated())
    return handle::share({ops::full_of(tracing::resolve(beside.traced()).g, t, bits)});
  return full(t, bits);
}

/// An array, or the number x beside the array y.
template <class X, class Y> constexpr handle to_handle(X const& x, Y const& y) {
  if constexpr (any_array<X>) return to_handle(x);
  else return weak(x, to_handle(y));
}

// The static half: result types, and errors while compiling.
template <class... A> struct broadcast_type {
  static constexpr bool merge(tensor_type& t, tensor_type const& x) { return broadcast_shapes(tensor_type(t), x, t); }
  static constexpr bool ok() {
    tensor_type t{};
    return (merge(t, A::type) && ...);
  }
  static constexpr tensor_type make(dtype d) {
    tensor_type t{};
    (merge(t, A::type), ...);
    t.d = d;
    return t;
  }
};
template <class A> struct type_holder {
  static constexpr tensor_type value = A::type;
};
template <dtype D, class... A> struct broadcast_holder {
  static constexpr tensor_type value = broadcast_type<A...>::make(D);
};
template <class A, dtype D> struct as_dtype {
  static constexpr tensor_type value = A::type.with(D);
};
template <class A> struct text_of;
template <class T, extent... E> struct text_of<array<T, E...>> {
  using type = message::shape_text<E...>;
};

// What X is beside Y: an array, or the scalar array that the number becomes.
template <class X, class Y> struct beside_ {
  using type = X;
};
template <class X, class Y> requires(!any_array<X>)
struct beside_<X, Y> {
  using type = array<element_of<promote_weak(Y::type.d, kind_of_literal<X>())>>;
};
template <class X, class Y> using beside = typename beside_<X, Y>::type;

/// Array or C++ number: what NumPy-like functions take.
template <class T> concept operand = any_array<T> || is_number<std::remove_cvref_t<T>>;
/// The same without axes: a parameter of a function, which may be traced, mapped and differentiated by.
template <class T> concept scalar_operand =
    is_number<std::remove_cvref_t<T>> || (any_array<T> && std::remove_cvref_t<T>::rank == 0);
template <class T> constexpr bool holds_integers() {
  if constexpr (any_array<T>) return is_integer(std::remove_cvref_t<T>::type.d);
  else return false;
}
/// An integer of either kind: a bound, a start. (No lambda: nvcc takes a call of one in a concept for false.)
template <class T> concept integer_operand =
    std::is_integral_v<std::remove_cvref_t<T>> || (scalar_operand<T> && any_array<T> && holds_integers<T>());
template <class A, class B> concept operands = operand<A> && operand<B> && (any_array<A> || any_array<B>);

/// A parameter in element type T: a number stays one, an array is converted.
template <class T, class V> constexpr auto parameter(V const& v) {
  if constexpr (any_array<V>) return to_array<array_of<as_dtype<V, dtype_of<T>>>>(convert(to_handle(v), dtype_of<T>));
  else return held_number<T>(v);
}

}  // namespace etna::numpy
