// SPDX-License-Identifier: BSD-3-Clause
// Kokkos' tools: what runs without Kokkos' parallel_for is told to them too; and hooks for a tool inside the program,
// beside one that is loaded. Read next: launch.hpp.
#pragma once
#include "space.hpp"

namespace etna::exec {

/// While this lives, a tool sees a kernel of this name. Where none is loaded it costs one branch.
///
/// Not inside of somebody's parallel region: Kokkos has a fence in front of what a tool sees, which would wait for that
/// region.
class seen_by_tool {
 public:
  template <class Label> explicit seen_by_tool(Label const& name) : on_(Kokkos::Tools::profileLibraryLoaded()) {
    if (on_) [[unlikely]] {
      on_ = !in_parallel();
      if (on_) Kokkos::Tools::beginParallelFor(name.text(), 0, &id_);
    }
  }
  seen_by_tool(seen_by_tool const&) = delete;
  ~seen_by_tool() {
    if (on_) [[unlikely]]
      Kokkos::Tools::endParallelFor(id_);
  }

 private:
  bool on_;
  std::uint64_t id_ = 0;
};

/// A tool in the program itself: while this lives, begin and end are called around kernels ("kernel"), copies of views
/// ("copy") and regions ("region"), in the thread that starts them. What was set before is called as well.
class tool_hooks {
 public:
  using begin_function = void (*)(char const* category, char const* name);
  using end_function = void (*)(char const* category);

  /// At most one lives at a time: its user sees to that.
  tool_hooks(begin_function begin, end_function end) {
    using namespace Kokkos::Tools::Experimental;
    before_ = get_callbacks();
    begin_ = begin;
    end_ = end;
    set_begin_parallel_for_callback(&kernel_begins<&EventSet::begin_parallel_for>);
    set_end_parallel_for_callback(&kernel_ends<&EventSet::end_parallel_for>);
    set_begin_parallel_reduce_callback(&kernel_begins<&EventSet::begin_parallel_reduce>);
    set_end_parallel_reduce_callback(&kernel_ends<&EventSet::end_parallel_reduce>);
    set_begin_parallel_scan_callback(&kernel_begins<&EventSet::begin_parallel_scan>);
    set_end_parallel_scan_callback(&kernel_ends<&EventSet::end_parallel_scan>);
    set_push_region_callback(&region_begins);
    set_pop_region_callback(&region_ends);
    set_begin_deep_copy_callback(&copy_begins);
    set_end_deep_copy_callback(&copy_ends);
  }
  tool_hooks(tool_hooks const&) = delete;
  ~tool_hooks() { Kokkos::Tools::Experimental::set_callbacks(before_); }

 private:
  using set = Kokkos::Tools::Experimental::EventSet;
  using space = Kokkos::Tools::SpaceHandle;
  static inline set before_{};
  static inline begin_function begin_ = nullptr;
  static inline end_function end_ = nullptr;

  template <auto Before> static void kernel_begins(char const* name, std::uint32_t device, std::uint64_t* id) {
    if (auto const f = before_.*Before) f(name, device, id);
    begin_("kernel", name);
  }
  template <auto Before> static void kernel_ends(std::uint64_t id) {
    end_("kernel");
    if (auto const f = before_.*Before) f(id);
  }
  static void region_begins(char const* name) {
    if (before_.push_region) before_.push_region(name);
    begin_("region", name);
  }
  static void region_ends() {
    end_("region");
    if (before_.pop_region) before_.pop_region();
  }
  static void copy_begins(space to_space, char const* to, void const* to_at, space from_space, char const* from,
                          void const* from_at, std::uint64_t bytes) {
    if (before_.begin_deep_copy) before_.begin_deep_copy(to_space, to, to_at, from_space, from, from_at, bytes);
    begin_("copy", (std::string(to) + " = " + from).c_str());
  }
  static void copy_ends() {
    end_("copy");
    if (before_.end_deep_copy) before_.end_deep_copy();
  }
};

}  // namespace etna::exec
