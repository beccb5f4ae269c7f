# SPDX-License-Identifier: BSD-3-Clause
# test/accuracy/*.cpp, a program for each width of vectors: elementary functions against the C library, one result per
# argument, and conversions between element types. Each is one object, as inline functions of two widths must not meet in
# a program. A kernel's compiler may make one rounding of a product and a sum: g++ does where it optimises expensively.
if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  return()
endif()
function(etna_accuracy_test program width march flag)
  set(target accuracy_${program}_${width})
  add_executable(${target} test/accuracy/${program}.cpp)
  target_link_libraries(${target} PRIVATE etna::etna etna_dev)
  target_compile_options(${target} PRIVATE -O1 $<$<CXX_COMPILER_ID:GNU>:-fexpensive-optimizations> -march=${march})
  set(test ${ETNA_TEST_TAG}accuracy.${program}.${width})
  add_test(NAME ${test} COMMAND sh ${PROJECT_SOURCE_DIR}/test/accuracy/run_if.sh ${flag} $<TARGET_FILE:${target}>)
  set_tests_properties(${test} PROPERTIES LABELS accuracy TIMEOUT 600 SKIP_RETURN_CODE 77
    ENVIRONMENT "OMP_PROC_BIND=false;OMP_WAIT_POLICY=passive;OMP_NUM_THREADS=2")
endfunction()
etna_accuracy_test(rows sse2 x86-64 sse2)
etna_accuracy_test(rows avx2 x86-64-v3 avx2)
etna_accuracy_test(rows avx512 x86-64-v4 avx512vl)
# Of the others each width has one compiler, where not all tests are asked for.
foreach(program paths narrow)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU" OR ETNA_WHOLE)
    etna_accuracy_test(${program} sse2 x86-64 sse2)
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" OR ETNA_WHOLE)
    etna_accuracy_test(${program} avx2 x86-64-v3 avx2)
    etna_accuracy_test(${program} avx512 x86-64-v4 avx512vl)
  endif()
endforeach()
# Where the processor rounds to bf16 itself.
if(ETNA_WHOLE)
  etna_accuracy_test(narrow avx512bf16 cooperlake avx512_bf16)
endif()
