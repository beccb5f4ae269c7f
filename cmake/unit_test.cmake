# SPDX-License-Identifier: BSD-3-Clause
# test/unit/<folder>/**.cpp: one doctest program per folder (few programs link faster than many), one ctest entry each.
# test/unit/alone/*.cpp: a program per file, for what must own its process (initialisation, allocation counts).
# Of exec: what is so large that threads share it, or is called by several. ThreadSanitizer is for these.
set(shared denormals donated epilogue long_rows running sgd100 tiles)
if(ETNA_WHOLE)
  list(APPEND shared explain)  # its kernels are those of the others, with clocks around them
endif()
# Of exec: what multiplies many numbers, or measures the machine. The other sanitizers' build, which is not optimised, optimises
# these, and links them first: of a function that several files have, the linker takes the first.
set(dear epilogue explain past_cache product sgd100)
foreach(list shared dear)
  list(TRANSFORM ${list} REPLACE "(.+)" "${PROJECT_SOURCE_DIR}/test/unit/exec/\\1.cpp")
endforeach()
if(ETNA_SANITIZE AND NOT ETNA_SANITIZE STREQUAL "thread")
  set_source_files_properties(${dear} PROPERTIES COMPILE_OPTIONS -O1 SKIP_PRECOMPILE_HEADERS ON)
endif()
# As a debug build of a user's: vector kernels must compile where nothing is optimised.
set_source_files_properties(test/unit/rewrite/identities.cpp PROPERTIES COMPILE_OPTIONS -O0 SKIP_PRECOMPILE_HEADERS ON)

# What a sanitizer sees of these it sees of others too, or they are about values and plans alone, so they need ETNA_WHOLE: written.cpp
# compares the equations of rules that rules*.cpp run, sgd100.cpp is in the build for threads, explain.cpp has the kernels of others
# with clocks around them, checkpoint.cpp is mostly constant evaluation, kinks.cpp and functions.cpp are JAX's numbers for rows that
# fused/ has, and loops that are one function, which alone/ has, are their equations on numbers in the object, as in straight.cpp.
set(left_out "")
if(ETNA_SANITIZE AND NOT ETNA_WHOLE AND NOT ETNA_SANITIZE STREQUAL "thread")
  string(JOIN "|" left_out unit/control/written unit/control/checkpoint unit/exec/sgd100 unit/exec/explain unit/numpy/kinks
    unit/numpy/functions unit/alone/branch unit/alone/loops unit/alone/scan)
elseif(ETNA_BESIDE_SANITIZED AND NOT ETNA_WHOLE)
  # And these run rules outside of jit only: the sanitized build has their values as well. The next of five files of random
  # compositions are as those before.
  string(JOIN "|" left_out unit/control/rules unit/control/rules_of_calls unit/eager/names unit/compositions/seeds_25)
endif()

# Whole folders likewise: transforms of transforms, whole programs, draws and single numbers run the rules, loops and kernels that
# the folders named after these test.
set(folders_left_out compositions nn optim own point programs random rewrite sundials)

file(GLOB folders LIST_DIRECTORIES true CONFIGURE_DEPENDS test/unit/*)
foreach(folder IN LISTS folders)
  get_filename_component(name ${folder} NAME)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS ${folder}/*.cpp)
  if(ETNA_SANITIZE STREQUAL "thread")
    if(NOT name STREQUAL "exec")
      continue()
    endif()
    set(files ${shared})
  elseif(name STREQUAL "exec")
    list(REMOVE_ITEM files ${dear})
    list(PREPEND files ${dear})
  endif()
  if(left_out)
    list(FILTER files EXCLUDE REGEX "/(${left_out})\\.cpp$")
  endif()
  if(ETNA_SANITIZE AND NOT ETNA_WHOLE AND name IN_LIST folders_left_out)
    continue()
  endif()
  if(name STREQUAL "sundials" AND NOT TARGET etna_sundials)
    continue()
  endif()
  if(name STREQUAL "alone")
    foreach(file IN LISTS files)
      get_filename_component(stem ${file} NAME_WE)
      etna_program(alone_${stem} ${file})
      etna_run(alone.${stem} alone_${stem} unit 2)
    endforeach()
  elseif(files)
    etna_program(unit_${name} ${files})
    etna_run(unit.${name} unit_${name} unit 2)
    if(name STREQUAL "sundials")
      target_link_libraries(unit_${name} PRIVATE etna_sundials)
    endif()
  endif()
endforeach()
