# SPDX-License-Identifier: BSD-3-Clause
# Rules of the house that no compiler checks, each a small script over include/etna.
foreach(rule layers names numbers twins)
  add_test(NAME ${ETNA_TEST_TAG}house.${rule}
    COMMAND sh ${PROJECT_SOURCE_DIR}/cmake/check_${rule}.sh ${PROJECT_SOURCE_DIR})
  set_tests_properties(${ETNA_TEST_TAG}house.${rule} PROPERTIES LABELS "house")
endforeach()

# The list of public functions, and the tests that are made of it, are what the headers say.
find_package(Python3 3.9 QUIET COMPONENTS Interpreter)
if(Python3_Interpreter_FOUND)
  add_test(NAME ${ETNA_TEST_TAG}house.surface
    COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/test/data/surface.py --check)
  set_tests_properties(${ETNA_TEST_TAG}house.surface PROPERTIES LABELS "house")
endif()
