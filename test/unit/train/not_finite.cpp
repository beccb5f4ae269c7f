// SPDX-License-Identifier: BSD-3-Clause
// Which leaves are no numbers: each floating type, arrays and numbers, nested.
#include <doctest/doctest.h>

#include <etna/language.hpp>
#include <etna/train/not_finite.hpp>

using namespace etna;

namespace {
struct part_of {
  array<bfloat16, 3> a;
  array<double> b;
  float c = 0;
};
struct whole {
  part_of first, second;
  array<int, 2> n{1, 2};
};
using names = std::set<std::string>;
}  // namespace

TEST_CASE("each floating type, arrays and numbers") {
  whole x{};
  CHECK(train::not_finite(x).empty());
  x.first.a = array<bfloat16, 3>{bfloat16(1), bfloat16(2), bfloat16(NAN)};
  CHECK(train::not_finite(x) == names{"first.a"});
  x.second.b = array<double>(-HUGE_VAL);
  x.second.c = NAN;
  x.first.b = array<double>(1e300);  // no infinity, though it is one as a float
  CHECK(train::not_finite(x) == names{"first.a", "second.b", "second.c"});
  CHECK(train::not_finite(array<float, 2>{0, NAN}).size() == 1);
}
