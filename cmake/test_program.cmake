# SPDX-License-Identifier: BSD-3-Clause
# What test programs share: flags, doctest's main, a precompiled header; and how one becomes an entry of ctest.
option(ETNA_PCH "Tests share a precompiled header of etna, Kokkos and doctest" ON)
find_path(ETNA_doctest_INCLUDE doctest/doctest.h HINTS "${ETNA_PREFIX}/usr/include")
mark_as_advanced(ETNA_doctest_INCLUDE)
if(NOT ETNA_doctest_INCLUDE)
  message(FATAL_ERROR "etna: no doctest for the tests; run 'sh cmake/prefix.sh' or set -DETNA_DEV=OFF")
endif()

# In a sanitized build that is one of several, tests of much that is alike make less of it (ETNA_FEW); in others, of
# what only repeats what tests of other rooms have (no ETNA_WHOLE).
set(few OFF)
if(ETNA_SANITIZE AND NOT ETNA_WHOLE)
  set(few ON)
endif()

add_library(etna_test INTERFACE)
target_link_libraries(etna_test INTERFACE etna::etna etna_dev)
target_include_directories(etna_test SYSTEM INTERFACE ${ETNA_doctest_INCLUDE})
target_include_directories(etna_test INTERFACE test)
# Where golden texts and data lie. What is tested on a few numbers is to be kernels, as it would be on many.
target_compile_definitions(etna_test INTERFACE ETNA_TEST_FOLDER="${PROJECT_SOURCE_DIR}/test" ETNA_MOST_STRAIGHT=0
  $<$<BOOL:${few}>:ETNA_FEW> $<$<BOOL:${ETNA_WHOLE}>:ETNA_WHOLE>)

# doctest's main and what compares results, once. The precompiled header has a library of its own: doctest's main cannot use it.
add_library(unit_main OBJECT test/main.cpp test/leaf.cpp)
target_link_libraries(unit_main PUBLIC etna_test)
# Eager evaluation and the rules of all primitives, once as well.
add_library(all_eager OBJECT EXCLUDE_FROM_ALL test/eager.cpp)
target_link_libraries(all_eager PRIVATE etna_test)
if(ETNA_SANITIZE)  # what runs over millions of numbers, in a build that is not optimised
  set_source_files_properties(test/leaf.cpp test/eager.cpp PROPERTIES COMPILE_OPTIONS -O1)
endif()
if(ETNA_PCH AND NOT ETNA_CUDA)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/unit_pch.cpp CONTENT "")
  add_library(unit_pch OBJECT ${PROJECT_BINARY_DIR}/unit_pch.cpp)
  target_link_libraries(unit_pch PRIVATE etna_test)
  target_compile_definitions(unit_pch PRIVATE ETNA_EAGER_ELSEWHERE)
  target_precompile_headers(unit_pch PRIVATE <etna/etna.hpp> <doctest/doctest.h>)
endif()

# etna_program(NAME FILES...): a test program.
function(etna_program name)
  add_executable(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE unit_main)
  if(NOT name MATCHES "^(unit_own|device_)")  # these have another list of primitives, another device
    target_compile_definitions(${name} PRIVATE ETNA_EAGER_ELSEWHERE)
    target_link_libraries(${name} PRIVATE all_eager)
  endif()
  # The sanitized build is not optimised, which would take most of its time, but for what computes much (unit_test.cmake has files).
  if(ETNA_SANITIZE AND name MATCHES "backend")
    target_compile_options(${name} PRIVATE -O1)
  elseif(TARGET unit_pch AND NOT name MATCHES "^(unit_own|device_programs|alone_(branch|loops|scan|straight))$")  # what comes before etna there is their own
    target_precompile_headers(${name} REUSE_FROM unit_pch)
  endif()
endfunction()

# etna_run(TEST PROGRAM LABEL THREADS [ARGUMENTS...]): a ctest entry.
function(etna_run test program label threads)
  add_test(NAME ${ETNA_TEST_TAG}${test} COMMAND ${program} ${ARGN} WORKING_DIRECTORY ${PROJECT_BINARY_DIR})
  # Tests share the processors: a thread that waits leaves its own.
  set(environment OMP_PROC_BIND=false OMP_WAIT_POLICY=passive OMP_NUM_THREADS=${threads} ${ETNA_SANITIZE_ENVIRONMENT})
  set_tests_properties(${ETNA_TEST_TAG}${test} PROPERTIES LABELS ${label} TIMEOUT 600 ENVIRONMENT "${environment}")
endfunction()
