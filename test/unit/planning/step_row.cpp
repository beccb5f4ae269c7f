// SPDX-License-Identifier: BSD-3-Clause
// A kind of step that has its body in its row: planned by hand, run in parts that threads share, and where it is
// called. The library's own kinds are tested by what runs them (planning/ and exec/), and their columns by
// exec/explain.cpp.
#include <etna/exec/explain.hpp>

#include "same.hpp"

using namespace test;
using planning::plan, planning::step, planning::step_body, planning::step_loop, planning::view_in_step;

namespace {

/// A row of numbers, each times two.
struct twice_step : planning::step_defaults {
  static constexpr const char* name(plan const&, step const&) { return "twice"; }
  static constexpr void write(planning::planner&, int) {}
  static constexpr int loops(plan const&, step const& s, step_loop* l) {
    l[0] = {s.loop[0], false};
    return 1;
  }
  static constexpr int walked(plan const&, step const& s, int, step_loop const*, extent* e) {
    e[0] = s.loop[0];
    return 1;
  }
  static constexpr planning::step_flops flops(plan const&, step const&) { return {1, 0}; }
  static double work(step_body const& b) { return double(b.loop[0]); }
  static std::int64_t units(step_body const& b) { return (b.loop[0] + 99) / 100; }
  static void run(step_body const& b, std::int64_t from, std::int64_t to) {
    auto const* x = static_cast<float const*>(b.memory[0]);
    auto* y = static_cast<float*>(b.memory[1]);
    for (extent i = 100 * from; i < std::min<extent>(100 * to, b.loop[0]); ++i) y[i] = 2 * x[i];
  }
};
static_assert(planning::step_row<twice_step>);

template <extent N> struct one_step {
  static constexpr auto value = [] {
    planning::plan_storage<1, 2, 2, 1, 1, 1, 1> p{};
    p.frames[0] = {.step = 0, .steps = 1, .buffer = 0, .buffers = 2, .result = 1, .arena = 0};
    p.buffers[0] = {planning::buffer::argument, dtype::f32, N, 0, 0, 0, 0, 0, -1};
    p.buffers[1] = {planning::buffer::result, dtype::f32, N, 0, 0, 0, 0, 0, -1};
    p.views[0].buffer = 0;
    p.views[1].buffer = 1;
    p.steps[0].inputs = p.steps[0].outputs = 1;
    p.steps[0].loop[0] = N;
    p.n_steps = p.n_frames = 1;
    p.n_buffers = p.n_views = 2;
    p.is_static = true;
    return p;
  }();
};

template <extent N> void is_twice(bool in_a_function) {
  auto const x = some<array<float, N>>(1);
  array<float, N> y = zeros<float, N>();
  void* at[] = {const_cast<float*>(x.data()), detail::access::writable(y)};
  auto const& p = one_step<N>::value;
  exec::plan_view const view{plan(p), 1, 2, nullptr, nullptr, nullptr, nullptr, nullptr};
  ext::bindings const size;
  exec::running const call{view, view.buffers, at, nullptr, size};
  exec::run_body<twice_step>({view, view.steps[0], at, size, in_a_function ? nullptr : &call, view.frames});
  CHECK(same_bits(y, x * 2.0f));
}

}  // namespace

TEST_CASE("a step whose row has its body") {
  for (bool in_a_function : {false, true}) {
    is_twice<1>(in_a_function);
    is_twice<250>(in_a_function);
    is_twice<1000000>(in_a_function);
  }
}
TEST_CASE("the columns of a row are what costs are made of") {
  auto const& p = one_step<250>::value;
  step_loop l[planning::most_loops];
  extent e[planning::most_loops];
  CHECK(twice_step::loops(plan(p), p.steps[0], l) == 1);
  CHECK(twice_step::walked(plan(p), p.steps[0], 0, l, e) == 1);
  CHECK(e[0] == 250);
  CHECK(twice_step::starts_from(p.steps[0]) == -1);
  CHECK(twice_step::statements(plan(p), nullptr, p.steps[0]) == -1);
}
