# SPDX-License-Identifier: BSD-3-Clause
# test/life/calls.cpp: a process for each time of a program's life at which a call may come. It is compiled once, for the
# program and for the library that the program loads.
if(ETNA_SANITIZE STREQUAL "thread")
  return()  # it ends what starts threads in a forked child
endif()
add_library(life_calls OBJECT test/life/calls.cpp)
set_target_properties(life_calls PROPERTIES POSITION_INDEPENDENT_CODE ON)
target_link_libraries(life_calls PUBLIC etna::etna etna_dev)
if(ETNA_SANITIZE)
  target_compile_options(life_calls PRIVATE -O1)
endif()
add_executable(life)
target_link_libraries(life PRIVATE life_calls ${CMAKE_DL_LIBS})
add_library(life_library MODULE)
target_link_libraries(life_library PRIVATE life_calls)
# A training run that is killed again and again.
add_executable(life_training test/life/training.cpp)
target_link_libraries(life_training PRIVATE etna::etna etna_dev)
etna_run(life.training life_training life 2)
set_tests_properties(${ETNA_TEST_TAG}life.training PROPERTIES TIMEOUT 120)

file(STRINGS test/life/calls.cpp cases REGEX "{\"[a-z_]+\", [a-z_]+}[,}]")
list(TRANSFORM cases REPLACE ".*{\"([a-z_]+)\".*" "\\1")
if(ETNA_SANITIZE)  # a child may be born while another thread has a lock of the sanitizer's
  list(REMOVE_ITEM cases fork_while_others_call fork_while_others_take_memory)
endif()
foreach(case IN LISTS cases)
  etna_run(life.${case} life life 2 ${case})
  set_tests_properties(${ETNA_TEST_TAG}life.${case} PROPERTIES TIMEOUT 120)
endforeach()
etna_run(life.loaded_library life life 2 loaded_library $<TARGET_FILE:life_library>)
if(ETNA_SANITIZE)
  # What memory a library keeps for reuse is not given back when it is unloaded.
  set_property(TEST ${ETNA_TEST_TAG}life.loaded_library APPEND PROPERTY ENVIRONMENT ASAN_OPTIONS=detect_leaks=0)
endif()
