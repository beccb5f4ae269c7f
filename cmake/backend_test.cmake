# SPDX-License-Identifier: BSD-3-Clause
# test/backend/*.cpp: one program per file, run with one thread and with two: results must not depend on it. Each prints a
# line "bits ..." of its results, which the script compares.
file(GLOB files CONFIGURE_DEPENDS test/backend/*.cpp)
foreach(file IN LISTS files)
  get_filename_component(stem ${file} NAME_WE)
  etna_program(backend_${stem} ${file})
  add_test(NAME ${ETNA_TEST_TAG}backend.${stem}
    COMMAND sh ${PROJECT_SOURCE_DIR}/cmake/same_bits.sh $<TARGET_FILE:backend_${stem}>)
  # Its own threads and those of OpenMP are more than the processors: one that waits leaves its own.
  set_tests_properties(${ETNA_TEST_TAG}backend.${stem} PROPERTIES LABELS backend TIMEOUT 600 PROCESSORS 2
    ENVIRONMENT "OMP_WAIT_POLICY=passive;${ETNA_SANITIZE_ENVIRONMENT}")
endforeach()
