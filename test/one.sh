#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Builds and runs one file of the tests, as test/run.sh would: a file of unit/, alone/, backend/ or life/ with the build's compiler,
# one of static/ is compiled, one of fail/ is tried with both compilers, one of accuracy/ with all widths of vectors.
# Usage: sh test/one.sh NAME [BUILD]     NAME: a path, or its end: stencils, unit/ops/known; BUILD: gcc (default), clang16 or sanitize
# A build that is not there is configured first, and what all of its programs share is compiled once.
set -eu
cd "$(dirname "$0")/.."
. test/configure.sh
[ $# -ge 1 ] || { echo "etna: no test named; usage: sh test/one.sh NAME [BUILD]" >&2; exit 2; }
if [ -f "$1" ]; then file=$1
else file=$(find test/unit test/static test/fail test/backend test/life test/accuracy examples -path "*/${1%.cpp}.cpp"); fi
case $file in
  "") echo "etna: no test file '$1' under unit/, static/, fail/, backend/, life/ and accuracy/ of test/, nor in examples/" >&2; exit 2 ;;
  *"
"*) printf 'etna: which of these?\n%s\n' "$file" >&2; exit 2 ;;
esac
file=${file#"$PWD/"} build=${2:-gcc} stem=$(basename "$file" .cpp)
case $build in gcc | clang16 | sanitize) ;; *) echo "etna: no build '$build'; there are gcc, clang16 and sanitize" >&2; exit 2 ;; esac

ready() { # BUILD: configured
  # A prefix that is there is not looked at again.
  [ -d "${ETNA_PREFIX:-build/prefix}" ] || sh cmake/prefix.sh
  [ -f "build/$1/Makefile" ] || configure "$1" || { tail -20 "build/$1.log"; exit 1; }
}
make_in() { # BUILD TARGETS...
  b=$1
  shift
  make -s --no-print-directory -j "$(nproc 2>/dev/null || echo 2)" -C "build/$b" "$@"
}
object() { # TARGET: the file's object, as part of TARGET
  make_in "$build" -f "CMakeFiles/$1.dir/build.make" "CMakeFiles/$1.dir/depend"
  make_in "$build" -f "CMakeFiles/$1.dir/build.make" "CMakeFiles/$1.dir/$file.o"
}
tests() { # BUILD REGEX
  (cd "build/$1" && ctest --output-on-failure --no-tests=error -R "^$1\\.$2")
}

ready "$build"
if ! grep -q "\"$PWD/$file\"" "build/$build/compile_commands.json"; then  # left out, or new
  whole=ON
  configure "$build" || { tail -20 "build/$build.log"; exit 1; }
fi
grep -q "\"$PWD/$file\"" "build/$build/compile_commands.json" || { echo "etna: the build $build has no $file; gcc has all of unit/" >&2; exit 2; }
make_in "$build" cmake_check_build_system  # a file may be new
case $file in
  test/fail/*)
    for b in gcc clang16; do
      [ $b = gcc ] || command -v clang++-16 >/dev/null || continue
      ready $b
      make_in $b fail_pch unit_pch
      tests $b "fail\\.$stem\$"
    done ;;
  test/static/*)
    object "static.$(basename "$(dirname "$file")")"
    echo "$file compiles, so it passes" ;;
  test/backend/*) make_in "$build" "backend_$stem"; tests "$build" "backend\\.$stem\\." ;;
  test/accuracy/*)
    # shellcheck disable=SC2046
    make_in "$build" $(make -s -C "build/$build" help | grep -o "accuracy_${stem}_[a-z0-9]*")
    tests "$build" "accuracy\\.$stem\\." ;;
  test/life/*) make_in "$build" life life_library; tests "$build" "life\\." ;;
  test/unit/alone/*) make_in "$build" "alone_$stem"; tests "$build" "alone\\.$stem\$" ;;
  examples/[0-9]*) make_in "$build" "$stem"; tests "$build" "example\\.$stem\$" ;;
  test/unit/*)
    # The room's program with this file for all of its files.
    folder=${file#test/unit/} folder=${folder%%/*} target=unit_${folder%%/*}
    shared="unit_pch unit_main"
    grep -q all_eager "build/$build/CMakeFiles/$target.dir/link.txt" && shared="$shared all_eager"
    # shellcheck disable=SC2086
    make_in "$build" $shared
    object "$target"
    cd "build/$build"
    sh -c "$(sed -e "s, CMakeFiles/$target\\.dir/[^ ]*\\.o,,g" -e "s, -o $target , CMakeFiles/$target.dir/$file.o -o one_$stem ," \
      "CMakeFiles/$target.dir/link.txt")"
    ETNA_ONE_FILE=1 OMP_PROC_BIND=false OMP_WAIT_POLICY=passive OMP_NUM_THREADS=2 "./one_$stem" ;;
  *) echo "etna: '$file' is of none of unit/, static/, fail/, backend/, life/, accuracy/; sh test/run.sh runs it" >&2; exit 2 ;;
esac
