// SPDX-License-Identifier: BSD-3-Clause
#include "fused_rows.hpp"

TEST_CASE("fused: rows 1, 5, ... against the interpreter") { test::fused::test_part<1>(); }
