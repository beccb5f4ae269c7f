# SPDX-License-Identifier: BSD-3-Clause
# Address and undefined behaviour, and leaks (-DETNA_SANITIZE=thread: data races). With clang, whose
# ThreadSanitizer knows OpenMP, and which compiles these in half of g++'s time.
#     cmake -C cmake/preset/sanitize.cmake -S . -B build/sanitize && cmake --build build/sanitize -j 2
set(CMAKE_CXX_COMPILER clang++-16 CACHE STRING "")
set(CMAKE_CXX_FLAGS -O0 CACHE STRING "")
set(ETNA_SANITIZE ON CACHE STRING "")
