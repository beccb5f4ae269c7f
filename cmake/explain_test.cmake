# SPDX-License-Identifier: BSD-3-Clause
# docs/explain/*.md: the C++ of a page, cut out, is a program that compiles without a warning and says that it is right.
file(GLOB pages CONFIGURE_DEPENDS docs/explain/*.md)
foreach(page IN LISTS pages)
  get_filename_component(stem ${page} NAME_WE)
  set(code ${PROJECT_BINARY_DIR}/explain/${stem}.cpp)
  add_custom_command(OUTPUT ${code} DEPENDS ${page} cmake/explain.sh COMMAND sh ${PROJECT_SOURCE_DIR}/cmake/explain.sh ${page} ${code})
  add_executable(explain_${stem} ${code})
  target_compile_features(explain_${stem} PRIVATE cxx_std_20)
  target_compile_options(explain_${stem} PRIVATE -Wall -Wextra -Werror)
  add_test(NAME ${ETNA_TEST_TAG}explain.${stem} COMMAND explain_${stem})
  set_tests_properties(${ETNA_TEST_TAG}explain.${stem} PROPERTIES LABELS example)
endforeach()

# The texts in docs/tour.md and docs/types_and_values.md are what their program prints, as g++ has it.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_test(NAME ${ETNA_TEST_TAG}explain.tour
    COMMAND ${CMAKE_COMMAND} -E env "CXX=${CMAKE_CXX_COMPILER}" "ETNA_PREFIX=${ETNA_PREFIX}"
            sh ${PROJECT_SOURCE_DIR}/docs/tour/make.sh --check)
  set_tests_properties(${ETNA_TEST_TAG}explain.tour PROPERTIES LABELS example)
endif()

# A page whose code is an example's.
add_test(NAME ${ETNA_TEST_TAG}explain.xtensor_users COMMAND sh ${PROJECT_SOURCE_DIR}/cmake/check_page.sh
  ${PROJECT_SOURCE_DIR}/docs/xtensor_users.md "A program, step by step" ${PROJECT_SOURCE_DIR}/examples/11_from_xtensor.cpp)
set_tests_properties(${ETNA_TEST_TAG}explain.xtensor_users PROPERTIES LABELS example)
add_test(NAME ${ETNA_TEST_TAG}explain.training COMMAND sh ${PROJECT_SOURCE_DIR}/cmake/check_page.sh
  ${PROJECT_SOURCE_DIR}/docs/training.md "From data to a picture" ${PROJECT_SOURCE_DIR}/examples/17_training.cpp)
# Two sections of docs/ranks.md are lines of a test's program.
foreach(section "When a rank dies" "The same bits on any number of ranks")
  string(MAKE_C_IDENTIFIER "${section}" name)
  add_test(NAME ${ETNA_TEST_TAG}explain.ranks.${name} COMMAND sh ${PROJECT_SOURCE_DIR}/cmake/check_page.sh
    ${PROJECT_SOURCE_DIR}/docs/ranks.md "${section}" ${PROJECT_SOURCE_DIR}/test/ranks/life.cpp)
  set_tests_properties(${ETNA_TEST_TAG}explain.ranks.${name} PROPERTIES LABELS example)
endforeach()
