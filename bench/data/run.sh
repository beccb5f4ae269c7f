#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What a training step waits for its pictures: a folder of PNG files, read by threads, in the first epoch and from the cache.
# Usage: sh bench/data/run.sh upscaled [BATCHES THREADS]: how fast pictures of CIFAR-10's format become 448 x 448 and 224 x 224
#        sh bench/data/run.sh [SIZE, 32 or 224] [--count N] [--epochs N] [--threads N] [--ahead N] [--folder DIR] [--limit MB]
#   --count     pictures in the folder, which is made when it has fewer; default 4000
#   --limit     no cache, and the process may allocate no more than this
#   --folder    default build/data/SIZE;  OMP_NUM_THREADS: threads of a step, default one less than there are processors
#   CXX, ETNA_PREFIX as in bench/run.sh
set -eu
cd "$(dirname "$0")/../.."
build=build/data prefix=${ETNA_PREFIX:-$PWD/build/prefix}
size=32
case ${1:-} in 32 | 224 | upscaled) size=$1; shift ;; esac
sh cmake/prefix.sh
mkdir -p "$build"
cmake -S bench/data -B "$build" -DCMAKE_CXX_COMPILER="${CXX:-g++}" -DCMAKE_CXX_FLAGS="-O3 -march=native" \
  -DETNA_PREFIX="$prefix" >"$build/log" 2>&1 && cmake --build "$build" --target "data_$size" >>"$build/log" 2>&1 ||
  { tail -20 "$build/log"; exit 1; }
processors=$(nproc)
export OMP_NUM_THREADS="${OMP_NUM_THREADS:-$((processors > 1 ? processors - 1 : 1))}" OMP_PROC_BIND=false
[ "$size" = upscaled ] && exec "$build/data_upscaled" "$build/cifar" "$@"
exec "$build/data_$size" --folder "$build/$size" "$@"
