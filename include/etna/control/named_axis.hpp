// SPDX-License-Identifier: BSD-3-Clause
// Collectives over the axis of an enclosing vmap that has a name: psum, pmean, pmax, pmin, all_gather, ppermute,
// axis_index. One process plays all examples here. Read next: <etna/nn/loss.hpp>.
#pragma once
#include "leaves.hpp"

namespace etna {
namespace control {

/// The innermost vmap with this name that encloses the code that runs now; 0 where there is none.
constexpr int level_of(graph const& g, extent name) {
  int level = g.depth;
  while (level > 0 && g.names[level] != name) --level;
  return level;
}
/// The graph in which x is, or the one that is being recorded.
template <class A> constexpr graph* graph_around(A const& x) {
  var v = trace::resolve(access::traced(x));
  if (v.g) return v.g;
  if (!std::is_constant_evaluated() && transform::running) return &current(transform::running);
  return nullptr;
}

// f(value, level, size) -> value of each leaf, whose type is R.
template <extent Name, class R, class A, class F> constexpr R over_axis(A const& x, F const& f) {
  graph* g = graph_around(x);
  int level = g ? level_of(*g, Name) : 0;
  if (level == 0) {
    if (!g || g->on_heap) {
      if (std::is_constant_evaluated()) throw "E078: no vmap with this axis name encloses the call";
      message::raise<116>("psum, pmean, pmax, pmin, all_gather, ppermute or axis_index");
    }
    g->error = 78;
    level = 1;
    return access::from<R>(ops::full(g, R::type, 0));
  }
  return access::from<R>(f(value_in(*g, x), level, g->batch[level]));
}

}  // namespace control

/// psum<"i"_n>(tree): the sum of each leaf over the mapped axis of the vmap with that name.
///
/// diff    linear; its transpose is psum
/// errors  E078 no vmap with this axis name encloses the call
/// source  JAX lax.psum
template <extent Name, class T> constexpr auto psum(T const& t) {
  return tree::map([](auto const& x) {
    using A = std::remove_cvref_t<decltype(transform::as_array(x))>;
    return control::over_axis<Name, A>(transform::as_array(x), [](trace::var v, int level, extent size) { return ops::psum(v, level, size); });
  }, t);
}
/// pmean<"i"_n>(tree): the mean over the mapped axis.
///
/// diff    linear
/// errors  E078 no vmap with this axis name encloses the call
/// source  JAX lax.pmean
template <extent Name, class T> constexpr auto pmean(T const& t) {
  return tree::map([](auto const& x) {
    using A = std::remove_cvref_t<decltype(transform::as_array(x))>;
    return control::over_axis<Name, A>(transform::as_array(x), [](trace::var v, int level, extent size) {
      return ops::psum(v, level, size) / ops::full_like(v, double(size));
    });
  }, t);
}
/// pmax<"i"_n>(tree), pmin: the greatest, the least over the mapped axis; those that share it share the derivative.
///
/// errors  E078 no vmap with this axis name encloses the call
/// source  JAX lax.pmax, pmin
template <extent Name, class T> constexpr auto pmax(T const& t) {
  return tree::map([](auto const& x) {
    using A = std::remove_cvref_t<decltype(transform::as_array(x))>;
    return control::over_axis<Name, A>(transform::as_array(x), [](trace::var v, int level, extent size) {
      return ops::collective::write(ops::code<ops::pmax_p>, v, level, size, trace::type_of(v));
    });
  }, t);
}
template <extent Name, class T> constexpr auto pmin(T const& t) {
  return tree::map([](auto const& x) {
    using A = std::remove_cvref_t<decltype(transform::as_array(x))>;
    return control::over_axis<Name, A>(transform::as_array(x), [](trace::var v, int level, extent size) {
      return ops::collective::write(ops::code<ops::pmin_p>, v, level, size, trace::type_of(v));
    });
  }, t);
}
/// all_gather<"i"_n, N>(tree): each leaf of all N examples.
///
/// shape   [...] -> [N, ...]
/// diff    linear
/// errors  E078 no vmap with this axis name encloses the call; E016 N is not the size of the axis
/// source  JAX lax.all_gather
template <extent Name, extent N, class T> constexpr auto all_gather(T const& t) {
  return tree::map([](auto const& x) {
    using A = std::remove_cvref_t<decltype(transform::as_array(x))>;
    using R = array_of<transform::with_axis<A, 0, N>>;
    return control::over_axis<Name, R>(transform::as_array(x), [](trace::var v, int level, extent size) {
      if (size != N) throw "E016: all_gather: the size that is given is not that of the axis";
      return ops::collective::write(ops::code<ops::all_gather_p>, v, level, size, trace::type_of(v).insert(0, size));
    });
  }, t);
}
/// ppermute<"i"_n, range...>(tree, {{from, to}...}): each example's value goes to another; zeros where none comes.
///
/// pairs   as std::array<int, 2> {from, to}; each example takes from one at most
/// errors  E078 no vmap with this axis name encloses the call
/// source  JAX lax.ppermute
template <extent Name, class T, std::size_t N> constexpr auto ppermute(T const& t, std::array<std::array<int, 2>, N> const& pairs) {
  return tree::map([&](auto const& x) {
    using A = std::remove_cvref_t<decltype(transform::as_array(x))>;
    return control::over_axis<Name, A>(transform::as_array(x), [&](trace::var v, int level, extent size) {
      std::int64_t source[64]{};
      if (size > 64) throw "ppermute: at most 64 examples";
      for (extent k = 0; k < size; ++k) source[k] = -1;
      for (auto const& p : pairs) source[p[1]] = p[0];
      trace::var y = ops::collective::write(ops::code<ops::ppermute_p>, v, level, size, trace::type_of(v), source, int(size));
      if (v.g->values[v.id].level >= level || N == std::size_t(size)) return y;
      // one value for all examples, and those that nobody sends to: zeros by the example's number
      for (extent k = 0; k < size; ++k) source[k] = source[k] >= 0;
      tensor_type t = trace::type_of(v), list{dtype::i32, 1, {size}};
      trace::var has = ops::gather(trace::emit(ops::code<ops::literal_p>, nullptr, 0, source, int(size), &list, v.g), ops::collective::index(*v.g, level), 0, 0);
      return ops::select(ops::broadcast(ops::eq(has, ops::full_like(has, 1)), t.with(dtype::boolean), nullptr), y, ops::full_like(y, 0));
    });
  }, t);
}
/// axis_index<"i"_n>(x): the number of the example; x is any traced value, which tells the program.
///
/// source  JAX lax.axis_index
template <extent Name, class T> constexpr array<int> axis_index(T const& t) {
  return control::over_axis<Name, array<int>>(transform::as_array(t), [](trace::var v, int level, extent) { return ops::collective::index(*v.g, level); });
}

}  // namespace etna
