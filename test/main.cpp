// SPDX-License-Identifier: BSD-3-Clause
// doctest's main, once for all test programs.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

// Only a sanitizer calls it: memory that cannot be had is null, as without one, and not the end of the program.
extern "C" const char* __asan_default_options() { return "allocator_may_return_null=1"; }
