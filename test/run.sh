#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every test, with every compiler: g++, clang 16, the newest clang (static tests), a sanitized build, nvcc where present.
# Ends with one summary over all of them. Usage: sh test/run.sh
# With --whole, also what one build has that another has as well (docs/architecture/tests.md): half as long again.
# With --cuda, on a GPU: every row fused, and programs. Usage: Kokkos_ROOT=<a Kokkos built for CUDA> sh test/run.sh --cuda
set -u
case ${1:-} in
  "" | --whole) ;;
  --cuda)
    if [ ! -x "${Kokkos_ROOT:-}/bin/nvcc_wrapper" ]; then
      echo "etna: no bin/nvcc_wrapper in Kokkos_ROOT ('${Kokkos_ROOT:-}'); build Kokkos with -DKokkos_ENABLE_CUDA=ON, install it," \
        "and run: Kokkos_ROOT=<where> sh test/run.sh --cuda" >&2
      exit 2
    fi
    ;;
  *) echo "etna: unknown argument '$1'; usage: sh test/run.sh [--whole | --cuda]" >&2; exit 2 ;;
esac
cd "$(dirname "$0")/.." || exit 1
. test/configure.sh
whole=OFF
device_code="step+loops+moving straight"  # a step of training, loops, rows that are moved; straight-line code
[ "${1:-}" != --whole ] || whole=ON device_code=
start=$(date +%s)
jobs=$(nproc 2>/dev/null || echo 2)
failed=
say() { echo "== $(($(date +%s) - start)) s: $*"; }

# Found here rather than failed on later: what is missing and may be installed, then the libraries.
sh cmake/tools.sh g++ cmake || exit 1
[ "${1:-}" = --cuda ] ||
  sh cmake/tools.sh clang++-16 optional:newest-clang optional:ccache optional:clang-format-16 optional:clang-tidy-16 optional:mpi
sh cmake/prefix.sh || exit 1
rm -rf build/all
mkdir -p build/all

# build NAME [-DOPTION=...]...: configures build/NAME, to be built with the others, and adds its tests to the summary.
stages=
build() {
  name=$1
  shift
  say "$name: $*"
  if ! configure "$name" "$@"; then
    tail -20 "build/$name.log"
    failed="$failed $name"
    return
  fi
  stages="$stages $name"
  echo "subdirs(\"$PWD/build/$name\")" >>build/all/CTestTestfile.cmake
}

# build_all: one make over all of them, so that no processor waits for the end of a build. With -k: a file that does not
# compile fails its own tests and no other's.
build_all() {
  {
    echo ".PHONY: all $stages"
    echo "all: $stages"
    for name in $stages; do
      command="\$(MAKE) -C build/$name"
      [ "$name" = nvcc ] && command="MAKE='\$(MAKE)' sh cmake/cuda_test.sh build/nvcc $device_code"
      printf '%s:\n\t@%s >build/%s.log 2>&1 || { : >build/all/%s.failed; exit 1; }\n' "$name" "$command" "$name" "$name"
      printf '\t@echo "== $$(($$(date +%%s) - %s)) s: built %s"\n' "$start" "$name"
    done
  } >build/all/Makefile
  say "make"
  make -s -k -j "$jobs" -f build/all/Makefile || for name in $stages; do
    [ -e "build/all/$name.failed" ] || continue
    grep -E -A6 'error:|Error [0-9]' "build/$name.log" | head -60
    failed="$failed $name"
  done
}

every_compiler() {
  build gcc
  if command -v clang++-16 >/dev/null; then
    build clang16
    build sanitize
    if [ -e /usr/lib/llvm-16/lib/libarcher.so ]; then
      build thread
    else
      say "no libarcher.so of LLVM 16 on this machine: ThreadSanitizer did not run"
    fi
  else
    say "no clang++-16 on this machine: g++ only"
    build sanitize -DCMAKE_CXX_COMPILER=g++
  fi
  newest=$(ls /usr/bin/clang++-[0-9]* 2>/dev/null | sed 's/.*-//' | sort -n | tail -1)
  if [ "${newest:-0}" -gt 16 ]; then
    build "clang$newest" -DCMAKE_CXX_COMPILER="clang++-$newest" -DETNA_LANGUAGE_ONLY=ON
  else
    say "no clang newer than 16 can be had: the static tests ran with 16 and g++ only"
  fi
  if command -v nvcc >/dev/null; then
    say "nvcc: test/cuda"
    mkdir -p build/nvcc
    stages="$stages nvcc"
    echo "subdirs(\"$PWD/build/nvcc\")" >>build/all/CTestTestfile.cmake
  else
    say "no nvcc: the CUDA form of the kernels is not compiled"
  fi
}
case ${1:-} in
  --cuda) build cuda -DCMAKE_CXX_COMPILER="$Kokkos_ROOT/bin/nvcc_wrapper" ;;
  *) every_compiler ;;
esac
build_all

say "ctest"
[ -z "$failed" ] || echo "did not build entirely:$failed"
(cd build/all && CTEST_OUTPUT_ON_FAILURE=1 ctest -j "$jobs" --no-tests=error >ctest.log 2>&1 </dev/null)
status=$?
[ $status = 0 ] || grep -vE '^ *[0-9]+/[0-9]+ .* Passed|^ +Start ' build/all/ctest.log | tail -150
say "done"
tail -40 build/all/ctest.log | grep 'tests passed'
[ $status = 0 ] && [ -z "$failed" ]
