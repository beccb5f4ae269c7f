// SPDX-License-Identifier: BSD-3-Clause
#include <cstdlib>

#include "fused_rows.hpp"

TEST_CASE("fused: rows 3, 7, ... against the interpreter") { test::fused::test_part<3>(); }

// Not where test/one.sh runs this file alone.
TEST_CASE("fused: every row is in a part, and every part is here" *
          doctest::skip(std::getenv("ETNA_ONE_FILE") != nullptr)) {
  for (bool yes : test::fused::is_linked) CHECK(yes);
}
