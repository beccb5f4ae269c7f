# SPDX-License-Identifier: BSD-3-Clause
# test/backend/*.cpp: one program per file, run with one thread and with two: results must not depend on it. Each prints a
# line "bits ..." of its results, which a third entry compares.
file(GLOB files CONFIGURE_DEPENDS test/backend/*.cpp)
foreach(file IN LISTS files)
  get_filename_component(stem ${file} NAME_WE)
  etna_program(backend_${stem} ${file})
  etna_run(backend.${stem}.one_thread backend_${stem} backend 1)
  etna_run(backend.${stem}.two_threads backend_${stem} backend 2)
  add_test(NAME ${ETNA_TEST_TAG}backend.${stem}.equal_bits
    COMMAND sh ${PROJECT_SOURCE_DIR}/cmake/same_bits.sh $<TARGET_FILE:backend_${stem}>)
  set_tests_properties(${ETNA_TEST_TAG}backend.${stem}.equal_bits PROPERTIES LABELS backend TIMEOUT 600
    ENVIRONMENT "${ETNA_SANITIZE_ENVIRONMENT}")
endforeach()
