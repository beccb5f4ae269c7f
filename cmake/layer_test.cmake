# SPDX-License-Identifier: BSD-3-Clause
# Rules of the house that no compiler checks, each a small script over include/etna.
foreach(rule layers names numbers)
  add_test(NAME ${ETNA_TEST_TAG}house.${rule}
    COMMAND sh ${PROJECT_SOURCE_DIR}/cmake/check_${rule}.sh ${PROJECT_SOURCE_DIR})
  set_tests_properties(${ETNA_TEST_TAG}house.${rule} PROPERTIES LABELS "house")
endforeach()
