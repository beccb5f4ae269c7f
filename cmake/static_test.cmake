# SPDX-License-Identifier: BSD-3-Clause
# test/static/<room>/*.cpp: what compiles has passed. An object library per room; its ctest entries ask whether each
# object is there, so a file that does not compile fails alone (build with -k to see them all).

# etna_object_tests(GROUP LIBRARIES FILES...): entries GROUP.<file>, compiled against LIBRARIES.
function(etna_object_tests group libraries)
  add_library(${group} OBJECT ${ARGN})
  target_link_libraries(${group} PRIVATE ${libraries} etna_dev)
  target_include_directories(${group} PRIVATE ${PROJECT_SOURCE_DIR}/test)  # reference data
  foreach(file IN LISTS ARGN)
    get_filename_component(stem ${file} NAME_WE)
    add_test(NAME ${ETNA_TEST_TAG}${group}.${stem}
      COMMAND test -s "$<FILTER:$<TARGET_OBJECTS:${group}>,INCLUDE,/${stem}[.]cpp[.]o$>")
    set_tests_properties(${ETNA_TEST_TAG}${group}.${stem} PROPERTIES LABELS "static")
  endforeach()
endfunction()

file(GLOB rooms LIST_DIRECTORIES true CONFIGURE_DEPENDS test/static/*)
foreach(room IN LISTS rooms)
  file(GLOB files CONFIGURE_DEPENDS ${room}/*.cpp)
  get_filename_component(room ${room} NAME)
  if(files)
    etna_object_tests(static.${room} etna::language ${files})
  endif()
endforeach()
