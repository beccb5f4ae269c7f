// SPDX-License-Identifier: BSD-3-Clause
// pmap: every process calls the function on its own arrays. Read next: <etna/interop/span.hpp>.
#pragma once
#include <etna/set_aside.hpp>

#include "over_mesh.hpp"

namespace etna::dist {

/// pmap<"i"_n>(f): f compiled, as each process calls it on its own arrays, together with all others; inside,
/// psum<"i"_n> and its like go over all processes of the mesh<"i"_n> that lives.
///
///     dist::mesh<"i"_n> const all(*ranks);
///     constexpr auto step = dist::pmap<"i"_n>([](params const& p, images const& x, labels const& y) {
///       auto const [loss, gradient] = value_and_grad(loss_of)(p, x, y);
///       return std::pair{pmean<"i"_n>(loss), pmean<"i"_n>(gradient)};
///     });
///
/// What vmap<0>(f, axis_name<"i"_n>) gives on the arrays of all processes, one behind the other, each process has its
/// part of. psum's transpose is psum, as under vmap.
///
/// diff    inside as under vmap; from outside too: gradients are by this process's own arrays (JAX adds up those of
///         in_axes None: that is shard_map with spec<>)
/// errors  as jit; E172 no mesh<"i"_n> lives, E168 to E170 of its group; E187 a collective under a branch
/// source  JAX pmap
/// example test/ranks/collectives.cpp  [each collective, beside vmap]
template <axis Name, class F> constexpr auto pmap(F f) {
  return etna::jit(detail::over_mesh<mesh<Name>, detail::own_arrays, F>{f});
}

}  // namespace etna::dist

#include <etna/set_back.hpp>
