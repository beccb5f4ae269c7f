// SPDX-License-Identifier: BSD-3-Clause
// NumPy's .npy: one array in a file; written aside, then renamed. Read next: npz.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <filesystem>

#include <etna/data/replace.hpp>

#include "npy_format.hpp"

namespace etna {

/// Read a .npy file: load_npy<array<float, "n"_n, 28, 28>>(path).
///
/// shape   A's; a name takes the size that the file has; Fortran order is turned
/// cost    the file in memory once more than the array
/// errors  E120 missing, E128 not readable, E121 damaged (its header claims what it does not hold), E124 an element
///         type that is not read here, E125 another shape or element type, E107 too little memory
/// source  NumPy, lib/_format_impl.py, versions 1.0 to 3.0
/// example test/unit/interop/npy.cpp  [reads what NumPy wrote]
template <any_array A> A load_npy(std::filesystem::path const& path) try {
  using T = typename A::value_type;
  data::input file(path);
  auto next = [&](void* out, std::size_t n) { return file.read(out, n) == n; };
  return interop::npy_array<A>(
      interop::read_npy(next, file.size(), file.name(), interop::npy_dtype<T>(), sizeof(T), A::rank, A::type.e));
} catch (std::bad_alloc const&) { message::raise<107>(path.string()); }

/// Write an array as a .npy file (version 1.0, C order), aside and then renamed.
///
/// errors  E123 it cannot be written; what was at `path` before is then still there
template <any_array A> void save_npy(std::filesystem::path const& path, A const& x) {
  using T = typename A::value_type;
  auto const shape = x.shape();
  data::replacement file(path);
  file.write(interop::npy_start(interop::npy_dtype<T>(), {shape.begin(), shape.end()}));
  file.write(x.data(), std::size_t(x.size()) * sizeof(T));
  file.commit();
}

}  // namespace etna

#include <etna/set_back.hpp>
