// SPDX-License-Identifier: BSD-3-Clause
#include "random.hpp"

TEST_CASE("compositions of transforms on what moves elements, seeds 50 to 57") { test::random::check_seeds<50, 8>(); }
