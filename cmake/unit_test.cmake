# SPDX-License-Identifier: BSD-3-Clause
# test/unit/<room>/**.cpp: one doctest program per room, small as it may be: a program costs some tenths of a second to
# link. One ctest entry each.
# test/unit/alone/*.cpp: a program per file, for what must own its process (initialisation, allocation counts).
# What is so large that threads share it, or is called by several. ThreadSanitizer is for these, as one program.
set(shared data/ahead exec/float_mode exec/run lower/kept planning/epilogues planning/memory planning/stencils programs/sgd100
  train/background train/chrome_trace train/saver)
if(ETNA_WHOLE)
  list(APPEND shared exec/explain)  # its kernels are those of the others, with clocks around them
endif()
# What multiplies many numbers, or measures the machine. The other sanitizers' build, which is not optimised, optimises
# these, and links them first: of a function that several files of a program have, the linker takes the first.
set(dear exec/explain lower/folded_axis lower/gemm lower/gemm_narrow lower/statements_non_temporal planning/epilogues
  programs/sgd100)
foreach(list shared dear)
  list(TRANSFORM ${list} REPLACE "(.+)" "${PROJECT_SOURCE_DIR}/test/unit/\\1.cpp")
endforeach()
if(ETNA_SANITIZE STREQUAL "thread")
  etna_program(unit_shared ${shared})
  etna_run(unit.shared unit_shared unit 2)
  return()
endif()
if(ETNA_SANITIZE)
  set_source_files_properties(${dear} PROPERTIES COMPILE_OPTIONS -O1 SKIP_PRECOMPILE_HEADERS ON)
endif()
# What a sanitizer sees of these it sees of others too, or they are about values and plans alone, so they need
# ETNA_WHOLE: control_flow_written.cpp compares the equations of rules that control_flow.cpp and custom_rules.cpp run,
# custom.cpp is the derivatives of loops and rules that scan.cpp, branch.cpp and custom_rules.cpp run, explain.cpp has
# the kernels of others with clocks around them, binding.cpp, fit.cpp, predict.cpp and keep.cpp are mostly constant
# evaluation, math_kinks.cpp and math_functions.cpp are JAX's numbers for rows that fused_rows_*.cpp have, and
# convolution.cpp for patches and products that lower/ has; associate.cpp, simplify.cpp and stage.cpp are about what
# is not computed, or when, point.cpp is single numbers, and loops that are one function, which alone/ has, are their
# equations on numbers in the object, as in straight.cpp; lower/accuracy.cpp is the values of millions of numbers;
# math_astype.cpp is the conversions of converting.cpp and narrow.cpp, and npz_types.cpp the files of npy.cpp and
# npz.cpp, of all element types; fused_rows_1.cpp to fused_rows_3.cpp are the loops of fused_rows_0.cpp and
# fused_walks.cpp around other rows, and rewrite/example_lanes.cpp those of planning/piece_places.cpp around more of
# them; small_linalg.cpp is arithmetic on slices.
string(JOIN "|" not_sanitized ops/control_flow_written array/binding control/custom control/keep dist/predict
  exec/explain exec/fit exec/point numpy/convolution numpy/math_kinks numpy/math_functions numpy/math_astype
  numpy/small_linalg interop/npz_types lower/accuracy lower/fused_rows_1 lower/fused_rows_2 lower/fused_rows_3
  rewrite/associate rewrite/example_lanes rewrite/simplify rewrite/stage alone/branch alone/loops alone/scan)
set(left_out "")
if(ETNA_SANITIZE AND NOT ETNA_WHOLE)
  set(left_out ${not_sanitized})
elseif(ETNA_BESIDE_SANITIZED AND NOT ETNA_WHOLE)
  # And these run rules outside of jit only: the sanitized build has their values as well. Two of five files of
  # random compositions are as the others.
  string(JOIN "|" left_out ops/control_flow ops/custom_rules compositions/seeds_25 compositions/seeds_58)
endif()

# Whole rooms likewise: transforms of transforms, whole programs, texts of graphs, draws and single numbers run the
# rules, loops and kernels that the rooms named after these test.
set(rooms_left_out compiler compositions models nn optim own programs random straight sundials)
# And those about files, threads, sockets and words, which are the same with every width of vectors, are the sanitized
# build's where there is one, but for what that leaves out.
set(rooms_beside data dist group interop message)

file(GLOB rooms LIST_DIRECTORIES true CONFIGURE_DEPENDS test/unit/*)
foreach(room IN LISTS rooms)
  get_filename_component(name ${room} NAME)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS ${room}/*.cpp)
  set(first ${dear})
  list(FILTER first INCLUDE REGEX "/${name}/[^/]*$")
  if(first)
    list(REMOVE_ITEM files ${first})
    list(PREPEND files ${first})
  endif()
  if(left_out)
    list(FILTER files EXCLUDE REGEX "/unit/(${left_out})\\.cpp$")
  endif()
  if(ETNA_SANITIZE AND NOT ETNA_WHOLE AND name IN_LIST rooms_left_out)
    continue()
  endif()
  if(ETNA_BESIDE_SANITIZED AND NOT ETNA_WHOLE AND name IN_LIST rooms_beside)
    list(FILTER files INCLUDE REGEX "/unit/(${not_sanitized})\\.cpp$")
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
