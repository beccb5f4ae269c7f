// SPDX-License-Identifier: BSD-3-Clause
// Collectives over an axis that has a name, from and to one of its examples, or ranks, as programmers of MPI have them:
// pbroadcast, preduce, pscatter, pgather. Read next: <etna/nn/loss.hpp>.
#pragma once
#include "exchange.hpp"

namespace etna {
namespace control {

/// The value where this one is the root, elsewhere zeros. A root that is not on the axis would give zeros to all.
constexpr var at_root(var v, found_axis const& a, int root) {
  if (root < 0 || (a.size > 0 && root >= a.size)) {
    if (!__builtin_is_constant_evaluated())
      message::raise<111>("root " + std::to_string(root) + " of " + std::to_string(a.size));
    tracing::refuse<message::not_on_the_axis>(v.g);
    return v;
  }
  var const index = index_of(*v.g, a, root + 1);
  var const here = ops::eq(index, ops::full_like(index, double(root)));
  tensor_type const t = tracing::type_of(v);
  return ops::select(ops::broadcast(here, t.with(dtype::boolean), nullptr), v, ops::full_like(v, 0));
}

}  // namespace control

/// pbroadcast<"i"_n>(tree, root): the root's value, for all.
///
/// diff    linear
/// errors  E078 there is no axis with this name, E094 it has no such place (E111 at run time; E168 where the mesh's
///         axis is open); so for the three that follow
/// source  JAX lax.pbroadcast, MPI_Bcast
template <extent Name, class T> constexpr auto pbroadcast(T const& t, int root = 0) {
  return control::leaves_over_axis<Name>(t, [&](tracing::var v, control::found_axis const& a) {
    return control::summed{}(control::at_root(v, a, root), a);
  });
}
/// preduce<"i"_n>(tree, root): the sum, for the root; zeros for the others.
///
/// source  MPI_Reduce
template <extent Name, class T> constexpr auto preduce(T const& t, int root = 0) {
  return control::leaves_over_axis<Name>(t, [&](tracing::var v, control::found_axis const& a) {
    return control::at_root(control::summed{}(v, a), a, root);
  });
}
/// pgather<"i"_n, N>(tree, root): the values of all N, for the root; zeros for the others.
///
/// shape   [...] -> [N, ...]
/// source  MPI_Gather
template <extent Name, extent N, class T> constexpr auto pgather(T const& t, int root = 0) {
  return control::leaves_over_axis<Name>(all_gather<Name, N>(t), [&](tracing::var v, control::found_axis const& a) {
    return control::at_root(v, a, root);
  });
}
/// pscatter<"i"_n>(tree, root): this one's part of what the root has, a slice of the first axis.
///
/// shape   [N, ...] -> [...]
/// source  MPI_Scatter
template <extent Name, tree_of_parts T> constexpr auto pscatter(T const& t, int root = 0) {
  return psum_scatter<Name>(control::leaves_over_axis<Name>(
      t, [&](tracing::var v, control::found_axis const& a) { return control::at_root(v, a, root); }));
}

}  // namespace etna
