#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The largest errors of elementary functions in kernels, in units of the last place, and special values that are wrong.
# f32 functions of one number are tried with all 2^32, others with 10^8 arguments, by the C library and libquadmath.
# Exit status 1 where one is more than 2 ulp off, or a special or an exact value wrong. docs/accuracy.md says more.
# Usage: sh bench/accuracy/run.sh [--quick] [--arches] [--markdown] [NAME...]
#   NAME          functions of test/accuracy/functions.hpp; default all
#   --quick       f32 with every 1,021st number, others with 4,000,000: some seconds each instead of a minute
#   --arches      with each of three widths of vectors: SSE2 without FMA, AVX2 with it, AVX-512
#   --markdown    a table for a page
#   ARCH          as -march has it, default native;  CXX: g++ (libquadmath comes with it);  CXXFLAGS: default -O2
#   ETNA_PREFIX   as in cmake/prefix.sh
set -eu
cd "$(dirname "$0")/../.."
prefix=${ETNA_PREFIX:-$PWD/build/prefix}
arches=${ARCH:-native}
for a; do
  shift
  case $a in
    --arches) arches="x86-64 x86-64-v3 x86-64-v4" ;;
    --quick | --markdown) set -- "$@" "$a" ;;
    -*) echo "etna: unknown option '$a'; usage: sh bench/accuracy/run.sh [--quick] [--arches] [--markdown] [NAME...]" >&2; exit 2 ;;
    *) set -- "$@" "$a" ;;
  esac
done
sh cmake/prefix.sh
mkdir -p build/accuracy
python3 bench/accuracy/hard.py 53 >build/accuracy/hard
python3 bench/accuracy/hard.py 24 >>build/accuracy/hard
status=0
for arch in $arches; do
  build=build/accuracy/$arch
  case $arch in
    x86-64-v3) needs=avx2 ;;
    x86-64-v4) needs=avx512vl ;;
    *) needs= ;;
  esac
  if [ -n "$needs" ] && ! grep -qw "$needs" /proc/cpuinfo; then
    echo "etna: this processor has no $needs: nothing is said of -march=$arch"
    continue
  fi
  mkdir -p "$build"
  cmake -S bench/accuracy -B "$build" -DCMAKE_CXX_COMPILER="${CXX:-g++}" -DCMAKE_CXX_FLAGS="${CXXFLAGS:--O2} -march=$arch" \
    -DETNA_PREFIX="$prefix" >"$build/log" 2>&1 && cmake --build "$build" -j 2 >>"$build/log" 2>&1 || { tail -20 "$build/log"; exit 1; }
  echo "-march=$arch"
  # one thread a call: the program has threads of its own
  OMP_NUM_THREADS=1 OMP_PROC_BIND=false "$build/accuracy" --hard build/accuracy/hard "$@" || status=$?
done
exit $status
