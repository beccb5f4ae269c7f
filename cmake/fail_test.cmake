# SPDX-License-Identifier: BSD-3-Clause
# test/fail/*.cpp must not compile, and must fail with the words of its first comment lines (`// expect: REGEX`).
# The files stand in a target that nothing builds: from it, compile_commands.json knows each one's exact command.
file(GLOB files CONFIGURE_DEPENDS test/fail/*.cpp test/fail/mistakes/*.cpp)
if(files)
  add_library(fail OBJECT EXCLUDE_FROM_ALL ${files})
  target_link_libraries(fail PRIVATE etna_test)
  if(ETNA_PCH)
    target_precompile_headers(fail REUSE_FROM unit_pch)
    target_compile_definitions(fail PRIVATE ETNA_EAGER_ELSEWHERE)  # as that
  endif()
  foreach(file IN LISTS files)
    get_filename_component(stem ${file} NAME_WE)
    add_test(NAME ${ETNA_TEST_TAG}fail.${stem}
      COMMAND sh ${PROJECT_SOURCE_DIR}/cmake/must_fail.sh ${PROJECT_BINARY_DIR} ${file})
    set_tests_properties(${ETNA_TEST_TAG}fail.${stem} PROPERTIES LABELS "fail" TIMEOUT 300)
  endforeach()
endif()
