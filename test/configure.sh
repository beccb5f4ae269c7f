# SPDX-License-Identifier: BSD-3-Clause
# Sourced from the project's folder by run.sh and one.sh: what each build of the tests is configured with.
#   configure NAME [-DOPTION=...]...   makes build/NAME, with its words in build/NAME.log
configure() {
  name=$1
  shift
  # -O1: the tests are about values, and this is the fastest level that still inlines. Two widths of vectors are tried:
  # this machine's own with g++, the smallest with clang. Clang's programs are the sanitized ones: to compile and run them a
  # second time without sanitizers would cost a third of all.
  case $name in
    gcc) set -- -DCMAKE_CXX_COMPILER=g++ "-DCMAKE_CXX_FLAGS=-O1 -march=native" "$@" ;;
    clang16) set -- -DCMAKE_CXX_COMPILER=clang++-16 -DCMAKE_CXX_FLAGS=-O1 -DETNA_PROGRAMS=OFF "$@" ;;
    sanitize) set -- -DCMAKE_CXX_COMPILER=clang++-16 -DCMAKE_CXX_FLAGS=-O0 -DETNA_SANITIZE=ON "$@" ;;
    thread) set -- -DCMAKE_CXX_COMPILER=clang++-16 -DCMAKE_CXX_FLAGS=-O1 -DETNA_SANITIZE=thread "$@" ;;
  esac
  # Headers are compiled alone once, by clang, which is quicker and looks names up in templates more strictly.
  alone=ON
  if [ "$name" = gcc ] && [ "${whole:-OFF}" = OFF ] && command -v clang++-16 >/dev/null; then alone=OFF; fi
  mkdir -p build
  cmake -S . -B "build/$name" -G 'Unix Makefiles' ${Kokkos_ROOT:+-DKokkos_ROOT="$Kokkos_ROOT"} -DETNA_TEST_TAG="$name." \
    -DETNA_WHOLE="${whole:-OFF}" -DETNA_HEADERS_ALONE=$alone "$@" >"build/$name.log" 2>&1
}
