#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Compiles test/cuda/*.cu to objects with nvcc (no GPU needed, nothing is linked) and writes ctest entries that ask
# whether each object is there. Usage: sh cmake/cuda_test.sh BUILD [NAME...]      (ETNA_PREFIX as in prefix.sh)
# NAME: one of them, each of which takes nvcc up to a minute; default all. NAME+NAME: several as one object, which reads the headers once.
# As many at once as there are processors, or as the make that calls it has left.
set -u
cd "$(dirname "$0")/.." || exit 1
build=$1
shift
[ $# -gt 0 ] || set -- $(ls test/cuda | sed -n 's/\.cu$//p')
prefix=${ETNA_PREFIX:-$PWD/build/prefix}
mkdir -p "$build"
sh cmake/cuda_headers.sh "$prefix" "$build/kokkos" || exit 1
for name in "$@"; do
  case $name in *+*) printf '#include "%s.cu"\n' $(echo "$name" | tr + ' ') >"$build/$name.cu" ;; esac
  echo "add_test(nvcc.$name test -s \"$PWD/$build/$name.o\")"
done >"$build/CTestTestfile.cmake"
case ${MAKEFLAGS:-} in *jobserver*) jobs= ;; *) jobs=-j$(nproc 2>/dev/null || echo 2) ;; esac
${MAKE:-make} -k $jobs -f cmake/cuda_test.mk names="$*" build="$build" prefix="$prefix" \
  include="$(dirname "$(find "$prefix" -name Kokkos_Core.hpp | head -1)")"
