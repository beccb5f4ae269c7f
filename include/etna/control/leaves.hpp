// SPDX-License-Identifier: BSD-3-Clause
// The control room: loops and branches as single equations, on trees. The user's function is called once, on values
// that stand for its arguments; what it writes becomes a block. This file is what they share. Read next: scan.hpp.
#pragma once
#include <etna/numpy/create.hpp>
#include <etna/numpy/math.hpp>
#include <etna/transform/grad.hpp>
#include <etna/transform/vmap.hpp>

namespace etna::control {

using etna::detail::access;
using ops::nested_equation;
using ops::var_list;
using tracing::graph;
using tracing::region;
using tracing::var;
using transform::current;
using transform::home;
using transform::lift;
using transform::value_in;

/// Values of a tree's leaves in g.
template <class T> constexpr void push_leaves(graph& g, T const& t, var_list& list) {
  tree::for_each([&](auto const& x) { list.push(value_in(g, transform::as_array(x))); }, t);
}
/// A tree like this one, of values that stand for leaves of these types.
template <class T> constexpr T stand_ins(graph& g, tensor_type const* types, int n, var_list& list) {
  T t{};
  int k = list.n, end = list.n + n;
  for (int i = 0; i < n; ++i) list.push(ops::argument(&g, types[i]));
  tree::for_each(
      [&](auto& x) {
        if (k < end) x = access::from<std::remove_cvref_t<decltype(x)>>(list[k++]);
      },
      t);
  return t;
}
/// A tree of this form from values that follow one another.
template <class T> constexpr T tree_from(graph& g, int first, bool recorded) {
  T t{};
  tree::for_each(
      [&](auto& x) {
        using A = std::remove_cvref_t<decltype(x)>;
        x = access::from<A>(var{&g, first++});
      },
      t);
  return transform::finish_tree(t, recorded);
}

/// Types of the values in a list, as functions that are called on stand-ins need them.
struct type_list_of {
  tensor_type* t;
  constexpr type_list_of(var const* values, int n) : t(new tensor_type[std::size_t(n + 1)]{}) {
    for (int k = 0; k < n; ++k) t[k] = tracing::type_of(values[k]);
  }
  constexpr explicit type_list_of(var_list const& values) : type_list_of(values.v, values.n) {}
  constexpr ~type_list_of() { delete[] t; }
  type_list_of(type_list_of const&) = delete;
};

/// Functions being written as the blocks of one equation. Each is called once, on values that stand for its inputs. The
/// graph may be taken in by another meanwhile, so the blocks are packed at the end.
template <int Most> class block_writer {
 public:
  constexpr explicit block_writer(graph* g) : home_(g) {}
  block_writer(block_writer const&) = delete;
  constexpr ~block_writer() {
    for (int k = 0; k < blocks_; ++k) {  // nvcc takes those behind for uninitialised
      delete[] block_[k].in;
      delete[] block_[k].out;
    }
  }
  constexpr graph& g() const { return current(home_); }

  /// The next block: f on trees of these forms, whose leaves have these types. What f gives, numbers as arrays.
  template <class... T, class F> constexpr auto write(F const& f, tensor_type const* types) {
    region r(g());
    var_list in((tree::size<T>() + ... + 0));
    auto take = [&]<class A>(std::type_identity<A>) { return stand_ins<A>(r.g(), types + in.n, tree::size<A>(), in); };
    std::tuple<T...> args{take(std::type_identity<T>{})...};
    auto y = lift(std::apply(f, args));
    var_list out(tree::size<decltype(y)>());
    push_leaves(r.g(), y, out);
    r.close();
    [[maybe_unused]] int n_in = in.n, n_out = out.n;  // nvcc sees no use
    block_[blocks_++] = {r.first, r.size(), in.give(), out.give(), n_in, n_out};
    return y;
  }
  /// At run time: has what the latest block gives first these sizes? Types have said that its names are the same.
  constexpr void agree(tensor_type const* types, int n) const {
    if (__builtin_is_constant_evaluated()) return;
    written const& b = block_[blocks_ - 1];
    for (int k = 0; k < n; ++k) {
      tensor_type const &is = tracing::type_of(b.out[k]), &should = types[k];
      for (int i = 0; i < is.rank; ++i)
        if (is.e[i] != should.e[i])
          message::raise<110>("a loop's carry, or the result of a branch or a rule, is " + std::to_string(is.e[i]) +
                              " along axis " + std::to_string(i) + " here and " + std::to_string(should.e[i]) +
                              " elsewhere");
    }
  }
  /// Types of what a block gives.
  constexpr type_list_of types(int block) const { return type_list_of(block_[block].out, block_[block].n_out); }
  /// The first result of the equation that write(nested_equation) writes.
  template <class Write> constexpr int finish(var_list const& operands, Write const& write) {
    operands.resolve();
    nested_equation e(g(), blocks_);
    for (int k = 0; k < blocks_; ++k) {
      written& b = block_[k];
      var_list in(b.in, b.n_in), out(b.out, b.n_out);
      b.in = b.out = nullptr;
      in.resolve();
      out.resolve();
      tracing::range r = tracing::range_from(b.first, e.g.depth);
      r.end = r.begin + b.size;  // other blocks lie behind
      e.pack(r, in, out);
    }
    return write(e);
  }

 private:
  // no lists: nvcc 13.0 destroys one element alone of an array of objects in constant evaluation
  struct written {
    var first;
    int size;
    var *in, *out;
    int n_in, n_out;
  };
  graph* home_;
  int blocks_ = 0;
  written block_[Most]{};
};

/// Types of leaves: one slice of an array along its leading axis, and an array of slices.
template <class T> constexpr auto slices_of(T const& t) {
  return tree::map(
      [](auto const& x) {
        using A = std::remove_cvref_t<decltype(x)>;
        return array_of<transform::without_axis<A, 0>>{};
      },
      t);
}
template <class T> using slice_of = decltype(slices_of(std::declval<T const&>()));
template <extent N, class T> constexpr auto stacks_of(T const& t) {
  return tree::map(
      [](auto const& x) {
        using A = std::remove_cvref_t<decltype(transform::as_array(x))>;
        return array_of<transform::with_axis<A, 0, N>>{};
      },
      t);
}
template <extent N, class T> using stack_of = decltype(stacks_of<N>(std::declval<T const&>()));

template <class T> using lifted = std::remove_cvref_t<decltype(lift(std::declval<T const&>()))>;

}  // namespace etna::control
