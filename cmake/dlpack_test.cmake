# SPDX-License-Identifier: BSD-3-Clause
# test/dlpack: a shared library, and a program in Python that gives it NumPy's arrays. Skipped where that Python has no NumPy.
find_package(Python3 QUIET COMPONENTS Interpreter)
if(Python3_FOUND)  # the program itself, and no script that chooses one: a loader may start it
  execute_process(COMMAND ${Python3_EXECUTABLE} -c "import os, sys; print(os.path.realpath(sys.executable))"
    OUTPUT_VARIABLE etna_python OUTPUT_STRIP_TRAILING_WHITESPACE)
endif()
set(ETNA_PYTHON "${etna_python}" CACHE FILEPATH "A Python with NumPy, and JAX and PyTorch where they are to be tested")
if(ETNA_SANITIZE OR NOT ETNA_PYTHON)
  return()  # a sanitizer must be in the program, which is Python
endif()
add_library(dlpack_library SHARED test/dlpack/library.cpp)
target_link_libraries(dlpack_library PRIVATE etna::etna etna_dev)
add_test(NAME ${ETNA_TEST_TAG}dlpack.numpy
  COMMAND ${ETNA_LOADER} ${ETNA_PYTHON} ${PROJECT_SOURCE_DIR}/test/dlpack/check.py $<TARGET_FILE:dlpack_library>)
set_tests_properties(${ETNA_TEST_TAG}dlpack.numpy PROPERTIES LABELS dlpack TIMEOUT 120 SKIP_RETURN_CODE 77
  ENVIRONMENT "OMP_PROC_BIND=false;OMP_NUM_THREADS=2")
