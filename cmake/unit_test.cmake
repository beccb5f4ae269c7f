# SPDX-License-Identifier: BSD-3-Clause
# test/unit/<folder>/**.cpp: one doctest program per folder (few programs link faster than many), one ctest entry each.
# test/unit/alone/*.cpp: a program per file, for what must own its process (initialisation, allocation counts).
option(ETNA_PCH "Tests share a precompiled header of etna, Kokkos and doctest" ON)
find_path(ETNA_doctest_INCLUDE doctest/doctest.h HINTS "${ETNA_PREFIX}/usr/include")
mark_as_advanced(ETNA_doctest_INCLUDE)
if(NOT ETNA_doctest_INCLUDE)
  message(FATAL_ERROR "etna: no doctest for the tests; run 'sh cmake/prefix.sh' or set -DETNA_DEV=OFF")
endif()

add_library(etna_test INTERFACE)
target_link_libraries(etna_test INTERFACE etna::etna etna_dev)
target_include_directories(etna_test SYSTEM INTERFACE ${ETNA_doctest_INCLUDE})
target_include_directories(etna_test INTERFACE test)
# Where golden texts and data lie. What is tested on a few numbers is to be kernels, as it would be on many.
target_compile_definitions(etna_test INTERFACE ETNA_TEST_FOLDER="${PROJECT_SOURCE_DIR}/test" ETNA_MOST_STRAIGHT=0)

# doctest's main, once. The precompiled header has a library of its own: doctest's main cannot use it.
add_library(unit_main OBJECT test/main.cpp)
target_link_libraries(unit_main PUBLIC etna_test)
if(ETNA_PCH)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/unit_pch.cpp CONTENT "")
  add_library(unit_pch OBJECT ${PROJECT_BINARY_DIR}/unit_pch.cpp)
  target_link_libraries(unit_pch PRIVATE etna_test)
  target_precompile_headers(unit_pch PRIVATE <etna/etna.hpp> <doctest/doctest.h>)
endif()

# etna_program(NAME FILES...): a test program.
function(etna_program name)
  add_executable(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE unit_main)
  # The sanitized build is not optimised, which would take most of its time, but for the programs that compute much.
  if(ETNA_SANITIZE AND name MATCHES "exec|backend")
    target_compile_options(${name} PRIVATE -O1)
  elseif(ETNA_PCH AND NOT name MATCHES "^(unit_own|alone_(branch|loops|scan|straight))$")  # what comes before etna there is their own
    target_precompile_headers(${name} REUSE_FROM unit_pch)
  endif()
endfunction()

# etna_run(TEST PROGRAM LABEL THREADS): a ctest entry.
function(etna_run test program label threads)
  add_test(NAME ${ETNA_TEST_TAG}${test} COMMAND ${program} WORKING_DIRECTORY ${PROJECT_BINARY_DIR})
  set(environment OMP_PROC_BIND=false OMP_NUM_THREADS=${threads} ${ETNA_SANITIZE_ENVIRONMENT})
  set_tests_properties(${ETNA_TEST_TAG}${test} PROPERTIES LABELS ${label} TIMEOUT 600 ENVIRONMENT "${environment}")
endfunction()

# Where threads run: what ThreadSanitizer is for. What counts allocations is not among it.
set(threaded exec)

file(GLOB folders LIST_DIRECTORIES true CONFIGURE_DEPENDS test/unit/*)
foreach(folder IN LISTS folders)
  get_filename_component(name ${folder} NAME)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS ${folder}/*.cpp)
  if(ETNA_SANITIZE STREQUAL "thread" AND NOT name IN_LIST threaded)
    continue()
  endif()
  if(name STREQUAL "sundials" AND NOT TARGET etna_sundials)
    continue()
  endif()
  if(name STREQUAL "alone")
    foreach(file IN LISTS files)
      get_filename_component(stem ${file} NAME_WE)
      etna_program(alone_${stem} ${file})
      etna_run(alone.${stem} alone_${stem} unit 2)
    endforeach()
  elseif(files)
    etna_program(unit_${name} ${files})
    etna_run(unit.${name} unit_${name} unit 2)
    if(name STREQUAL "sundials")
      target_link_libraries(unit_${name} PRIVATE etna_sundials)
    endif()
  endif()
endforeach()
