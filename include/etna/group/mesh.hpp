// SPDX-License-Identifier: BSD-3-Clause
// Processes in rows and columns: a mesh, whose axes have names. A process group for each axis has the processes that
// differ along it alone. Read next: <etna/tracing/graph.hpp>.
#pragma once
#include <etna/set_aside.hpp>

#include <memory>
#include <string>

#include "process_group.hpp"
#include <etna/array/binding.hpp>
#include <etna/message/runtime.hpp>

namespace etna::dist {

/// An axis of a mesh: its name, and how many processes are along it. 0: as many as are left when the program starts.
struct axis {
  extent name = 0;
  int size = 0;
  constexpr axis() = default;
  constexpr axis(extent name, int size = 0) : name(name), size(size) {}
  constexpr bool operator==(axis const&) const = default;
};

/// A mesh that lives, as compiled programs look for it: by a number that stands for its axes.
class living_mesh {
 public:
  static constexpr int most_axes = 4;
  living_mesh(living_mesh const&) = delete;
  living_mesh& operator=(living_mesh const&) = delete;
  process_group& along(int k) const { return *along_[k]; }

  /// The one of these axes that was made last; null where there is none.
  static living_mesh* find(std::int64_t type) {
    living_mesh* m = latest;
    while (m && m->type_ != type) m = m->before_;
    return m;
  }

 protected:
  explicit living_mesh(std::int64_t type) : type_(type), before_(latest) { latest = this; }
  ~living_mesh() {
    living_mesh** m = &latest;
    while (*m != this) m = &(*m)->before_;
    *m = before_;
  }
  process_group* along_[most_axes]{};

 private:
  std::int64_t type_;
  living_mesh* before_;
  static inline living_mesh* latest = nullptr;
};

namespace detail {
/// The place of a process along axis k of so many sizes, the last axis fastest.
constexpr int place_along(int rank, int const* size, int n, int k) {
  for (int i = n - 1; i > k; --i) rank /= size[i];
  return rank % size[k];
}
/// Sizes of the axes; false where the processes are not so many.
constexpr bool sizes_of(axis const* a, int n, int processes, int* size) {
  int known = 1, open = -1;
  for (int k = 0; k < n; ++k) {
    size[k] = a[k].size;
    if (a[k].size > 0) known *= a[k].size;
    else open = k;
  }
  if (open < 0) return known == processes;
  size[open] = processes / known;
  return size[open] > 0 && known * size[open] == processes;
}
}  // namespace detail

/// Processes along axes that have names, the last axis fastest: rank 3 of mesh<axis("data"_n, 2), axis("model"_n, 2)>
/// is at data 1, model 1.
///
///     auto const ranks = dist::world();
///     dist::mesh<"data"_n> const m(*ranks);                                              // as many as were started
///     dist::mesh<dist::axis("data"_n, 2), dist::axis("model"_n, 2)> const of_four(*ranks);  // four
///
/// A size that is written is known while the program compiles, so that a shape that it does not divide is an error
/// there; one axis may be left open. Functions over a mesh of this type run on the one that was made last and lives.
///
/// group   outlives the mesh; all of its processes make it
/// errors  E171 the group has another number of processes; E172 no mesh of this type lives (from current)
/// source  JAX Mesh, MPI_Cart_create
/// example test/ranks/meshes.cpp  [places and groups of a mesh]
template <axis... A> class mesh : public living_mesh {
 public:
  static constexpr int axes = sizeof...(A);
  static constexpr axis of[axes] = {A...};
  static_assert(axes > 0 && axes <= most_axes, "a mesh has one to four axes");
  static_assert(((A.size == 0) + ...) <= 1, "one axis of a mesh may be left open: write the sizes of the others");

  /// The number that stands for these axes (FNV-1a).
  static constexpr std::int64_t type = [] {
    std::uint64_t sign = 14695981039346656037ull;
    for (axis const& a : of)
      for (std::uint64_t word : {std::uint64_t(a.name), std::uint64_t(a.size)}) sign = (sign ^ word) * 1099511628211ull;
    return std::int64_t(sign);
  }();

  explicit mesh(process_group& all) : living_mesh(type), all_(&all) {
    if (!detail::sizes_of(of, axes, all.size(), size_))
      message::raise<171>(what() + ", " + std::to_string(all.size()) + (all.size() == 1 ? " process" : " processes"));
    for (int k = 0; k < axes; ++k) {
      place_[k] = detail::place_along(all.rank(), size_, axes, k);
      if (axes == 1) along_[k] = &all;
    }
    for (int k = 0, below = all.size(); axes > 1 && k < axes; ++k) {
      below /= size_[k];  // how far neighbours along it are from one another
      own_[k] = all.split(all.rank() - place_[k] * below, place_[k]);
      along_[k] = own_[k].get();
    }
  }

  /// Which axis has this name; -1: none.
  static constexpr int find(extent name) {
    for (int k = 0; k < axes; ++k)
      if (of[k].name == name) return k;
    return -1;
  }
  int size(int k) const { return size_[k]; }
  /// Where this process is along axis k.
  int place(int k) const { return place_[k]; }
  process_group& all() const { return *all_; }

  static mesh const& current() {
    living_mesh const* m = living_mesh::find(type);
    if (!m) message::raise<172>(what());
    return static_cast<mesh const&>(*m);
  }

 private:
  static std::string what() {
    std::string s = "mesh of ";
    for (int k = 0; k < axes; ++k)
      s += (k ? ", " : "") + ext::text_of(of[k].name) + (of[k].size > 0 ? " " + std::to_string(of[k].size) : "");
    return s;
  }
  process_group* all_;
  std::unique_ptr<process_group> own_[most_axes];
  int size_[most_axes]{}, place_[most_axes]{};
};

namespace detail {
template <class M> struct is_mesh : std::false_type {};
template <axis... A> struct is_mesh<mesh<A...>> : std::true_type {};
}  // namespace detail
template <class M> concept any_mesh = detail::is_mesh<M>::value;

}  // namespace etna::dist

#include <etna/set_back.hpp>
