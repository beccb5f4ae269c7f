# SPDX-License-Identifier: BSD-3-Clause
# etna from outside: a project of its own by find_package on an installation, by add_subdirectory, and by
# FetchContent. The last two are CMake's business; a build without programs, beside one with them, leaves them out.
set(stage ${PROJECT_BINARY_DIR}/stage)
add_test(NAME ${ETNA_TEST_TAG}consumer.install COMMAND
  ${CMAKE_COMMAND} --install ${PROJECT_BINARY_DIR} --prefix ${stage})
set_tests_properties(${ETNA_TEST_TAG}consumer.install PROPERTIES FIXTURES_SETUP ${ETNA_TEST_TAG}stage LABELS consumer)
set(ways find_package add_subdirectory fetch_content)
if(NOT ETNA_PROGRAMS AND NOT ETNA_WHOLE)
  set(ways find_package)
endif()
foreach(way IN LISTS ways)
  add_test(NAME ${ETNA_TEST_TAG}consumer.${way} COMMAND ${CMAKE_CTEST_COMMAND}
    --build-and-test ${PROJECT_SOURCE_DIR}/test/consumer/${way} ${PROJECT_BINARY_DIR}/consumer/${way}
    --build-generator ${CMAKE_GENERATOR} --build-noclean
    --build-options -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER} -DCMAKE_PREFIX_PATH=${stage} -DKokkos_ROOT=${Kokkos_ROOT}
    -DETNA_PREFIX=${ETNA_PREFIX} --test-command consumer)
  set_tests_properties(${ETNA_TEST_TAG}consumer.${way} PROPERTIES FIXTURES_REQUIRED ${ETNA_TEST_TAG}stage LABELS consumer
    TIMEOUT 600 COST 100 ENVIRONMENT OMP_PROC_BIND=false)  # first, since they are long
endforeach()
