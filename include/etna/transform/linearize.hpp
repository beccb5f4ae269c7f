// SPDX-License-Identifier: BSD-3-Clause
// jvp, linearize and vjp as users call them, on trees. Read next: jacobian.hpp.
#pragma once
#include "grad.hpp"

namespace etna {
namespace transform {

/// A function that ran once on a graph: what later derivatives of it start from.
template <class In, class Out> struct recording {
  static constexpr int n_in = tree::size<In>(), n_out = tree::size<Out>();
  home h;
  bool recorded;
  In in;  // arguments under new names
  Out out;
  vars<n_in> x;
  vars<n_out> y;
  range r;
};

template <class F, class... A> constexpr auto record_call(F const& f, A const&... args) {
  names_agree(args...);
  bool recorded = is_recording(args...);
  std::tuple<decltype(lift(args))...> lifted{lift(args)...};
  using In = decltype(lifted);
  home h(std::apply([](auto const&... x) { return graph_of(x...); }, lifted));
  vars<tree::size<In>()> x;
  In in = alias_leaves(current(h.g), lifted, x);
  auto out = [&] {
    following now(x);
    return lift(std::apply(f, in));
  }();
  using Out = decltype(out);
  vars<tree::size<Out>()> y;
  list_leaves(current(h.g), out, y);
  x.resolve();
  y.resolve();
  range r = range_from(x.v[0], current(h.g).depth);
  return recording<In, Out>{h, recorded, in, out, x, y, r};
}

template <class R, class T> constexpr auto push_forward(R const& rec, T const& tangents) {
  names_agree(rec.in, tangents);
  bool recorded = rec.recorded || is_recorded(tangents);
  vars<R::n_in> t;
  vars<R::n_out> dy;
  list_leaves(*rec.r.g, tangents, t);
  jvp(rec.r, rec.x.v, t.v, R::n_in, rec.y.v, R::n_out, dy.v);
  return finish_tree(tree_of(rec.out, dy), recorded);
}

template <class A, class B> constexpr bool same_leaves() {
  return std::is_same_v<decltype(lift(std::declval<A const&>())), decltype(lift(std::declval<B const&>()))>;
}

template <class R> struct linear_function {
  R rec;
  template <class... T> constexpr auto operator()(T const&... tangents) const {
    return push_forward(rec, std::tuple<decltype(lift(tangents))...>{lift(tangents)...});
  }
};

template <class R> struct pullback {
  R rec;
  vars<R::n_in> unknown;
  vars<R::n_out> tangents;
  range linear;
  /// The cotangents of the arguments: one, or a tuple of them.
  template <class T> constexpr auto operator()(T const& cotangent) const {
    names_agree(rec.in, rec.out, cotangent);
    vars<R::n_out> ct;
    vars<R::n_in> dx;
    list_leaves(*rec.r.g, lift(cotangent), ct);
    transpose({linear, unknown.v, R::n_in, tangents.v, R::n_out}, ct.v, dx.v);
    auto all = finish_tree(tree_of(rec.in, dx), rec.recorded || is_recorded(cotangent));
    if constexpr (std::tuple_size_v<decltype(all)> == 1) return std::get<0>(all);
    else return all;
  }
};

}  // namespace transform

/// jvp(f, {args...}, {tangents...}) is {f(args...), its derivative along the tangents}.
///
/// errors  E031 a tangent of another shape than its argument
/// source  JAX jvp
template <class F, class... A, class... T>
constexpr auto jvp(F const& f, std::tuple<A...> const& args, std::tuple<T...> const& tangents) {
  if constexpr (!transform::same_leaves<std::tuple<A...>, std::tuple<T...>>()) {
    message::fail<message::E031_tangents_differ<std::tuple<A...>, std::tuple<T...>>>();
    return std::pair{0, 0};
  } else {
    auto lifted = transform::lift(tangents);
    bool recorded = transform::is_recording(args, lifted);
    auto rec = std::apply([&](auto const&... x) { return transform::record_call(f, x...); }, args);
    rec.recorded = recorded;
    auto dy = transform::push_forward(rec, lifted);
    return std::pair{transform::finish_tree(rec.out, recorded), dy};
  }
}
template <class F, class A, class T> requires(!tree::detail::is_tuple<A>::value)
constexpr auto jvp(F const& f, A const& x, T const& t) {
  return jvp(f, std::tuple{x}, std::tuple{t});
}

/// linearize(f, args...) is {f(args...), the linear function tangents -> derivative there}.
///
/// source  JAX linearize
template <class F, class... A> constexpr auto linearize(F const& f, A const&... args) {
  auto rec = transform::record_call(f, args...);
  return std::pair{transform::finish_tree(rec.out, rec.recorded), transform::linear_function<decltype(rec)>{rec}};
}

/// vjp(f, args...) is {f(args...), the function cotangent -> cotangents of the arguments}.
///
/// source  JAX vjp
template <class F, class... A> constexpr auto vjp(F const& f, A const&... args) {
  auto rec = transform::record_call(f, args...);
  using R = decltype(rec);
  auto& g = *rec.r.g;
  transform::pullback<R> p{rec, {}, {}, {}};
  int base = g.n_values, begin = g.n_nodes;
  for (int k = 0; k < R::n_in; ++k) p.unknown.v[k] = transform::unknown_like(rec.x.v[k]);
  transform::jvp(rec.r, rec.x.v, p.unknown.v, R::n_in, rec.y.v, R::n_out, p.tangents.v);
  p.linear = {&g, begin, g.n_nodes, base, g.n_values, rec.r.world};
  return std::pair{transform::finish_tree(rec.out, rec.recorded), p};
}

}  // namespace etna
