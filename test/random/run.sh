#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Random programs (programs.py) against themselves: fused, operation by operation, in place, by vmap, by differences (check.hpp), and
# with one thread against two. What fails stays in build/random. Usage: sh test/random/run.sh [FIRST SEED, 0] [PROGRAMS, 30]
# Needs python3 and a prefix (cmake/prefix.sh makes it); about six seconds a program. CXX and CXXFLAGS choose another compiler.
set -u
cd "$(dirname "$0")/../.." || exit 1
sh cmake/tools.sh python3 g++ || exit 1
sh cmake/prefix.sh || exit 1
prefix=${ETNA_PREFIX:-$PWD/build/prefix}
lib=$prefix/usr/lib/$(g++ -dumpmachine)
loader=$(ls "$lib"/ld-linux*.so.* 2>/dev/null | head -1)
link="-L$lib -lkokkoscore -ldl -lz ${loader:+-Wl,--dynamic-linker=$loader} -Wl,--disable-new-dtags -Wl,-rpath,$lib:/usr/lib/$(g++ -dumpmachine) -Wl,--allow-shlib-undefined"
limits="-fconstexpr-ops-limit=4000000000 -fconstexpr-loop-limit=100000000 -fconstexpr-depth=4000 -ftemplate-depth=4000"
case ${CXX:=g++} in *clang*) limits="-fconstexpr-steps=2000000000 -fconstexpr-depth=4000 -ftemplate-depth=4000 -fbracket-depth=4096" ;; esac
compile="$CXX -std=c++20 -fopenmp -w ${CXXFLAGS:--O1 -march=native} -Iinclude -Itest -isystem $prefix/usr/include -isystem $prefix/usr/include/kokkos -isystem /usr/include/kokkos $limits"
first=${1:-0} count=${2:-30} at_once=3 failed=0
here=build/random
mkdir -p $here
for part in main leaf; do $compile -c test/$part.cpp -o $here/${part}_$first.o || exit 1; done
seed=$first
while [ "$seed" -lt $((first + count)) ]; do
  rest=$((first + count - seed)) n=$at_once
  [ "$rest" -lt $n ] && n=$rest
  name=$here/$seed
  wrong=
  python3 test/random/programs.py "$seed" "$n" >"$name.cpp" || exit 1
  if ! $compile "$name.cpp" $here/main_$first.o $here/leaf_$first.o -o "$name" $link >"$name.log" 2>&1; then wrong="not compiled: $name.log"
  else
    for threads in 1 2; do
      OMP_PROC_BIND=false OMP_NUM_THREADS=$threads "$name" >"$name.$threads" 2>&1 || wrong="wrong: $name.$threads"
      grep '^bits' "$name.$threads" >"$name.bits.$threads"
    done
    [ -z "$wrong" ] && ! cmp -s "$name.bits.1" "$name.bits.2" && wrong="bits of one thread and of two: $name.bits.1, $name.bits.2"
  fi
  if [ -n "$wrong" ]; then
    failed=$((failed + 1))
    echo "seeds $seed to $((seed + n - 1)): $wrong"
  else rm -f "$name" "$name".*
  fi
  seed=$((seed + n))
done
rm -f $here/main_$first.o $here/leaf_$first.o
echo "$count programs from seed $first, $failed of their files failed"
[ "$failed" -eq 0 ]
