// SPDX-License-Identifier: BSD-3-Clause
// How an equation is read (eqn) and written (emit). `emit` is declared here and defined in
// ops/table.hpp, since a new equation asks its row for its shape and, under vmap, for its batch rule.
#pragma once
#include "graph.hpp"

namespace etna::tracing {

inline constexpr int max_operands = 8;
inline constexpr int max_results = 2;
inline constexpr int input_op = 0;  // the primitive that stands for a value that no equation computes
inline constexpr int stand_in = -1, unknown_input = -2;  // its number, where it is no argument of the program

/// A pointer to an object or a function that may not be there, which a flag says: under -fsanitize=undefined g++ takes
/// no comparison with null for a constant if the address is that of an inline variable or a member of a template.
template <class T> struct maybe {
  T* at = nullptr;
  bool there = false;
  constexpr maybe() = default;
  constexpr maybe(std::nullptr_t) {}
  constexpr maybe(T& x) : at(&x), there(true) {}
  constexpr explicit operator bool() const { return there; }
  constexpr operator T*() const { return at; }
  constexpr T* operator->() const { return at; }
};

/// Write the equation `op in...` and return its first result (others follow by id).
///
/// known   the result's type where the caller knows it; otherwise the row's shape rule finds it
/// home    the graph to write to; by default that of the operands
constexpr var emit(int op, var const* in, int n, std::int64_t const* attr, int n_attr,
                   maybe<tensor_type const> known = {}, graph* home = nullptr);

/// An equation as rules see it: e[0], e[1] are its operands.
struct eqn {
  graph* g;
  int node;
  constexpr node_info const& info() const { return g->nodes[node]; }
  constexpr int count() const { return info().operands; }
  constexpr var operator[](int k) const { return {g, g->edges[info().edge + k]}; }
  constexpr var out(int k = 0) const { return {g, info().value + k}; }
  constexpr tensor_type const& type(int k) const { return g->values[g->edges[info().edge + k]].type; }
  constexpr tensor_type const& out_type(int k = 0) const { return g->values[info().value + k].type; }
  constexpr std::int64_t attr(int i) const { return g->attrs[info().attr + i]; }
  constexpr std::int64_t const* attrs() const { return g->attrs + info().attr; }
  constexpr int attr_count() const { return info().attrs; }
};

/// An equation with some operands batched (mapped axis in front), as batch rules see it.
struct batched_eqn : eqn {
  var const* in;
  bool const* is_batched;
  extent size;
};

}  // namespace etna::tracing
