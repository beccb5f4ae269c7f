#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Mutation test of the rules: each mistake that mutate.py puts into include/etna/ops must fail a test that is made of the
# table (test/unit/ops/rows.cpp) or of blocks (control_flow.cpp, control_flow_written.cpp and custom_rules.cpp there,
# test/unit/control/named_axis.cpp), but for those in excused.txt.
# Usage: sh test/mutation/run.sh [PATTERN]   PATTERN: a regular expression over `file:line row function`, such as sin_p
# Needs python3. All mistakes are in one program a test file, so a pattern saves runs and compile time. About half an hour.
set -u
cd "$(dirname "$0")/../.." || exit 1
command -v python3 >/dev/null || { echo "no python3: the mutation test needs it"; exit 1; }
prefix=${ETNA_PREFIX:-$PWD/build/prefix}
lib=$prefix/usr/lib/$(g++ -dumpmachine)
loader=$(ls "$lib"/ld-linux*.so.* 2>/dev/null | head -1)
link="-L$lib -lkokkoscore -ldl -lz ${loader:+-Wl,--dynamic-linker=$loader} -Wl,--disable-new-dtags -Wl,-rpath,$lib:/usr/lib/$(g++ -dumpmachine) -Wl,--allow-shlib-undefined"
here=build/mutation
mutate="python3 test/mutation/mutate.py"
rm -rf $here
mkdir -p $here
cp -r include $here/
flags="-std=c++20 -fopenmp -O0 -w -fmax-errors=0 -fno-diagnostics-show-caret -I$here/include -Itest -isystem $prefix/usr/include
  -isystem $prefix/usr/include/kokkos -isystem /usr/include/kokkos -fconstexpr-ops-limit=4000000000 -fconstexpr-loop-limit=100000000 -fconstexpr-depth=4000 -ftemplate-depth=4000"
# clang, where it is there, is faster at saying which mistakes do not compile
check="g++ $flags"
for_clang="-std=c++20 -fopenmp -O0 -w -ferror-limit=0 -fspell-checking-limit=1 -fno-caret-diagnostics -I$here/include -Itest -isystem $prefix/usr/include
  -isystem $prefix/usr/include/kokkos -isystem /usr/include/kokkos -fconstexpr-steps=2000000000 -fconstexpr-depth=4000 -ftemplate-depth=4000 -fbracket-depth=4096"
command -v clang++-16 >/dev/null && check="clang++-16 $for_clang"
echo '#include <etna/language.hpp>' >$here/all.cpp
for i in 1 2 3 4 5 6 7 8; do
  $mutate write . $here $here/list "${1:-}" $here/dropped || exit 1
  [ "$i" -gt 3 ] && check="g++ $flags"
  if $check -fsyntax-only $here/all.cpp >$here/errors 2>&1; then
    case $check in g++*) break ;; esac
    check="g++ $flags"
  else
    $mutate errors $here/list $here/dropped <$here/errors
  fi
done
g++ $flags -c test/leaf.cpp -o $here/leaf.o || exit 1
programs=
for file in test/unit/ops/rows.cpp test/unit/ops/control_flow.cpp test/unit/ops/custom_rules.cpp test/unit/control/named_axis.cpp \
  test/unit/ops/control_flow_written.cpp; do
  out=$here/$(basename $file .cpp)
  build="g++ $flags"
  # what is written is compared name by name only where operands are evaluated in the order of constant evaluation
  case $file in *_written.cpp) command -v clang++-16 >/dev/null && build="clang++-16 $for_clang" ;; esac
  # what only an instantiation refuses is dropped here
  for i in 1 2 3; do
    if $build -DETNA_TEST_FOLDER="\"$PWD/test\"" -DDOCTEST_CONFIG_IMPLEMENT_WITH_MAIN $file $here/leaf.o -o "$out" $link >$here/errors 2>&1; then break; fi
    $mutate errors $here/list $here/dropped <$here/errors
    $mutate write . $here $here/list "${1:-}" $here/dropped
  done
  programs="$programs $out"
done
# shellcheck disable=SC2086
$mutate run $here/list $here/left $programs
