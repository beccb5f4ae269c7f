# SPDX-License-Identifier: BSD-3-Clause
# Examples as a program is shipped for this machine.
#     cmake -C cmake/preset/release.cmake -S . -B build/release && cmake --build build/release --target mnist
set(CMAKE_CXX_FLAGS "-O3 -march=native -DNDEBUG" CACHE STRING "")
set(ETNA_DEV ON CACHE BOOL "")
