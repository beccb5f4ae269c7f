// SPDX-License-Identifier: BSD-3-Clause
// How far an array is from numbers that are kept.
#pragma once
#include <doctest/doctest.h>

#include "../../numbers.hpp"

namespace models {

template <class A> double distance(A const& x, std::vector<double> const& y) {
  REQUIRE(std::size_t(x.size()) == y.size());
  double worst = 0;
  for (std::size_t i = 0; i < y.size(); ++i) worst = std::max(worst, std::abs(double(x.data()[i]) - y[i]));
  return worst;
}

}  // namespace models
