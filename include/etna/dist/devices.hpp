// SPDX-License-Identifier: BSD-3-Clause
// How many processes a mesh has, which of them this is, and where each is. Read next: spec.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <array>

#include <etna/group/mesh.hpp>
#include <etna/array/array.hpp>

namespace etna::dist {

/// This process's number, and how many there are, each with one device.
///
/// source  JAX process_index, process_count, device_count
template <any_mesh M> int process_index(M const& m) { return m.all().rank(); }
template <any_mesh M> int process_count(M const& m) { return m.all().size(); }
template <any_mesh M> int device_count(M const& m) { return m.all().size(); }
/// The numbers of the mesh's devices, at their places.
///
/// source  JAX Mesh.devices
template <axis... A> auto devices(mesh<A...> const& m) {
  std::array<extent, sizeof...(A)> sizes;
  for (int k = 0; k < int(sizeof...(A)); ++k) sizes[std::size_t(k)] = m.size(k);
  return array<int, (A.size > 0 ? extent(A.size) : A.name)...>::build(
      [&](int* out) {
        for (int i = 0; i < m.all().size(); ++i) out[i] = i;
      },
      sizes);
}

}  // namespace etna::dist

#include <etna/set_back.hpp>
