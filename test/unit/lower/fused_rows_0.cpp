// SPDX-License-Identifier: BSD-3-Clause
#include "fused_rows.hpp"

TEST_CASE("fused: rows 0, 4, ... against the interpreter") { test::fused::test_part<0>(); }
