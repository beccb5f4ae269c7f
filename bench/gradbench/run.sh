#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# GradBench's lse, llsq, kmeans, ode, det and lstm at their published sizes: time of the derivative by that of the primal by
# hand, f64, on one pinned core. The derivatives are checked first.
# Usage: sh bench/gradbench/run.sh [NAME...] [--seconds S] [--rounds N]
#   NAME          part of a workload's name; default all
#   --seconds     for each of the two, and each round; default 0.2
#   --rounds      whose median is taken; default 5
#   CXX           default g++;  ETNA_PREFIX as in cmake/prefix.sh
set -eu
cd "$(dirname "$0")/../.."
prefix=${ETNA_PREFIX:-$PWD/build/prefix} build=build/bench_gradbench
sh cmake/prefix.sh
mkdir -p "$build"
cmake -S bench/gradbench -B "$build" -DCMAKE_CXX_COMPILER="${CXX:-g++}" -DCMAKE_CXX_FLAGS="-O3 -march=native" \
  -DETNA_PREFIX="$prefix" >"$build/log" 2>&1 && cmake --build "$build" >>"$build/log" 2>&1 || { tail -20 "$build/log"; exit 1; }
first=$(taskset -cp $$ 2>/dev/null | sed 's/.*: *//; s/[-,].*//')  # of the cores that this process may use
[ -z "$first" ] || pin="taskset -c $first"
OMP_NUM_THREADS=1 OMP_PROC_BIND=false exec ${pin:-} "$build/bench_gradbench" "$@"
