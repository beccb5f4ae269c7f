// SPDX-License-Identifier: BSD-3-Clause
#include "random.hpp"

TEST_CASE("compositions of transforms, seeds 25 to 49: fused, eager, and by differences and loops") {
  test::random::check_seeds<25, test::random::of(25)>();
}
