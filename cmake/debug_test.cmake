# SPDX-License-Identifier: BSD-3-Clause
# test/debug/loss.cpp without optimisation, under gdb: a breakpoint in a loss shows numbers. Skipped where gdb is not there
# or may not trace.
add_executable(debug_loss test/debug/loss.cpp)
target_link_libraries(debug_loss PRIVATE etna::language etna_dev)
target_compile_options(debug_loss PRIVATE -g -O0)
add_test(NAME ${ETNA_TEST_TAG}debug.breakpoint
  COMMAND sh ${PROJECT_SOURCE_DIR}/test/debug/breakpoint.sh $<TARGET_FILE:debug_loss>)
set_tests_properties(${ETNA_TEST_TAG}debug.breakpoint PROPERTIES LABELS debug TIMEOUT 120 SKIP_RETURN_CODE 77)
