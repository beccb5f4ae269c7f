// SPDX-License-Identifier: BSD-3-Clause
// One step of Adam for a network of 378,526,058 parameters: time, and resident memory against the peak that the plan
// states. Needs 10 GiB of memory; 6 with recomputation, by checkpoints in the model (again) or by a budget (fit).
// Run: bench_full_size [STEPS] [again | fit]
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <etna/etna.hpp>
#include <etna/exec/fit.hpp>

#include "../run/job.hpp"
#include "full_size.hpp"

namespace {

using namespace test::full_size;
using bench::filled;
template <int In, int Out> void start(layer<In, Out>& l, unsigned seed) {
  l.w = filled<array<float, In, Out>>(seed, 0.1);
}

/// The most memory that was resident so far, in bytes; 0 where the system does not say.
double most_resident() {
  std::FILE* f = std::fopen("/proc/self/status", "r");
  char line[256];
  long kib = 0;
  while (f && std::fgets(line, sizeof line, f))
    if (std::sscanf(line, "VmHWM: %ld", &kib) == 1) break;
  if (f) std::fclose(f);
  return 1024.0 * double(kib);
}

constexpr auto step_in_six = fit<6 * GiB>(step<false>);

template <auto const& Step> void run(int steps) {
  using plan = plan_type<decltype(Step)>;
  constexpr double gib = 1 << 30;
  std::printf("plan: peak %.3f GiB, %.1f TFLOP\n", double(plan::peak_bytes) / gib, double(plan::flops) / 1e12);
  net p;
  unsigned seed = 1;
  start(p.in, seed++);
  for (auto& l : p.inner) start(l, seed++);
  start(p.out, seed++);
  auto s = optimizer.init(p);
  auto const x = filled<batch>(seed, 2);
  auto const y = filled<targets>(seed + 1, 2);
  for (int k = 0; k < steps; ++k) {
    auto begin = std::chrono::steady_clock::now();
    auto [q, next, value] = Step(std::move(p), std::move(s), x, y);
    double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    p = std::move(q);
    s = std::move(next);
    std::printf("step %d: loss %.6f, %.1f s, %.1f GFLOP/s; resident %.3f GiB, %.3f of the plan's peak\n", k + 1,
                double(value), seconds, double(plan::flops) / seconds / 1e9, most_resident() / gib,
                most_resident() / double(plan::peak_bytes));
    std::fflush(stdout);
  }
}

}  // namespace

int main(int n, char** arguments) {
  int steps = n > 1 ? std::atoi(arguments[1]) : 1;
  char const* how = n > 2 ? arguments[2] : "";
  if (std::strcmp(how, "again") == 0) run<step<true>>(steps);
  else if (std::strcmp(how, "fit") == 0) run<step_in_six>(steps);
  else run<step<false>>(steps);
}
