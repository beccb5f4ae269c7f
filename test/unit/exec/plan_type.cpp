// SPDX-License-Identifier: BSD-3-Clause
// Programs as types: their kernels, operations and memory are constants, and equal work is equal.
#include <doctest/doctest.h>

#include <etna/etna.hpp>

using namespace etna;

namespace {

using vec = array<float, 1000>;
constexpr auto f = [](vec x, vec y) { return sum(x * y + 1.0f); };
constexpr auto g = [](vec a, vec b) {
  vec c = a * b;
  return sum(c + 1.0f);
};
constexpr auto other = [](vec x, vec y) { return sum(x * y + 2.0f); };
constexpr auto longer = [](vec x, vec y) { return sum(x * y + 1.0f) + sum(x); };

}  // namespace

static_assert(program_of<f, vec, vec>::kernel_count == 1 && program_of<f, vec, vec>::unique_kernels == 1);
static_assert(program_of<f, vec, vec>::flops == 3 * 1000);
static_assert(program_of<f, vec, vec>::peak_bytes == 2 * 4000 + 4);
static_assert(needs_no_memory<program_of<f, vec, vec>> && needs_at_most<program_of<f, vec, vec>, 10000>);
static_assert(!needs_at_most<program_of<f, vec, vec>, 8000>);

// Equal work is equal, however it is written; a literal is a number of the call, so the kernel is one all the same.
static_assert(program_of<f, vec, vec>{} == program_of<g, vec, vec>{});
static_assert(program_of<f, vec, vec>{} != program_of<other, vec, vec>{});
static_assert(program_of<f, vec, vec>{} != program_of<longer, vec, vec>{});
static_assert(std::is_same_v<program_of<f, vec, vec>::kernel<0>, program_of<other, vec, vec>::kernel<0>>);

// What jit gives, with its own parameters or others.
constexpr auto jitted_f = jit(f);
static_assert(program_of<jitted_f>{} == program_of<f, vec, vec>{});
constexpr auto doubled = jit([](auto const& x) { return x + x; });
static_assert(program_of<doubled, vec>::kernel_count == 1);

TEST_CASE("what is asserted of a program is what runs") {
  auto const x = full<float, 1000>(2.0f);
  CHECK(jitted_f(x, x).item() == 5000);
  CHECK(show_plan(jitted_f).find("kernels 1") != std::string::npos);
}
