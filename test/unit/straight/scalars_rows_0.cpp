// SPDX-License-Identifier: BSD-3-Clause
#include "scalars_rows.hpp"

TEST_CASE("point: rows 0, 3, ... against the interpreter") { test::at_a_point::test_file<0>(); }
