// SPDX-License-Identifier: BSD-3-Clause
// A compiled program as it is run: its plan, a function for each of its kernels, their names, and the numbers of its
// literals. Read next: call_leaves.hpp.
#pragma once
#include <array>
#include <atomic>
#include <utility>
#include <vector>

#include "run_inlined.hpp"

namespace etna::exec {

/// Do its units have sums that are joined at last?
template <class Loops> inline constexpr bool sums_join = false;
template <class Loops> requires requires { Loops::sums_join; }
inline constexpr bool sums_join<Loops> = Loops::sums_join;

/// Start a kernel on the device; the sums of long rows' parts lie in memory that is kept until all is waited for.
template <class Kernel> inline void start_kernel(label const& name, lower::loop_numbers& c) {
  using loops = typename lower::fused_body<Kernel>::loops;
  std::int64_t const units = loops::units(c);
  std::int64_t bytes = 0;
  if constexpr (sums_join<loops>) bytes = loops::bytes_of_sums(c) * units;
  if (bytes) {
    auto& kept = in_flight::now().kept;
    kept.push_back(memory::allocate(std::size_t(bytes)));
    c.sums = kept.back()->data;
  }
  lower::fused_body<Kernel> const body(c);
  start(name.shown(), units, body);
  if constexpr (sums_join<loops>)
    if (bytes) start(name.shown(), c.rows, lower::joining_body<Kernel>{body});
}

// Kernels that are only parts of functions have none of their own.
template <class Program, int U> constexpr kernel_functions functions_of() {
  if constexpr (!planning::inlining_of<Program>.launched[U]) return {};
  else if constexpr (device::is_present)
    return {nullptr, nullptr, nullptr, nullptr, &start_kernel<lower::kernel_one_by_one<Program, U>>};
  else {
    using K = lower::host_loops<lower::kernel_t<Program, U>>;
    if constexpr (sums_join<K>) return {&K::units, &K::run, &K::bytes_of_sums, &K::join_sums, nullptr};
    else return {&K::units, &K::run, nullptr, nullptr, nullptr};
  }
}
template <class Program, int... U> constexpr auto kernel_table(std::integer_sequence<int, U...>) {
  return std::array<kernel_functions, sizeof...(U) + 1>{functions_of<Program, U>()..., kernel_functions{}};
}

/// Names of a kernel's operations, for Kokkos Tools: "dot add max".
template <class Program, int U> struct kernel_label {
  static constexpr int words = 240;
  struct text {
    char c[words + 1]{};
  };
  static constexpr text make() {
    text t;
    planning::kernel_words const kernel(Program::value, U);
    int n = 0;
    for (int i = 0; i < kernel.statements(); ++i) {
      const char* name = ops::names.at[kernel.head(i).op];
      if (n > 0 && n < words) t.c[n++] = ' ';
      for (; *name && n < words; ++name) t.c[n++] = *name;
    }
    return t;
  }
  static constexpr text value = make();
};

/// What a plan needs besides: the numbers of literals, and the extents that scalars stand for.
struct plan_constants {
  std::vector<void*> at;  // by buffer
  std::vector<memory_block*> kept;
  explicit plan_constants(planning::plan const& p) : at(std::size_t(p.n_buffers)) {
    for (int i = 0; i < p.n_buffers; ++i) {
      buffer const& b = p.buffers[i];
      if (b.kind != buffer::constant && b.kind != buffer::size_of) continue;
      std::int64_t const* bits = p.numbers + b.index;
      kept.push_back(memory::allocate(std::size_t((b.size > 0 ? b.size : 1) * 8)));
      void* const data = at[std::size_t(i)] = kept.back()->data;
      if (b.kind == buffer::size_of) static_cast<extent*>(data)[0] = bits[0];
      else
        for (extent k = 0; k < b.size; ++k) eager::store_bits(b.d, data, k, bits[k]);
    }
  }
  plan_constants(plan_constants const&) = delete;
  plan_constants& operator=(plan_constants const&) = delete;
  ~plan_constants() {
    for (memory_block* b : kept) release(b);
  }
};
/// Made by the first call, and as long-lived as the arrays of static storage that may use it. (The compiler's own way
/// to make a static object once has a lock, on which a child that is forked during a first call would wait for ever.)
template <class Program> void* const* constants_of() {
  static constinit std::atomic<plan_constants const*> known{nullptr};
  plan_constants const* m = known.load(std::memory_order_acquire);
  if (!m) [[unlikely]] {
    auto const* const mine = new plan_constants(planning::plan(Program::value));
    if (known.compare_exchange_strong(m, mine, std::memory_order_acq_rel, std::memory_order_acquire)) m = mine;
    else delete mine;
  }
  return m->at.data();
}
/// The constant parts of a compiled program.
template <class Program> struct compiled {
  static constexpr auto const& plan = Program::value;
  static constexpr auto kernels = kernel_table<Program>(std::make_integer_sequence<int, plan.n_kernels>{});
  template <int... U> static constexpr auto labels_of(std::integer_sequence<int, U...>) {
    return std::array<const char*, sizeof...(U) + 1>{kernel_label<Program, U>::value.c..., ""};
  }
  static constexpr int most_of(int planning::frame::*part) {
    int most = 0;
    for (int k = 0; k < plan.n_frames; ++k) most = plan.frames[k].*part > most ? plan.frames[k].*part : most;
    return most;
  }
  static constexpr int most_steps = most_of(&planning::frame::steps),
                       most_frame_buffers = most_of(&planning::frame::buffers);
  static constexpr auto functions = functions_of_steps<Program>(planning::step_kinds{});
  static constexpr auto labels = labels_of(std::make_integer_sequence<int, plan.n_kernels>{});
  static plan_view view() {
    void* const* constants = nullptr;
    if constexpr (plan.has_constants) constants = constants_of<Program>();
    void (*nested)(running const&, step const&) = nullptr;
    if constexpr (plan.n_frames > 1) nested = &run_nested_of<Program, running>;
    return {planning::plan(plan), most_steps, most_frame_buffers, kernels.data(),
            labels.data(),        constants,  functions.data(),   nested};
  }
};

}  // namespace etna::exec
