// SPDX-License-Identifier: BSD-3-Clause
// What derivatives from outside of a function over a mesh need: where arrays go in and come out that several processes
// have alike. Read next: over_mesh.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <etna/group/mesh.hpp>
#include <etna/ops/mesh_place.hpp>
#include <etna/transform/capture.hpp>

namespace etna::dist::detail {

/// The floating leaves of a tree, on their way in or out, along the axes of the mesh that `named` has not (as bits).
template <any_mesh M> struct border {
  int named;
  bool out;

  template <class A> constexpr A operator()(A const& x) const {
    if constexpr (!any_array<A>) return x;
    else if constexpr (!is_floating(A::type.d)) return x;
    else {
      tracing::var v = tracing::resolve(etna::detail::access::traced(x));
      if (!v.g) return x;
      for (int k = 0; k < M::axes; ++k)
        if (!(named >> k & 1) && M::of[k].size != 1) v = ops::mesh_border_p::of(v, {k, M::type}, out, M::of[k].size);
      return etna::detail::access::from<A>(v);
    }
  }
};

}  // namespace etna::dist::detail

#include <etna/set_back.hpp>
