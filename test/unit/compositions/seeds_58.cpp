// SPDX-License-Identifier: BSD-3-Clause
#include "random.hpp"

TEST_CASE("compositions of transforms on what moves elements, seeds 58 to 65") { test::random::check_seeds<58, 8>(); }
