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

// f(value, level, size) -> value, whose type is R.
template <extent Name, class R, class A, class F> constexpr R over_axis(A const& x, F const& f) {
  graph* g = transform::graph_around(x);
  int level = g ? level_of(*g, Name) : 0;
  if (level > 0) return access::from<R>(f(value_in(*g, x), level, g->batch[level]));
  tracing::refuse<message::no_such_axis>(g);
  return access::from<R>(ops::full(g, R::type, 0));
}
// The same on each leaf of a tree, whose type stays.
template <extent Name, class T, class F> constexpr auto leaves_over_axis(T const& t, F const& f) {
  return tree::map(
      [&](auto const& leaf) {
        auto x = transform::as_array(leaf);
        return over_axis<Name, decltype(x)>(x, f);
      },
      t);
}
template <class Row> struct reduced {
  constexpr tracing::var operator()(tracing::var v, int level, extent size) const {
    return ops::collective::write(ops::code<Row>, v, level, size, tracing::type_of(v));
  }
};

}  // namespace control

/// psum<"i"_n>(tree): the sum of each leaf over the mapped axis of the vmap with that name.
///
/// diff    linear; its transpose is psum
/// errors  E078 no vmap with this axis name encloses the call
/// source  JAX lax.psum
template <extent Name, class T> constexpr auto psum(T const& t) {
  return control::leaves_over_axis<Name>(t, control::reduced<ops::psum_p>{});
}
/// pmean<"i"_n>(tree): the mean over the mapped axis.
///
/// diff    linear
/// errors  E078 no vmap with this axis name encloses the call
/// source  JAX lax.pmean
template <extent Name, class T> constexpr auto pmean(T const& t) {
  return control::leaves_over_axis<Name>(t, [](tracing::var v, int level, extent size) {
    return ops::psum(v, level, size) / ops::full_like(v, double(size));
  });
}
/// pmax<"i"_n>(tree), pmin: the greatest, the least over the mapped axis; those that share it share the derivative.
///
/// errors  E078 no vmap with this axis name encloses the call
/// source  JAX lax.pmax, pmin
template <extent Name, class T> constexpr auto pmax(T const& t) {
  return control::leaves_over_axis<Name>(t, control::reduced<ops::pmax_p>{});
}
template <extent Name, class T> constexpr auto pmin(T const& t) {
  return control::leaves_over_axis<Name>(t, control::reduced<ops::pmin_p>{});
}
/// all_gather<"i"_n, N>(tree): each leaf of all N examples.
///
/// shape   [...] -> [N, ...]
/// diff    linear
/// errors  E078 no vmap with this axis name encloses the call, E094 N is not the size of the axis (E111 at run time)
/// source  JAX lax.all_gather
template <extent Name, extent N, class T> constexpr auto all_gather(T const& t) {
  return tree::map(
      [](auto const& leaf) {
        auto x = transform::as_array(leaf);
        using R = array_of<transform::with_axis<decltype(x), 0, N>>;
        return control::over_axis<Name, R>(x, [](tracing::var v, int level, extent size) {
          if (size != N) {
            if (!__builtin_is_constant_evaluated())
              message::raise<111>("all_gather of " + std::to_string(N) + " examples, and the axis has " +
                                  std::to_string(size));
            tracing::refuse<message::not_on_the_axis>(v.g);
          }
          return ops::collective::write(ops::code<ops::all_gather_p>, v, level, size, tracing::type_of(v).insert(0, N));
        });
      },
      t);
}
/// ppermute<"i"_n>(tree, {{from, to}...}): each example's value goes to another; zeros where none comes.
///
/// pairs   as std::array<int, 2> {from, to}; each example takes from one at most
/// errors  E078 no vmap with this axis name encloses the call, E094 a pair names no example, or two the same receiver
///         (E111 at run time)
/// source  JAX lax.ppermute
template <extent Name, class T, std::size_t N>
constexpr auto ppermute(T const& t, std::array<std::array<int, 2>, N> const& pairs) {
  return control::leaves_over_axis<Name>(t, [&](tracing::var v, int level, extent size) {
    auto fits = [&](std::array<int, 2> const& p) {
      int receives = 0;
      for (auto const& other : pairs) receives += other[1] == p[1];
      return p[0] >= 0 && p[0] < size && p[1] >= 0 && p[1] < size && receives == 1;
    };
    for (auto const& p : pairs)
      if (!fits(p)) {
        if (!__builtin_is_constant_evaluated())
          message::raise<111>("ppermute from " + std::to_string(p[0]) + " to " + std::to_string(p[1]) + " of " +
                              std::to_string(size) + " examples, each of which receives once");
        tracing::refuse<message::not_on_the_axis>(v.g);
        return v;
      }
    auto* source = new std::int64_t[std::size_t(size)];
    for (extent k = 0; k < size; ++k) source[k] = size;
    for (auto const& p : pairs) source[p[1]] = p[0];
    tracing::var y =
        ops::collective::write(ops::code<ops::ppermute_p>, v, level, size, tracing::type_of(v), source, int(size));
    if (v.g->values[v.id].level < level && N < std::size_t(size)) {
      // one value for all examples, and those that nobody sends to: zeros by the example's number
      for (extent k = 0; k < size; ++k) source[k] = source[k] < size;
      tensor_type list{dtype::i32, 1, {size}};
      tracing::var has = ops::gather(tracing::emit(ops::code<ops::literal_p>, nullptr, 0, source, int(size), list, v.g),
                                     ops::collective::index(*v.g, level), {0, 0});
      y = ops::select(
          ops::broadcast(ops::eq(has, ops::full_like(has, 1)), tracing::type_of(v).with(dtype::boolean), nullptr), y,
          ops::full_like(y, 0));
    }
    delete[] source;
    return y;
  });
}
/// axis_index<"i"_n>(x): the number of the example; x is any traced value, which tells the program.
///
/// source  JAX lax.axis_index
template <extent Name, class T> constexpr array<int> axis_index(T const& t) {
  return control::over_axis<Name, array<int>>(
      transform::as_array(t), [](tracing::var v, int level, extent) { return ops::collective::index(*v.g, level); });
}

}  // namespace etna
