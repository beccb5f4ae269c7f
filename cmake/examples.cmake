# SPDX-License-Identifier: BSD-3-Clause
# examples/NN_name.cpp: a program each, run as a test. examples/mnist/*.cpp: the trainer. Sanitized only by test/run.sh --whole.
if(ETNA_SANITIZE STREQUAL "thread" OR (ETNA_SANITIZE AND NOT ETNA_WHOLE))
  return()
endif()
file(GLOB files CONFIGURE_DEPENDS examples/[0-9][0-9]_*.cpp)
if(NOT TARGET etna_sundials)
  list(FILTER files EXCLUDE REGEX "_sundials\\.cpp$")
endif()
# Whole models, two steps of each: their parts have tests with all compilers.
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang" AND NOT ETNA_WHOLE)
  list(FILTER files EXCLUDE REGEX "/(1[2-9]|2[0-9])_")
endif()
foreach(file IN LISTS files)
  get_filename_component(stem ${file} NAME_WE)
  add_executable(${stem} ${file})
  target_link_libraries(${stem} PRIVATE etna::etna etna_dev $<$<STREQUAL:${stem},10_sundials>:etna_sundials>
    $<$<IN_LIST:${stem},24_data_parallel;26_heat;27_pmap;28_vit_ranks;29_sharded;30_vit_sharded>:etna::dist>)
  if(ETNA_SANITIZE AND stem STREQUAL "07_recurrent")
    target_compile_options(${stem} PRIVATE -O1)  # it trains: not optimised, for a minute
  endif()
  etna_run(example.${stem} ${stem} example 2)
endforeach()

file(GLOB files CONFIGURE_DEPENDS examples/mnist/*.cpp)
find_path(ETNA_CLI11_INCLUDE CLI/CLI.hpp HINTS "${ETNA_PREFIX}/usr/include")
mark_as_advanced(ETNA_CLI11_INCLUDE)
if(files AND ETNA_CLI11_INCLUDE)
  add_executable(mnist ${files})
  target_link_libraries(mnist PRIVATE etna::etna etna_dev)
  # All but the kernels (rule.cpp): what parses words need not be fast, and its libraries keep the optimiser longer.
  if(NOT ETNA_SANITIZE)
    set_source_files_properties(examples/mnist/main.cpp examples/mnist/options.cpp examples/mnist/files.cpp PROPERTIES COMPILE_OPTIONS -O1)
  endif()
  target_include_directories(mnist SYSTEM PRIVATE ${ETNA_CLI11_INCLUDE})
  # Where the Fashion-MNIST package put its files: the trainer's default.
  target_compile_definitions(mnist PRIVATE ETNA_MNIST_FOLDER="${ETNA_PREFIX}/usr/share/datasets/fashion-mnist")
  add_test(NAME ${ETNA_TEST_TAG}example.mnist_help COMMAND mnist --help)
  set_tests_properties(${ETNA_TEST_TAG}example.mnist_help PROPERTIES LABELS example)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_test(NAME ${ETNA_TEST_TAG}example.mnist_lean
      COMMAND sh ${PROJECT_SOURCE_DIR}/cmake/check_lean.sh $<TARGET_OBJECTS:mnist> COMMAND_EXPAND_LISTS)
    set_tests_properties(${ETNA_TEST_TAG}example.mnist_lean PROPERTIES LABELS example SKIP_RETURN_CODE 77)
  endif()
elseif(files)
  message(STATUS "etna: no CLI11, so the trainer is not built")
endif()
