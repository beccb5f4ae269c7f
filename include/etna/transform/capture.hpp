// SPDX-License-Identifier: BSD-3-Clause
// From trees of arrays to values of a graph and back: what every typed transform begins and ends
// with. Read next: grad.hpp.
#pragma once
#include <etna/array/tree.hpp>
#include <etna/message/refusal.hpp>

#include "transpose.hpp"

namespace etna::transform {

using etna::detail::access;

/// Leaves as values. In constant evaluation they already are; at run time numbers are recorded.
var record(eager::value const& x, graph* into);  // eager/interpreter.hpp
graph* new_recording();

template <class A> constexpr tensor_type concrete_type(A const& a) {
  tensor_type t = A::type;
  if constexpr (!A::is_static)
    if (!__builtin_is_constant_evaluated()) {
      auto s = a.shape();
      for (int i = 0; i < A::rank; ++i) t.e[i] = s[std::size_t(i)];
    }
  return t;
}
template <class A> eager::value numbers_of(A const& a) {
  return {access::traced(a), access::traced(a).g ? nullptr : a.look(), concrete_type(a), access::memory_of(a)};
}

// Sizes that names stand for in the leaves of trees. A value of a trace that is written at run time has names still.
struct name_reader {
  ext::bindings size;
  bool products = false, check = false;
  void read(tensor_type const& t, extent const* shape) {
    for (int i = 0; i < t.rank; ++i)
      if (shape[i] < 0) return;
    products = products || ext::has_products(t);
    if (check) ext::check_sizes(t, shape, size);
    else ext::learn_sizes(t, shape, size);
  }
  template <class A> void operator()(A const& x) {
    if constexpr (any_array<A>)
      if constexpr (!A::is_static) read(A::type, x.shape().data());
  }
};
template <class T> constexpr bool has_no_name() {
  if constexpr (any_array<T>) return T::is_static;
  else return tree::number<T>;
}
/// At run time: does each name stand for one size in all of these trees? Otherwise E110, as jit says it of arguments.
/// Every operation on several values asks, and every transform of its arguments.
template <class... T> constexpr void names_agree(T const&... trees) {
  if constexpr (!(has_no_name<T>() && ...)) {
    if (__builtin_is_constant_evaluated()) return;
    name_reader of;
    (tree::for_each(of, trees), ...);
    of.check = true;
    if (of.products) (tree::for_each(of, trees), ...);
  }
}

/// A C++ number or array as an array (numbers as array<T>).
template <class T> constexpr decltype(auto) as_array(T const& x) {
  if constexpr (any_array<T>) return (x);
  else return array<T>(x);
}

/// A tree whose numbers are arrays: what a traced function is called with.
template <class T> constexpr auto lift(T const& t) {
  auto as_arrays = [](auto const& x) { return as_array(x); };
  if constexpr (std::is_same_v<decltype(tree::map(as_arrays, t)), T>) return t;
  else return tree::map(as_arrays, t);
}

/// The user's function in a transform that calls it with its own arguments; void where they become others. Who looks at
/// it before all else, by a call that never runs, has its errors named with few places between it and the call of the
/// transform. (Not by `decltype`: what a function calls there is left to the evaluation of a constant, whose steps g++
/// prints as well.)
template <class F> struct function_in {
  using type = F;
};
template <class T> T& unseen() { throw 0; }
template <class F> concept looked_at =
    !std::is_void_v<typename function_in<F>::type> && !requires { &function_in<F>::type::operator(); };

/// The recording of the transform that runs now, at run time. One that starts inside writes there too: what its
/// function captures is of that graph, though its arguments may be numbers.
inline thread_local graph* running = nullptr;

/// The graph in which the leaves of these trees live, or a new one, counted; it is `running` while this lives. Copies
/// only count.
struct home {
  graph* g = nullptr;
  graph* outer = nullptr;
  bool runs = false;
  int held = 0;  // what it counts for in constant evaluation, where g++ 12 may count too little (tracing::free_taken)
  int results = 0;                      // leaves that are given out of the graph, where their number is known
  static constexpr int many = 1 << 20;  // thousands of them may be counted together in one graph
  constexpr home() = default;
  constexpr explicit home(graph* g, int results = 0) : g(g), results(results) {
    if (__builtin_is_constant_evaluated()) {
      if (g->on_heap) tracing::counted(g)->refs += held = many;
      return;
    }
    outer = running;
    running = g;
    runs = true;
  }
  constexpr home(home const& o) : g(o.g) {
    if (g) tracing::retain(g);
  }
  home& operator=(home const&) = delete;
  constexpr ~home() {
    if (runs) running = outer;
    if (held) {
      int& refs = tracing::counted(g)->refs;
      refs -= held;
      if (refs <= results) refs = many;  // fewer than the leaves and this one: it stays until it is taken in
    }
    if (g) tracing::release(g);
  }
};

/// The graph that g is a part of by now.
constexpr graph& current(graph* g) { return *tracing::resolve({g, 0}).g; }

/// While this lives these arguments are followed: a function runs on them that is differentiated.
class following {
 public:
  template <class Vars> constexpr explicit following(Vars const& list) {
    if (list.n == 0) return;
    first_ = tracing::resolve(list.v[0]);
    first_.g->follow({first_.id, tracing::resolve(list.v[list.n - 1]).id + 1});
  }
  following(following const&) = delete;
  constexpr ~following() {
    if (!first_) return;
    var v = tracing::resolve(first_);
    v.g->unfollow(v.id);
  }

