// SPDX-License-Identifier: BSD-3-Clause
#include "random.hpp"

TEST_CASE("compositions of transforms on what moves elements, seeds 66 to 73") { test::random::check_seeds<66, 8>(); }
