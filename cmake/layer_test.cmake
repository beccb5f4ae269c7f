# SPDX-License-Identifier: BSD-3-Clause
# Rules of the house that no compiler checks, each a small script over include/etna.
foreach(rule diffs layers macros names numbers twins)
  add_test(NAME ${ETNA_TEST_TAG}house.${rule}
    COMMAND sh ${PROJECT_SOURCE_DIR}/cmake/check_${rule}.sh ${PROJECT_SOURCE_DIR})
  set_tests_properties(${ETNA_TEST_TAG}house.${rule} PROPERTIES LABELS "house" SKIP_RETURN_CODE 77)
endforeach()

# The form of the code, in the build that compiles headers alone: clang-tidy reads all of them as that build's clang would.
if(ETNA_HEADERS_ALONE AND NOT ETNA_LANGUAGE_ONLY)
  set(form ${PROJECT_BINARY_DIR}/form)
  file(CONFIGURE OUTPUT ${form}/all.cpp CONTENT "#include <etna/etna.hpp>\n${all_language}${all_etna}")
  set(folders "$<REMOVE_DUPLICATES:$<TARGET_PROPERTY:etna::etna,INTERFACE_INCLUDE_DIRECTORIES>>")
  set(definitions "$<TARGET_PROPERTY:etna::etna,INTERFACE_COMPILE_DEFINITIONS>")
  list(JOIN clang "\n" limits)
  file(GENERATE OUTPUT ${form}/compile_flags.txt CONTENT "-std=c++20\n-fopenmp\n${limits}
-I$<JOIN:${folders},\n-I>
$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},\n-D>\n>")
  add_test(NAME ${ETNA_TEST_TAG}house.form COMMAND sh ${PROJECT_SOURCE_DIR}/cmake/check_form.sh ${PROJECT_SOURCE_DIR} ${form})
  set_tests_properties(${ETNA_TEST_TAG}house.form PROPERTIES LABELS "house" SKIP_RETURN_CODE 77)
endif()

# The list of public functions, and the tests that are made of it, are what the headers say.
find_package(Python3 3.9 QUIET COMPONENTS Interpreter)
if(Python3_Interpreter_FOUND)
  add_test(NAME ${ETNA_TEST_TAG}house.surface
    COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/test/data/surface.py --check)
  set_tests_properties(${ETNA_TEST_TAG}house.surface PROPERTIES LABELS "house")
endif()
