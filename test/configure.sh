# SPDX-License-Identifier: BSD-3-Clause
# Sourced from the project's folder by run.sh and one.sh: what each build of the tests is configured with.
#   configure NAME [-DOPTION=...]...   makes build/NAME, with its words in build/NAME.log; CXXFLAGS are added to its own
configure() {
  name=$1
  shift
  # The tests are about values: -Og with g++ and -O1 with clang are the fastest levels that still inline. Two widths of vectors are tried:
  # this machine's own with g++, the smallest with clang. Clang's programs are the sanitized ones: to compile and run them a
  # second time without sanitizers would cost a third of all.
  # g++ collects garbage when its heap has grown by a third, which is a tenth to a quarter of its time: here when it has a
  # quarter of what memory there is for each job.
  heap=$(awk '/^MemTotal/ { print int($2 / 4) }' /proc/meminfo 2>/dev/null || echo 1000000)
  heap=$((${heap:-1000000} / $(nproc 2>/dev/null || echo 2)))
  case $name in
    gcc) set -- -DCMAKE_CXX_COMPILER=g++ "-DCMAKE_CXX_FLAGS=-Og -march=native --param ggc-min-heapsize=$heap ${CXXFLAGS:-}" "$@" ;;
    clang16) set -- -DCMAKE_CXX_COMPILER=clang++-16 "-DCMAKE_CXX_FLAGS=-O1 ${CXXFLAGS:-}" -DETNA_PROGRAMS=OFF "$@" ;;
    sanitize) set -- -C cmake/preset/sanitize.cmake "$@" ;;
    thread) set -- -C cmake/preset/sanitize.cmake "-DCMAKE_CXX_FLAGS=-O1 ${CXXFLAGS:-}" -DETNA_SANITIZE=thread "$@" ;;
  esac
  # Headers are compiled alone once, by clang, which is quicker and looks names up in templates more strictly; so is what runs
  # outside of jit only, with sanitizers.
  alone=ON beside=OFF
  if [ "$name" = gcc ] && [ "${whole:-OFF}" = OFF ] && command -v clang++-16 >/dev/null; then alone=OFF beside=ON; fi
  mkdir -p build
  cmake -S . -B "build/$name" -G 'Unix Makefiles' ${Kokkos_ROOT:+-DKokkos_ROOT="$Kokkos_ROOT"} -DETNA_TEST_TAG="$name." \
    -DETNA_WHOLE="${whole:-OFF}" -DETNA_HEADERS_ALONE=$alone -DETNA_BESIDE_SANITIZED=$beside "$@" >"build/$name.log" 2>&1
}
