#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Programs by chance under vmap against the interpreter (unit/rewrite/random_lanes.cpp): two hundred, or as many as are named.
# Usage: sh test/random/lanes.sh [FIRST [COUNT]]      some 20 s a program; it ends with 1 where one differs
set -eu
cd "$(dirname "$0")/../.."
first=${1:-0} count=${2:-200} each=5 status=0
sh test/one.sh unit/rewrite/random_lanes >/dev/null  # builds what all of them share
cd build/gcc
compile=$(sed -n '/"command".*random_lanes\.cpp"/{s/^ *"command": "//; s/",$//; s/ -o [^ ]*//; s/\\\\\\"/\\"/g; p; q;}' compile_commands.json)
link=$(sed -e 's, CMakeFiles/unit_rewrite\.dir/[^ ]*\.o,,g' -e 's, -o unit_rewrite , random_lanes.o -o random_lanes ,' CMakeFiles/unit_rewrite.dir/link.txt)
n=$first
while [ "$n" -lt $((first + count)) ]; do
  sh -c "$compile -DETNA_FIRST_SEED=$n -DETNA_SEEDS=$each -o random_lanes.o && $link" >random_lanes.log 2>&1 ||
    { grep -m5 error random_lanes.log; exit 1; }
  if OMP_NUM_THREADS=2 ./random_lanes >random_lanes.log 2>&1; then echo "$n to $((n + each - 1)): as the interpreter"
  else
    status=1
    grep -E 'ERROR|Seed|values' random_lanes.log | head -20
    echo "$n to $((n + each - 1)): not as the interpreter"
  fi
  n=$((n + each))
done
exit $status
