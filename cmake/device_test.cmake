# SPDX-License-Identifier: BSD-3-Clause
# test/device and the tests of programs that hold on any device. With a Kokkos for CUDA they run on the GPU, and every row
# with them (sh test/run.sh --cuda); elsewhere on the device of test/device/deferred.hpp, which needs no hardware.
set(of_programs planning/memory control/scan)
if(ETNA_CUDA OR ETNA_WHOLE)
  list(APPEND of_programs lower/kept exec/jit_types exec/narrow)  # kernels of many shapes: minutes of a compiler
endif()
list(TRANSFORM of_programs REPLACE "(.+)" "test/unit/\\1.cpp")
etna_program(device_programs test/device/programs.cpp ${of_programs})
etna_run(device.programs device_programs unit 2)
etna_run(device.no_more device_programs unit 2 --no-skip "--test-case=no device any more*")
if(NOT ETNA_CUDA)
  target_compile_definitions(device_programs PRIVATE ETNA_DEVICE=deferred_device)
  target_compile_options(device_programs PRIVATE -include "${PROJECT_SOURCE_DIR}/test/device/deferred.hpp")
  return()
endif()

# nvcc needs some GB for a few rows.
set(parts 32)
math(EXPR last "${parts} - 1")
set(files test/unit/lower/fused_rows_0.cpp)
foreach(part RANGE 1 ${last})
  set(file "${PROJECT_BINARY_DIR}/rows/rows_${part}.cpp")
  file(CONFIGURE OUTPUT "${file}" CONTENT
    "#include \"unit/lower/fused_rows.hpp\"\nTEST_CASE(\"fused: part ${part} of the rows\") { test::fused::test_part<${part}>(); }\n")
  list(APPEND files "${file}")
endforeach()
etna_program(device_rows ${files})
target_compile_definitions(device_rows PRIVATE ETNA_ROW_PARTS=${parts})
etna_run(device.rows device_rows unit 2)
