// SPDX-License-Identifier: BSD-3-Clause
// A program of bench/wide, as maps.py and arrays.py have it for JAX: inputs by formula, then for each result its sum,
// the sum of magnitudes, and its first, middle and last number; then the median, the least milliseconds and the calls.
#pragma once
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include <etna/etna.hpp>
#if defined(WIDE_EXPLAIN)
#include <etna/exec/explain.hpp>
#endif

namespace wide {

using namespace etna;

inline std::map<std::string, void (*)(double seconds)>& table() {
  static std::map<std::string, void (*)(double)> all;
  return all;
}
struct entry {
  entry(char const* name, void (*run)(double)) { table()[name] = run; }
};

/// maps.py's u01.
inline double u01(std::uint64_t i, std::uint64_t seed) {
  std::uint64_t x = (i + ((seed * 0x9E3779B9u) & 0xffffffffu)) & 0xffffffffu;
  x ^= x >> 16;
  x = (x * 0x7feb352du) & 0xffffffffu;
  x ^= x >> 15;
  x = (x * 0x846ca68bu) & 0xffffffffu;
  x ^= x >> 16;
  return double(x) / 4294967296.0;
}
template <class A> A uniform(std::uint64_t seed, double lo, double hi) {
  return A::build([&](auto* out) {
    for (extent i = 0; i < A::type.size(); ++i)
      out[i] = typename A::value_type(lo + (hi - lo) * u01(std::uint64_t(i), seed));
  });
}
/// arrays.py's fill and fill_int.
inline double filled(std::uint32_t i, std::uint32_t k) {
  std::uint32_t u = i * 2654435761u + k * 40503u;
  u ^= u >> 16;
  u *= 0x85ebca6bu;
  u ^= u >> 13;
  u *= 0xc2b2ae35u;
  u ^= u >> 16;
  return u / 4294967296.0 * 2 - 1;
}
template <class A> A fill(std::uint32_t k, double scale = 1) {
  return A::build([&](auto* out) {
    for (extent i = 0; i < A::type.size(); ++i) out[i] = typename A::value_type(filled(std::uint32_t(i), k) * scale);
  });
}
template <class A> A fill_int(std::uint32_t k, int m) {
  return A::build([&](int* out) {
    for (extent i = 0; i < A::type.size(); ++i)
      out[i] = std::min(int((double(float(filled(std::uint32_t(i), k))) + 1) / 2 * m), m - 1);
  });
}

template <class Tree> void report(Tree const& results) {
  int i = 0;
  tree::for_each(
      [&](auto const& a) {
        double sum = 0, magnitudes = 0;
        extent const n = a.size();
        for (extent k = 0; k < n; ++k) {
          sum += double(a.data()[k]);
          magnitudes += std::abs(double(a.data()[k]));
        }
        std::printf("R %d %.15g %.15g %.15g %.15g %.15g\n", i++, sum, magnitudes, double(a.data()[0]),
                    double(a.data()[n / 2]), double(a.data()[n - 1]));
      },
      results);
}
/// f(x...), once for its numbers, then for so many seconds.
template <class F, class... X> void run(double seconds, F const& f, X const&... x) {
  using clock = std::chrono::steady_clock;
  report(f(x...));
  if (seconds <= 0) return;
  for (int i = 0; i < 2; ++i) f(x...);
  std::vector<double> all;
  auto const begin = clock::now();
  while (all.size() < 9 || std::chrono::duration<double>(clock::now() - begin).count() < seconds) {
    auto const before = clock::now();
    auto const results = f(x...);
    all.push_back(std::chrono::duration<double>(clock::now() - before).count() * 1e3);
  }
  std::sort(all.begin(), all.end());
  std::printf("T %.4f %.4f %zu\n", all[all.size() / 2], all[0], all.size());
}
/// In place of seconds: the plan, and (with -DWIDE_EXPLAIN) the time of each kernel, or what the plan moves, as JSON.
inline constexpr double show_steps = -1, show_kernels = -2, show_bytes = -3;
template <class F, class... X> void run_or_show(double seconds, F const& f, X const&... x) {
#if defined(WIDE_EXPLAIN)  // a third of the time that such a file takes to compile
  if (seconds == show_kernels) std::printf("%s\n", explain(f, x...).text().c_str());
  else if (seconds == show_bytes) {
    explanation const e = explain<X...>(f);
    std::printf("%s%ld %ld\n", e.json().c_str(), long(e.argument_bytes.number()), long(e.arena_bytes.number()));
  } else
#endif
      if (seconds < 0)
    std::printf("%s\n", std::string(show_plan(f, x...)).c_str());
  else run(seconds, f, x...);
}

}  // namespace wide
