// SPDX-License-Identifier: BSD-3-Clause
// One peer of the bench as a process: `bench etna` or `bench cpp`. Reads lines "NAME SECONDS"; answers with one line each:
// the two numbers of the check for 0 seconds, else the median microseconds of a call; "none" where the peer has no such job.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <optional>
#include <sstream>

#include "job.hpp"

namespace {

using clock_type = std::chrono::steady_clock;
double since(clock_type::time_point t) { return std::chrono::duration<double>(clock_type::now() - t).count(); }

// Over groups of `inner` calls, after a warm-up of a quarter of the time: as the peers in Python do.
double median(bench::job const& j, double seconds) {
  for (auto t = clock_type::now(); since(t) < seconds / 4;) j.call();
  std::vector<double> times;
  for (auto t = clock_type::now(); since(t) < seconds || times.size() < 3;) {
    auto begin = clock_type::now();
    for (int i = 0; i < j.inner; ++i) j.call();
    times.push_back(since(begin) / j.inner * 1e6);
  }
  auto middle = times.begin() + std::ptrdiff_t(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  return *middle;
}

}  // namespace

int main(int argc, char** argv) {
  std::string const peer = argc > 1 ? argv[1] : "etna";
  std::string line, name, made;
  std::optional<bench::job> job;  // the latest: its inputs stay until another is asked for
  while (std::getline(std::cin, line)) {
    double seconds = 0;
    std::istringstream(line) >> name >> seconds;
    auto found = bench::table().find({peer, name});
    if (found == bench::table().end()) {
      std::printf("none\n");
    } else {
      if (made != name) {
        job.reset();
        job = found->second();
        made = name;
      }
      if (seconds > 0) std::printf("%.6g\n", median(*job, seconds));
      else {
        auto [magnitudes, squares] = job->check();
        std::printf("%.12g %.12g\n", magnitudes, squares);
      }
    }
    std::fflush(stdout);
  }
}
