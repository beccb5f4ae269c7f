// SPDX-License-Identifier: BSD-3-Clause
#include "random.hpp"

TEST_CASE("compositions of transforms, seeds 0 to 24: fused, eager, and by differences and loops") {
  test::random::check_seeds<0, test::random::of(25)>();
}
