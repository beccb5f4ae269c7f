// SPDX-License-Identifier: BSD-3-Clause
// GradBench's workloads: the derivative's time divided by that of the primal by hand. Numbers are checked first.
// Run: bench_gradbench [NAME...] [--seconds S] [--rounds N]; see run.sh.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "../timing.hpp"
#include "work.hpp"

namespace {

using namespace gradbench;

struct options {
  std::vector<std::string> names;
  double seconds = 0.2;
  int rounds = 5;
};
bool read(int argc, char** argv, options& o) {
  for (int i = 1; i < argc; ++i) {
    std::string_view a = argv[i];
    if (a.substr(0, 2) != "--") o.names.emplace_back(a);
    else if (i + 1 == argc) return false;
    else if (a == "--seconds") o.seconds = std::atof(argv[++i]);
    else if (a == "--rounds") o.rounds = std::atoi(argv[++i]);
    else return false;
  }
  return o.seconds > 0 && o.rounds > 0;
}
bool asked(options const& o, std::string const& name) {
  bool r = o.names.empty();
  for (auto const& n : o.names) r = r || name.find(n) != name.npos;
  return r;
}

/// One line of the table; false where the numbers are wrong.
bool run(entry const& e, options const& o) {
  work w = e.make();
  double error = w.error();
  if (!(error <= e.tolerance)) {
    std::printf("%s %s: the derivative is wrong by %.2g of its greatest element\n", e.name.c_str(), e.size.c_str(),
                error);
    return false;
  }
  std::vector<double> hand, derivative;
  for (int i = 0; i < o.rounds; ++i) {  // in turns
    hand.push_back(bench::median(w.hand, 1, o.seconds));
    derivative.push_back(bench::median(w.derivative, 1, o.seconds));
  }
  double h = bench::middle(hand), d = bench::middle(derivative);
  std::printf("| %s | %s | %.4g | %.4g | %.3g | %.2g | %s |\n", e.name.c_str(), e.size.c_str(), h, d, d / h, e.goal,
              d / h <= e.goal ? "" : "missed");
  std::fflush(stdout);
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  options o;
  if (!read(argc, argv, o)) {
    std::fprintf(stderr, "usage: %s [NAME...] [--seconds S] [--rounds N]\n", argv[0]);
    return 2;
  }
  std::printf(
      "microseconds\n\n| workload | size | primal by hand | derivative | ratio | goal | "
      "|\n|---|---|---:|---:|---:|---:|---|\n");
  bool good = true, any = false;
  for (auto list : {lse, llsq, kmeans, ode, det<5>, det<9>, lstm<2>, lstm<4>, lstm<6>})
    for (entry const& e : list())
      if (asked(o, e.name)) {
        any = true;
        good = run(e, o) && good;
      }
  if (!any) std::fprintf(stderr, "bench: no workload has such a name; there are lse llsq kmeans ode det lstm\n");
  return good && any ? 0 : 1;
}
