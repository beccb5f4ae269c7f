// SPDX-License-Identifier: BSD-3-Clause
// One peer of the bench as a process: `bench etna`, `bench cpp` or `bench xtensor`. Reads lines "NAME SECONDS"; answers
// with one line each: the two numbers of the check for 0 seconds, else the median microseconds of a call; "none" where
// the peer has no such job. For -N seconds it makes N calls, and answers with the bits of the check: for bench/record,
// which counts instructions.
#include <cstdio>
#include <iostream>
#include <optional>
#include <sstream>

#include "../timing.hpp"
#include "job.hpp"

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
      for (int call = 0; call < int(-seconds); ++call) job->call();
      if (seconds > 0) std::printf("%.6g\n", bench::median(job->call, job->inner, seconds));
      else {
        auto [magnitudes, squares] = job->check();
        std::printf(seconds < 0 ? "%a %a\n" : "%.12g %.12g\n", magnitudes, squares);
      }
    }
    std::fflush(stdout);
  }
}