 private:
  var first_{};
};

/// Leave a transform: where nothing outside was being recorded, values become numbers again.
template <class A> constexpr A finish(A const& x, bool recorded) {
  if (!__builtin_is_constant_evaluated() && !recorded && access::traced(x).g)
    return access::adopt<A>(eager::value_of(access::traced(x)));
  return x;
}
template <class T> constexpr T finish_tree(T const& t, bool recorded) {
  if (__builtin_is_constant_evaluated() || recorded) return t;
  T copy = t;
  tree::for_each(
      [&](auto& x) {
        if constexpr (any_array<decltype(x)>) x = finish(x, recorded);
      },
      copy);
  return copy;
}
// What is looked for in leaves has a name: a lambda would be compiled for each call, once for each type of array.
struct recorded_leaf {
  bool yes = false;
  template <class A> constexpr void operator()(A const& x) {
    if constexpr (any_array<A>) yes = yes || access::traced(x).g != nullptr;
  }
};
/// Is one of these trees already a part of a graph?
template <class... T> constexpr bool is_recorded(T const&... trees) {
  recorded_leaf look;
  (tree::for_each(look, trees), ...);
  return look.yes;
}

/// Is what a transform of these trees gives a part of a graph: by its arguments, or by what its function may capture?
template <class... T> constexpr bool is_recording(T const&... trees) {
  if (!__builtin_is_constant_evaluated() && running) return true;
  return is_recorded(trees...);
}

template <class> inline constexpr bool among_leaves = false;
template <class... Leaf> inline constexpr bool among_leaves<std::tuple<Leaf...>> = (any_array<Leaf> || ...);
/// Is there an array in one of these trees?
template <class... T> inline constexpr bool have_array =
    among_leaves<decltype(tree::leaves(std::declval<std::tuple<std::remove_cvref_t<T>...> const&>()))>;

struct graph_of_leaf {
  graph* g = nullptr;
  template <class A> constexpr void operator()(A const& x) {
    if constexpr (any_array<A>) {
      var v = tracing::resolve(access::traced(x));
      if (v.g && (!g || (g->on_heap && (!v.g->on_heap || v.g->rt)))) g = v.g;
    }
  }
};
/// The graph in which these are traced, or the one that is being recorded; null where there is none.
template <class... T> constexpr graph* graph_around(T const&... trees) {
  graph_of_leaf look;
  (tree::for_each(look, trees), ...);
  graph* g = look.g;
  if (!g && !__builtin_is_constant_evaluated() && running) g = &current(running);
  return g;
}
struct joined_graphs {
  graph* g = nullptr;
  template <class A> constexpr void operator()(A const& x) {
    var v = tracing::resolve(access::traced(x));
    if (!v.g || v.g == g) return;
    if (!g) g = v.g;
    else {
      var both[] = {{g, 0}, v};
      g = tracing::join(both, 2);
    }
  }
};
/// The graph in which to write what these give: theirs, joined, or the one that is being recorded, or a new one.
/// Release it.
template <class... T> constexpr graph* graph_of(T const&... trees) {
  joined_graphs join;
  (tree::for_each(join, trees), ...);
  graph* g = join.g;
  if (!g && !__builtin_is_constant_evaluated() && running) g = &current(running);
  if (g) tracing::retain(g);
  else if (__builtin_is_constant_evaluated()) g = graph::make({64, 192, 384, 64});
  else g = new_recording();
  return g;
}

/// The value of a leaf in g: constants and numbers are taken in.
template <class A> constexpr var value_in(graph& g, A const& a) {
  var v = tracing::resolve(access::traced(a));
  if (v.g) {
    if (v.g != &g) {
      var both[] = {{&g, 0}, v};
      tracing::join(both, 2);
      v = tracing::resolve(v);
    }
    return v;
  }
  if (__builtin_is_constant_evaluated()) return ops::full_anew(&g, A::type, to_bits(A::type.d, access::number(a)));
  return record(numbers_of(a), &g);
}

/// Ids of leaves as a short list on the stack of the transform: bounded by the type of the tree.
template <int N> struct vars {
  var v[N == 0 ? 1 : N]{};
  int n = 0;
  constexpr void push(var x) { v[n++] = x; }
  constexpr void resolve() {
    for (int i = 0; i < n; ++i) v[i] = tracing::resolve(v[i]);
  }
};

}  // namespace etna::transform
