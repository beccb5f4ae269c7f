# SPDX-License-Identifier: BSD-3-Clause
# test/fuzz/*.cpp: libFuzzer's harnesses of the readers, in sanitized builds with clang. As tests they run a fixed number of
# inputs from their seeds; `sh test/fuzz/run.sh` runs them for as long as one likes.
if(NOT ETNA_SANITIZE OR ETNA_SANITIZE STREQUAL "thread" OR NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  return()
endif()
file(GLOB files CONFIGURE_DEPENDS test/fuzz/*.cpp)
if(NOT ETNA_MINIZIP_LIBRARY)
  list(FILTER files EXCLUDE REGEX "npz")
endif()
if(NOT ETNA_PNG_LIBRARY OR NOT ETNA_JPEG_LIBRARY)
  list(FILTER files EXCLUDE REGEX "pictures")
endif()
if(NOT ETNA_CSV_LIBRARY)
  list(FILTER files EXCLUDE REGEX "csv")
endif()
add_custom_target(fuzz)
foreach(file IN LISTS files)
  get_filename_component(stem ${file} NAME_WE)
  add_executable(fuzz_${stem} ${file})
  target_link_libraries(fuzz_${stem} PRIVATE etna::etna etna_dev)
  target_include_directories(fuzz_${stem} PRIVATE test)
  target_compile_options(fuzz_${stem} PRIVATE -fsanitize=fuzzer-no-link)
  target_link_options(fuzz_${stem} PRIVATE -fsanitize=fuzzer)
  add_dependencies(fuzz fuzz_${stem})
  set(seeds ${PROJECT_BINARY_DIR}/fuzz/${stem})
  # anew each time: libFuzzer adds what it finds to the folder that it reads
  add_test(NAME ${ETNA_TEST_TAG}fuzz.${stem} COMMAND sh -c "rm -rf ${seeds} && mkdir -p ${seeds} && exec $<TARGET_FILE:fuzz_${stem}> \
    -seed=1 -runs=2000 -max_len=4096 -rss_limit_mb=1024 -artifact_prefix=${PROJECT_BINARY_DIR}/fuzz/ ${seeds}")
  set_tests_properties(${ETNA_TEST_TAG}fuzz.${stem} PROPERTIES LABELS fuzz TIMEOUT 300
    ENVIRONMENT "ETNA_FUZZ_SEEDS=${seeds};ASAN_OPTIONS=allocator_may_return_null=1")
endforeach()
