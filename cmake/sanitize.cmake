# SPDX-License-Identifier: BSD-3-Clause
# Tests with sanitizers; a report ends the test. -DETNA_SANITIZE=ON: AddressSanitizer and UndefinedBehaviorSanitizer.
# -DETNA_SANITIZE=thread: ThreadSanitizer, for the programs in which threads run. It needs clang and its OpenMP runtime, whose
# tool Archer tells the sanitizer what the runtime orders; without it every parallel loop would look like a race. A Kokkos
# that g++ compiled is fine: what it asks of OpenMP goes to the same runtime.
set(ETNA_SANITIZE OFF CACHE STRING "Tests with sanitizers: OFF, ON (AddressSanitizer and UBSan) or thread (ThreadSanitizer)")
set(sanitize "")
if(ETNA_SANITIZE STREQUAL "thread")
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "etna: ETNA_SANITIZE=thread needs clang; give -DCMAKE_CXX_COMPILER=clang++-16")
  endif()
  string(REGEX MATCH "^[0-9]+" version "${CMAKE_CXX_COMPILER_VERSION}")
  find_file(ETNA_ARCHER libarcher.so PATHS /usr/lib/llvm-${version}/lib PATH_SUFFIXES lib)
  find_program(ETNA_SYMBOLIZER NAMES llvm-symbolizer-${version} llvm-symbolizer)
  mark_as_advanced(ETNA_ARCHER ETNA_SYMBOLIZER)
  if(NOT ETNA_ARCHER)
    message(FATAL_ERROR "etna: ETNA_SANITIZE=thread needs libarcher.so of LLVM's OpenMP (libomp-${version}-dev); give -DETNA_ARCHER=...")
  endif()
  set(sanitize -fsanitize=thread)
  # For the tests' environment: libraries that are not instrumented (Kokkos, libomp) are not judged.
  set(ETNA_SANITIZE_ENVIRONMENT "OMP_TOOL_LIBRARIES=${ETNA_ARCHER}" KMP_BLOCKTIME=0
    "TSAN_OPTIONS=ignore_noninstrumented_modules=1:halt_on_error=1:external_symbolizer_path=${ETNA_SYMBOLIZER}")
elseif(ETNA_SANITIZE)
  set(sanitize -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    list(APPEND sanitize -fsanitize-ignorelist=${PROJECT_SOURCE_DIR}/cmake/sanitize_ignore.txt)
  endif()
endif()
if(sanitize)
  # Without -g: lines of files would take a seventh of the time; a report names functions without them.
  target_compile_options(etna_dev INTERFACE ${sanitize})
  target_link_options(etna_dev INTERFACE ${sanitize})
endif()
