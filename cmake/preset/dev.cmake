# SPDX-License-Identifier: BSD-3-Clause
# Tests and examples as they are worked on: the fastest level that still inlines.
#     cmake -C cmake/preset/dev.cmake -S . -B build/dev && cmake --build build/dev -j 2 && ctest --test-dir build/dev
set(CMAKE_CXX_COMPILER g++ CACHE STRING "")
set(CMAKE_CXX_FLAGS "-Og -march=native" CACHE STRING "")
set(ETNA_DEV ON CACHE BOOL "")
