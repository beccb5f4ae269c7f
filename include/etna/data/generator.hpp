// SPDX-License-Identifier: BSD-3-Clause
// Random numbers of the pipeline: a small engine that is begun anew for each example, so that an example's numbers are
// the same on any thread, and where a run goes on. The same with every library (std's distributions are not).
// Read next: flow.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <limits>

#include "shuffle.hpp"

namespace etna::data {

/// An engine of 8 bytes, which costs nothing to begin; std's distributions take it as well.
///
/// source  Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (splitmix64)
/// example test/unit/data/generator.cpp  [splitmix64's numbers]
class generator {
 public:
  using result_type = std::uint64_t;
  constexpr explicit generator(std::uint64_t seed) : state_(seed) {}
  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }
  constexpr result_type operator()() {
    result_type const x = mix(state_, 0);
    state_ += 0x9e3779b97f4a7c15u;
    return x;
  }
  /// A number from [0, 1), all multiples of 2^-53 equally likely.
  constexpr double uniform() { return double((*this)() >> 11) * 0x1p-53; }
  /// An integer from 0 to n - 1; n is not 0.
  constexpr std::uint64_t integer(std::uint64_t n) { return below(*this, n); }

 private:
  std::uint64_t state_;
};

}  // namespace etna::data

#include <etna/set_back.hpp>
