// SPDX-License-Identifier: BSD-3-Clause
// A training step of the network: its plan's constants, and its bits, which must not depend on the run or on the number
// of threads. The line "bits ..." is compared between processes by cmake/same_bits.sh.
#include <doctest/doctest.h>

#include <cstdint>
#include <cstdio>

#include "mlp.hpp"
#include "numbers.hpp"

using namespace test;

namespace {

using plan = plan_type<decltype(step<float>)>;
static_assert(plan::kernel_count == kernels_of_step);
static_assert(plan::unique_kernels == unique_kernels_of_step);
static_assert(plan::arena_bytes == arena_of_step);
// Parameters are updated in place, so only one copy of them counts, with the batch, the loss and the temporaries.
constexpr extent parameters = 4 * (784 * 512 + 512 + 512 * 10 + 10), batch = 4 * (32 * 784 + 32);
static_assert(plan::donated_bytes == parameters);
static_assert(plan::peak_bytes == arena_of_step + parameters + batch + 4);

}  // namespace

TEST_CASE("twenty runs of a step, and of five steps in a row, give equal bits") {
  auto const p = start<float>();
  auto const x = images<float>(0);
  auto const y = labels(0);
  std::uint64_t const first = bits_of(step<float>(p, x, y));
  for (int i = 0; i < 20; ++i) CHECK(bits_of(step<float>(p, x, y)) == first);
  auto five = [] {
    auto q = start<float>();
    for (int s = 0; s < 5; ++s) q = step<float>(std::move(q), images<float>(s), labels(s)).first;
    return bits_of(q);
  };
  std::uint64_t const last = five();
  CHECK(five() == last);
  std::printf("bits %016llx %016llx\n", (unsigned long long)first, (unsigned long long)last);
}
