// SPDX-License-Identifier: BSD-3-Clause
// Arrays of any type as numbers, and their comparison: compiled once for a program, in leaf.cpp.
#pragma once
#include <etna/array/dtype.hpp>
#include <etna/array/extent.hpp>
#include <vector>

namespace test {

struct leaf {
  etna::dtype d;
  void const* data;
  std::vector<etna::extent> shape;
  std::vector<double> x;
};
leaf read_leaf(etna::dtype d, void const* data, etna::extent const* shape, int rank);
// doctest's checks. Near is |is - should| <= tolerance (1 + |should|); not a number is near itself.
void check_numbers(std::vector<double> const& is, std::vector<double> const& should, double tolerance);
/// Equal shapes, and numbers near those that should be; integers exactly.
void check_near(std::vector<leaf> const& is, std::vector<leaf> const& should, double f32, double f64);
bool same_bits(std::vector<leaf> const& a, std::vector<leaf> const& b);

}  // namespace test
