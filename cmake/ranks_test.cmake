# SPDX-License-Identifier: BSD-3-Clause
# test/ranks/*.cpp: programs of several processes, each started as 1 to 4 ranks, and scripts that disturb them. Sanitized
# builds have those that are all of the room, as 1 and 2 ranks.
if(NOT MPI_CXX_FOUND OR NOT MPIEXEC_EXECUTABLE)
  return()
endif()
# As root, more ranks than processors, and none that waits without leaving its processor: machines that test are so.
# (OpenMPI's words; another MPI ignores them.)
set(ranks_environment OMP_PROC_BIND=false OMP_NUM_THREADS=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_hwloc_base_binding_policy=none
  OMPI_MCA_btl=self,vader OMPI_MCA_btl_vader_single_copy_mechanism=none)

# etna_ranks(TEST PROGRAM RANKS [ARGUMENTS...]): a ctest entry.
function(etna_ranks test program ranks)
  add_test(NAME ${ETNA_TEST_TAG}${test}
    COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${ranks} ${MPIEXEC_PREFLAGS} $<TARGET_FILE:${program}> ${ARGN}
    WORKING_DIRECTORY ${PROJECT_BINARY_DIR})
  set_tests_properties(${ETNA_TEST_TAG}${test} PROPERTIES LABELS ranks TIMEOUT 120
    RESOURCE_LOCK mpirun  # several that begin at once trip over their common folder
    ENVIRONMENT "${ranks_environment}")
endfunction()

file(GLOB files CONFIGURE_DEPENDS test/ranks/*.cpp)
set(numbers_of_ranks 1 2 3 4)
if(ETNA_SANITIZE)
  set(files test/ranks/groups.cpp test/ranks/blocks.cpp)
  set(numbers_of_ranks 1 2)
  list(APPEND ranks_environment ASAN_OPTIONS=detect_leaks=0 ${ETNA_SANITIZE_ENVIRONMENT})  # OpenMPI leaks
endif()
foreach(file IN LISTS files)
  get_filename_component(stem ${file} NAME_WE)
  add_executable(ranks_${stem} ${file})
  target_link_libraries(ranks_${stem} PRIVATE etna::dist etna_dev)
  if(stem STREQUAL life)
    continue()  # the scripts start it
  endif()
  if(stem STREQUAL against_jax)  # whose reference has 8 devices
    etna_ranks(ranks.${stem}.8 ranks_${stem} 8)
    continue()
  endif()
  foreach(ranks IN LISTS numbers_of_ranks)
    etna_ranks(ranks.${stem}.${ranks} ranks_${stem} ${ranks} ${ranks})
  endforeach()
endforeach()
if(ETNA_SANITIZE)
  return()
endif()
etna_ranks(ranks.placement.8 ranks_placement 8 8)
# A checkpoint that four wrote, read by fewer.
set(saved ${PROJECT_BINARY_DIR}/ranks_checkpoint_of_four)
etna_ranks(ranks.checkpoint.save ranks_checkpoint 4 save ${saved})
set_tests_properties(${ETNA_TEST_TAG}ranks.checkpoint.save PROPERTIES FIXTURES_SETUP ${ETNA_TEST_TAG}checkpoint_of_four)
foreach(ranks 1 2 3)
  etna_ranks(ranks.checkpoint.load_${ranks} ranks_checkpoint ${ranks} load ${saved})
  set_tests_properties(${ETNA_TEST_TAG}ranks.checkpoint.load_${ranks} PROPERTIES
    FIXTURES_REQUIRED ${ETNA_TEST_TAG}checkpoint_of_four)
endforeach()
# A rank that throws says why, and takes the others along, which wait for it.
etna_ranks(ranks.throws ranks_trees 3 throws)
set_tests_properties(${ETNA_TEST_TAG}ranks.throws PROPERTIES TIMEOUT 20 PASS_REGULAR_EXPRESSION "a rank says: E107"
  FAIL_REGULAR_EXPRESSION "the others went on")
# Examples, each beside what one process computes.
foreach(example 24_data_parallel:2 26_heat:2 26_heat:3 27_pmap:2 27_pmap:4 28_vit_ranks:2 29_sharded:2 29_sharded:3
    29_sharded:4 30_vit_sharded:2)
  string(REGEX MATCH "^(.*):(.*)$" _ ${example})
  if(TARGET ${CMAKE_MATCH_1})
    etna_ranks(ranks.example.${CMAKE_MATCH_1}.${CMAKE_MATCH_2} ${CMAKE_MATCH_1} ${CMAKE_MATCH_2})
  endif()
endforeach()

# etna_ranks_script(TEST SECONDS FILE PROGRAMS...): a script, told where etna-run and the programs are. 77: it was skipped.
function(etna_ranks_script test seconds file)
  list(TRANSFORM ARGN REPLACE "(.+)" "$<TARGET_FILE:\\1>")
  add_test(NAME ${ETNA_TEST_TAG}${test}
    COMMAND sh ${PROJECT_SOURCE_DIR}/${file} ${PROJECT_SOURCE_DIR}/cmake/etna_run.sh ${ARGN}
    WORKING_DIRECTORY ${PROJECT_BINARY_DIR})
  set_tests_properties(${ETNA_TEST_TAG}${test} PROPERTIES LABELS ranks TIMEOUT ${seconds} PROCESSORS 2 RESOURCE_LOCK mpirun
    SKIP_RETURN_CODE 77 ENVIRONMENT "${ranks_environment};ETNA_MPIRUN=${MPIEXEC_EXECUTABLE}")
endfunction()
etna_ranks_script(ranks.faults 180 test/ranks/faults.sh ranks_life)
etna_ranks_script(ranks.two_hosts 120 test/ranks/two_hosts.sh ranks_life ranks_groups ranks_blocks)
