# SPDX-License-Identifier: BSD-3-Clause
# examples/NN_name.cpp: a program each, run as a test. examples/mnist/*.cpp: the trainer.
file(GLOB files CONFIGURE_DEPENDS examples/[0-9][0-9]_*.cpp)
foreach(file IN LISTS files)
  get_filename_component(stem ${file} NAME_WE)
  add_executable(${stem} ${file})
  target_link_libraries(${stem} PRIVATE etna::etna etna_dev)
  etna_run(example.${stem} ${stem} example 2)
endforeach()

file(GLOB files CONFIGURE_DEPENDS examples/mnist/*.cpp)
find_path(ETNA_CLI11_INCLUDE CLI/CLI.hpp HINTS "${ETNA_PREFIX}/usr/include")
mark_as_advanced(ETNA_CLI11_INCLUDE)
if(files AND ETNA_CLI11_INCLUDE)
  add_executable(mnist ${files})
  target_link_libraries(mnist PRIVATE etna::etna etna_dev)
  # What parses words need not be fast, and its libraries keep the optimiser longer than the kernels do.
  set_source_files_properties(examples/mnist/options.cpp examples/mnist/files.cpp examples/mnist/history.cpp PROPERTIES COMPILE_OPTIONS -O1)
  target_include_directories(mnist SYSTEM PRIVATE ${ETNA_CLI11_INCLUDE})
  # Where the Fashion-MNIST package put its files: the trainer's default.
  target_compile_definitions(mnist PRIVATE ETNA_MNIST_FOLDER="${ETNA_PREFIX}/usr/share/datasets/fashion-mnist")
  add_test(NAME ${ETNA_TEST_TAG}example.mnist_help COMMAND mnist --help)
  set_tests_properties(${ETNA_TEST_TAG}example.mnist_help PROPERTIES LABELS example)
elseif(files)
  message(STATUS "etna: no CLI11, so the trainer is not built")
endif()
