#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Compiles test/cuda/*.cu to objects with nvcc (no GPU needed, nothing is linked) and writes ctest entries that ask
# whether each object is there. Usage: sh cmake/cuda_test.sh BUILD      (ETNA_PREFIX as in prefix.sh)
set -u
cd "$(dirname "$0")/.." || exit 1
build=$1
prefix=${ETNA_PREFIX:-$PWD/build/prefix}
mkdir -p "$build"
sh cmake/cuda_headers.sh "$prefix" "$build/kokkos" || exit 1
include=$(dirname "$(find "$prefix" -name Kokkos_Core.hpp | head -1)")
status=0
: >"$build/CTestTestfile.cmake"
for file in test/cuda/*.cu; do
  [ -e "$file" ] || continue
  name=$(basename "$file" .cu)
  rm -f "$build/$name.o"
  # The limits of limits.cmake; the host compiler's own go through -Xcompiler.
  nvcc -std=c++20 -arch=sm_90 -DETNA_MOST_STRAIGHT=0 --expt-extended-lambda --expt-relaxed-constexpr \
    -Xcudafe --max_cost_constexpr_call=2000000000 -Xcudafe --max_depth_constexpr_call=4000 \
    -Xcompiler -fconstexpr-ops-limit=4000000000,-fconstexpr-loop-limit=100000000,-fconstexpr-depth=4000 \
    -Xcompiler -ftemplate-depth=4000 -ftemplate-depth 4000 \
    -Iinclude -Itest -I"$build/kokkos" -isystem "$prefix/usr/include" -isystem "$include" \
    -c "$file" -o "$build/$name.o" >"$build/$name.log" 2>&1 || { grep -m5 -A4 error "$build/$name.log"; status=1; }
  echo "add_test(nvcc.$name test -s \"$PWD/$build/$name.o\")" >>"$build/CTestTestfile.cmake"
done
exit $status
