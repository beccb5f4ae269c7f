// SPDX-License-Identifier: BSD-3-Clause
// jacfwd, jacrev, hessian: tangents or cotangents from the rows of an identity matrix, all at once,
// as a vmap writes them.
#pragma once
#include "linearize.hpp"
#include "vmap.hpp"

namespace etna {
namespace transform {

template <class Out, class In> struct jacobian_type {
  static_assert(message::holds<Out::rank + In::rank <= max_rank,
                               message::E012_too_many_axes<message::rank<Out::rank + In::rank>>>);
  static constexpr tensor_type make() {
    tensor_type t = Out::type;
    for (int i = 0; i < In::rank; ++i) t.e[t.rank++] = In::type.e[i];
    return t;
  }
  static constexpr tensor_type value = make();
};

/// The identity over the elements of t, one element a row: [n, shape of t].
constexpr var identity_rows(graph& g, tensor_type const& t, extent n) {
  tensor_type square{dtype::i32, 2, {n, n}};
  var same = ops::eq(ops::iota(&g, square, 0), ops::iota(&g, square, 1));
  return ops::reshape(ops::convert(same, t.d), t.insert(0, n));
}
/// There is a row for each element of A: their number has to be one extent.
template <class A> constexpr bool has_rows() {
  if constexpr (any_array<A>) return A::type.size() != ext::invalid;
  else return false;
}
/// What is said where there are no rows.
template <class A> struct rowless {
  using type = message::E048_jacobian_of_a_tree<A>;
};
template <class T, extent... E> struct rowless<array<T, E...>> {
  using type = message::E029_extent_too_complicated<array<T, E...>>;
};
/// Enter a vmap by hand: one row of `rows`.
constexpr var one_row(graph& g, var rows) {
  g.enter(++g.depth);
  return ops::example_of(g, rows, g.depth);
}
/// Leave it: all rows of what was computed from one, [n, shape of y].
constexpr var all_rows(graph& g, var y, tensor_type const& type) {
  int level = g.depth--;
  g.entered[level] = g.n_values;
  if (!y) return ops::full(&g, type.insert(0, g.batch[level]), 0);
  auto const& info = g.values[y.id];
  return info.level == level ? var{&g, info.shadow} : ops::broadcast_front(y, g.batch[level]);
}

template <class F, class Args, std::size_t Argnum> struct held {
  F const& f;
  Args const& args;
  template <class X> constexpr auto operator()(X const& x) const {
    return call(x, std::make_index_sequence<std::tuple_size_v<Args>>{});
  }
  template <std::size_t Nth, class X> constexpr auto const& pick(X const& x) const {
    if constexpr (Nth == Argnum) return x;
    else return std::get<Nth>(args);
  }
  template <class X, std::size_t... Nth> constexpr auto call(X const& x, std::index_sequence<Nth...>) const {
    return f(pick<Nth>(x)...);
  }
};

/// What is wrong with an argument by which the Jacobian is taken: an error number, or 0.
template <std::size_t Argnum, class... A> constexpr int wrong_argument() {
  if constexpr (Argnum >= sizeof...(A)) return 15;
  else return all_floating<std::remove_cvref_t<std::tuple_element_t<Argnum, std::tuple<A...>>>>() ? 0 : 14;
}

template <class F, std::size_t Argnum> struct jacfwd_of {
  [[no_unique_address]] F f;
  template <class... A> constexpr auto operator()(A const&... args) const {
    constexpr int wrong = wrong_argument<Argnum, A...>();
    if constexpr (wrong == 15) message::fail<message::E015_argnum_out_of_range<message::argnum<int(Argnum)>, F>>();
    if constexpr (wrong == 14) message::fail<message::E014_gradient_of_integer<message::argnum<int(Argnum)>, A...>>();
    if constexpr (wrong == 0) return run(args...);
    else return array<float>();
  }

 private:
  template <class... A> constexpr auto run(A const&... args) const {
    std::tuple<decltype(lift(args))...> lifted{lift(args)...};
    using In = std::tuple_element_t<Argnum, decltype(lifted)>;
    if constexpr (!has_rows<In>()) {
      message::fail<typename rowless<In>::type>();
      return std::get<Argnum>(lifted);
    } else
      return columns<In>(record_call(held<F, decltype(lifted), Argnum>{f, lifted}, std::get<Argnum>(lifted)),
                         is_recording(args...));
  }
  template <class In, class R> static constexpr auto columns(R const& rec, bool recorded) {
    graph& g = *rec.r.g;
    var row = one_row(g, identity_rows(g, tracing::type_of(rec.x.v[0]), tracing::type_of(rec.x.v[0]).size()));
    vars<R::n_out> dy;
    jvp(rec.r, rec.x.v, &row, 1, rec.y.v, R::n_out, dy.v);
    int k = 0, depth = g.depth;
    return tree::map(
        [&](auto const& y) {
          using Y = std::remove_cvref_t<decltype(y)>;
          g.depth = depth;
          var all = all_rows(g, dy.v[k], tracing::type_of(rec.y.v[k]));
          tensor_type t = tracing::type_of(rec.y.v[k++]), x = tracing::type_of(rec.x.v[0]);
          all = ops::move_axis(all, 0, t.rank);
          for (int i = 0; i < x.rank; ++i) t.e[t.rank++] = x.e[i];
          return finish(access::from<array_of<jacobian_type<Y, In>>>(ops::reshape(all, t)), recorded);
        },
        rec.out);
  }
};

template <class F, std::size_t Argnum> struct jacrev_of {
  [[no_unique_address]] F f;
  template <class... A> constexpr auto operator()(A const&... args) const {
    constexpr int wrong = wrong_argument<Argnum, A...>();
    if constexpr (wrong == 15) message::fail<message::E015_argnum_out_of_range<message::argnum<int(Argnum)>, F>>();
    if constexpr (wrong == 14) message::fail<message::E014_gradient_of_integer<message::argnum<int(Argnum)>, A...>>();
    if constexpr (wrong == 0) return run(args...);
    else return array<float>();
  }

 private:
  template <class... A> constexpr auto run(A const&... args) const {
    std::tuple<decltype(lift(args))...> lifted{lift(args)...};
    bool recorded = is_recording(args...);
    auto rec = record_call(held<F, decltype(lifted), Argnum>{f, lifted}, std::get<Argnum>(lifted));
    using Y = std::remove_cvref_t<decltype(rec.out)>;
    if constexpr (!has_rows<Y>()) {
      message::fail<typename rowless<Y>::type>();
      return std::get<0>(rec.in);
    } else return rows<Y>(rec, recorded);
  }
  template <class Y, class R> static constexpr auto rows(R const& rec, bool recorded) {
    graph& g = *rec.r.g;
    tensor_type y = tracing::type_of(rec.y.v[0]);
    var row = one_row(g, identity_rows(g, y, y.size()));
    vars<R::n_in> dx, unknown;
    vars<R::n_out> tangent;
    vjp(rec.r, rec.x.v, R::n_in, rec.y.v, 1, &row, dx.v, unknown.v, tangent.v);
    int k = 0, depth = g.depth;
    return tree::map(
        [&](auto const& x) {
          using X = std::remove_cvref_t<decltype(x)>;
          g.depth = depth;
          tensor_type from = tracing::type_of(rec.x.v[k]), t = y;
          var all = all_rows(g, dx.v[k++], from);
          for (int i = 0; i < from.rank; ++i) t.e[t.rank++] = from.e[i];
          return finish(access::from<array_of<jacobian_type<Y, X>>>(ops::reshape(all, t)), recorded);
        },
        std::get<0>(rec.in));
  }
};

}  // namespace transform

/// The Jacobian of f by one argument, column by column (forward mode): best for few inputs.
///
/// shape   argument [a], result [b] -> [b, a]; a tree as result gives a tree
/// errors  E012 more than 10 axes, E014 integer argument, E015 argnum out of range, E029 the number of elements is too
/// long to carry,
///         E048 the argument (jacrev: the result) is no single array
/// source  JAX jacfwd
template <std::size_t Argnum = 0, class F> constexpr auto jacfwd(F f) { return transform::jacfwd_of<F, Argnum>{f}; }

/// The Jacobian of f by one argument, row by row (reverse mode): best for few outputs.
///
/// shape   argument [a], result [b] -> [b, a]; a tree as argument gives a tree
/// errors  as jacfwd
/// source  JAX jacrev
template <std::size_t Argnum = 0, class F> constexpr auto jacrev(F f) { return transform::jacrev_of<F, Argnum>{f}; }

/// The matrix of second derivatives of a scalar function: jacfwd of jacrev.
///
/// shape   argument [a] -> [a, a]
template <std::size_t Argnum = 0, class F> constexpr auto hessian(F f) { return jacfwd<Argnum>(jacrev<Argnum>(f)); }

ETNA_REFUSE_NUMBERS(jacfwd, "jacfwd<0>(f)");
ETNA_REFUSE_NUMBERS(jacrev, "jacrev<0>(f)");
ETNA_REFUSE_NUMBERS(hessian, "hessian<0>(f)");

}  // namespace etna
