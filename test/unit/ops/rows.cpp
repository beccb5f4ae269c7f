// SPDX-License-Identifier: BSD-3-Clause
#include "rows.hpp"

TEST_CASE("every row: derivatives, vmap, second derivatives") { test_rows(0); }
