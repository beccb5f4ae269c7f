// SPDX-License-Identifier: BSD-3-Clause
// A workload of the bench at one size: its primal by hand, its derivative by etna, and how far that is from what it
// should be. Each file beside this one gives the sizes of one workload; main.cpp checks and times them.
#pragma once
#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "../run/job.hpp"

namespace gradbench {

using namespace etna;
using bench::filled;
using bench::use;
using bench::use_all;

/// hand, derivative   once, as a user would call them
/// error              of the derivative, relative to its greatest element; what it is compared with is the file's
/// choice
struct work {
  std::function<void()> hand, derivative;
  std::function<double()> error;
};

/// A workload's sizes are made one by one, since their arguments may be large.
struct entry {
  std::string name, size;
  double goal;       // derivative's time by that of the primal by hand
  double tolerance;  // of the error
  work (*make)();
};
std::vector<entry> lse(), llsq(), kmeans(), ode();
template <int From> std::vector<entry> det();
template <int Layers> std::vector<entry> lstm();

/// In [0, 1), as the published inputs are.
template <class A> A uniform(std::uint64_t stream) { return filled<A>(stream, 1, 0.5); }

/// The greatest difference, by the greatest magnitude.
inline double difference(double const* got, double const* want, extent n) {
  double far = 0, most = 0;
  for (extent i = 0; i < n; ++i) {
    far = std::max(far, std::abs(got[i] - want[i]));
    most = std::max(most, std::abs(want[i]));
    if (got[i] != got[i]) return INFINITY;
  }
  return most > 0 ? far / most : far;
}

}  // namespace gradbench
