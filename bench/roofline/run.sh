#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The kernels of the README's training step on the roofline of this machine: a table, and a picture.
# Usage: sh bench/roofline/run.sh [PICTURE]
#   PICTURE       an SVG, default build/roofline/roofline.svg
#   OMP_NUM_THREADS, CXX, ETNA_PREFIX, ETNA_PEERS, BENCH_SETUP as in bench/run.sh
set -eu
cd "$(dirname "$0")/../.."
build=build/roofline prefix=${ETNA_PREFIX:-$PWD/build/prefix}
picture=${1:-$build/roofline.svg}
. bench/peers/environment.sh
sh cmake/prefix.sh
mkdir -p "$build"
cmake -S bench/roofline -B "$build" -DCMAKE_CXX_COMPILER="${CXX:-g++}" -DCMAKE_CXX_FLAGS="-O3 -march=native" \
  -DETNA_PREFIX="$prefix" >"$build/log" 2>&1 && cmake --build "$build" >>"$build/log" 2>&1 || { tail -20 "$build/log"; exit 1; }
export OMP_PROC_BIND=false
"$build/roofline" table
"$build/roofline" >"$build/explanation.json"
"$peers/bin/python" bench/roofline/draw.py "$build/explanation.json" "$picture"
echo "$picture"
