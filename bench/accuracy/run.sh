#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The largest errors of elementary functions in kernels, in units of the last place, and special values that are wrong.
# f32 functions of one number are tried with all 2^32, others with 10^8 arguments, by the C library and libquadmath.
# Exit status 1 where one is more than 2 ulp off, or a special or an exact value wrong. docs/accuracy.md says more.
# Usage: sh bench/accuracy/run.sh [--quick] [--arches] [--markdown | --page | --bits] [NAME...]
#   NAME          functions of test/accuracy/functions.hpp; default all
#   --quick       f32 with every 1,021st number, others with 4,000,000: some seconds each instead of a minute
#   --arches      with each of three widths of vectors: SSE2 without FMA, AVX2 with it, AVX-512
#   --markdown    a table for a page;  --page: the tables of docs/accuracy.md are written anew
#   --bits        a checksum of each function's results instead: where two programs print the same, so do their functions
#   ARCH          as -march has it, default native;  CXX: g++ (libquadmath comes with it);  CXXFLAGS: default -O2
#   ETNA_PREFIX   as in cmake/prefix.sh
set -eu
cd "$(dirname "$0")/../.."
prefix=${ETNA_PREFIX:-$PWD/build/prefix}
arches=${ARCH:-native} page=
for a; do
  shift
  case $a in
    --arches) arches="x86-64 x86-64-v3 x86-64-v4" ;;
    --page) page=build/accuracy/tables; set -- "$@" --markdown ;;
    --quick | --markdown | --bits) set -- "$@" "$a" ;;
    -*) echo "etna: unknown option '$a'; usage: sh bench/accuracy/run.sh [--quick] [--arches] [--markdown | --page | --bits] [NAME...]" >&2; exit 2 ;;
    *) set -- "$@" "$a" ;;
  esac
done
case "$page $*" in *tables*--bits*) echo "etna: --page is of errors, not of --bits" >&2; exit 2 ;; esac
sh cmake/prefix.sh
mkdir -p build/accuracy
python3 bench/accuracy/hard.py 53 >build/accuracy/hard
python3 bench/accuracy/hard.py 24 >>build/accuracy/hard
table() { # ARCH: builds the program for it, runs it
  arch=$1 build=build/accuracy/$1
  shift
  case $arch in
    x86-64-v3) needs=avx2 ;;
    x86-64-v4) needs=avx512vl ;;
    *) needs= ;;
  esac
  if [ -n "$needs" ] && ! grep -qw "$needs" /proc/cpuinfo; then
    echo "etna: this processor has no $needs: nothing is said of -march=$arch"
    return 0
  fi
  mkdir -p "$build"
  cmake -S bench/accuracy -B "$build" -DCMAKE_CXX_COMPILER="${CXX:-g++}" -DCMAKE_CXX_FLAGS="${CXXFLAGS:--O2} -march=$arch" \
    -DETNA_PREFIX="$prefix" >"$build/log" 2>&1 && cmake --build "$build" -j 2 >>"$build/log" 2>&1 ||
    { grep -m5 error "$build/log" || tail -20 "$build/log"; return 2; }
  printf '\n`-march=%s`, %s, %s\n\n' "$arch" "$(${CXX:-g++} --version | head -1)" "$(date -u +%F)"
  # one thread a call: the program has threads of its own
  OMP_NUM_THREADS=1 OMP_PROC_BIND=false "$build/accuracy" --hard build/accuracy/hard "$@"
}
status=0
[ -z "$page" ] || exec 3>&1 >"$page"
for arch in $arches; do table "$arch" "$@" || status=$?; done
[ -n "$page" ] || exit $status
exec >&3
[ $status != 2 ] || { tail -20 "$page"; exit 2; }
awk -v tables="$page" '
  /<!-- end of tables -->/ { skip = 0; print "" }
  !skip
  /<!-- tables -->/ { skip = 1; while ((getline line <tables) > 0) print line }' docs/accuracy.md >build/accuracy/page
cp build/accuracy/page docs/accuracy.md
exit $status
