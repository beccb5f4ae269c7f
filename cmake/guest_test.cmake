# SPDX-License-Identifier: BSD-3-Clause
# test/guest: etna in a user's file, with a user's flags. Headers of others and macros stand in front, warnings are errors,
# and etna's headers are an ordinary folder (-I). Under g++ the program is not optimised, for this machine, and sanitized;
# another compiler reads it.
set(warnings -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Werror)
set_source_files_properties(test/guest/main.cpp test/guest/language.cpp PROPERTIES COMPILE_OPTIONS "${warnings}")
add_library(guest_language OBJECT test/guest/language.cpp)
target_link_libraries(guest_language PRIVATE etna::language)
add_test(NAME ${ETNA_TEST_TAG}guest.language COMMAND test -s $<TARGET_OBJECTS:guest_language>)
set_tests_properties(${ETNA_TEST_TAG}guest.language PROPERTIES LABELS guest)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_executable(guest test/guest/main.cpp)
  set(sanitize -fsanitize=address,undefined -fno-sanitize-recover=all)
  target_compile_options(guest PRIVATE -O0 ${sanitize})
  target_link_options(guest PRIVATE ${sanitize})
  etna_run(guest.main guest guest 2)
  # What g++ says of etna where it optimises.
  add_library(guest_optimised OBJECT examples/03_least_squares.cpp)
  target_compile_options(guest_optimised PRIVATE ${warnings} -O3)
  target_link_libraries(guest_optimised PRIVATE etna::etna)
  add_test(NAME ${ETNA_TEST_TAG}guest.optimised COMMAND test -s $<TARGET_OBJECTS:guest_optimised>)
  set_tests_properties(${ETNA_TEST_TAG}guest.optimised PROPERTIES LABELS guest)
else()
  add_library(guest OBJECT test/guest/main.cpp)
  target_compile_options(guest PRIVATE -O0)
  add_test(NAME ${ETNA_TEST_TAG}guest.main COMMAND test -s $<TARGET_OBJECTS:guest>)
  set_tests_properties(${ETNA_TEST_TAG}guest.main PROPERTIES LABELS guest)
endif()
target_link_libraries(guest PRIVATE etna::etna)

# Flags with which numbers would be wrong, or nothing works, are refused in one sentence.
set(reads_platform ${CMAKE_CXX_COMPILER} -std=c++20 -fsyntax-only -x c++ -include ${PROJECT_SOURCE_DIR}/include/etna/platform.hpp)
foreach(flag -ffast-math -Ofast -fno-exceptions)
  add_test(NAME ${ETNA_TEST_TAG}guest.refuses${flag} COMMAND ${reads_platform} ${flag} /dev/null)
  set_tests_properties(${ETNA_TEST_TAG}guest.refuses${flag} PROPERTIES LABELS guest
    PASS_REGULAR_EXPRESSION "error: (#error )?.etna (is not right with -ffast-math|throws etna::error)")
endforeach()
add_test(NAME ${ETNA_TEST_TAG}guest.allows-ffast-math COMMAND ${reads_platform} -ffast-math -DETNA_WITH_FAST_MATH /dev/null)
set_tests_properties(${ETNA_TEST_TAG}guest.allows-ffast-math PROPERTIES LABELS guest)
