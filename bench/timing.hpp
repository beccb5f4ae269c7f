// SPDX-License-Identifier: BSD-3-Clause
// Time of a call, as all benches take it.
#pragma once
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <utility>
#include <vector>

namespace bench {

using clock_type = std::chrono::steady_clock;
inline double since(clock_type::time_point t) { return std::chrono::duration<double>(clock_type::now() - t).count(); }

/// The median of some.
inline double middle(std::vector<double> v) {
  auto at = v.begin() + std::ptrdiff_t(v.size() / 2);
  std::nth_element(v.begin(), at, v.end());
  return *at;
}

/// Median microseconds of a call, over groups of `inner` calls, after a warm-up of a quarter of the time: as the peers
/// in Python do.
template <class Call> double median(Call const& call, int inner, double seconds) {
  for (auto t = clock_type::now(); since(t) < seconds / 4;) call();
  std::vector<double> times;
  for (auto t = clock_type::now(); since(t) < seconds || times.size() < 3;) {
    auto begin = clock_type::now();
    for (int i = 0; i < inner; ++i) call();
    times.push_back(since(begin) / inner * 1e6);
  }
  return middle(std::move(times));
}

}  // namespace bench
