#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Programs that nobody tuned for, beside JAX: small arrays under vmap, gathers, things put together from pieces. Numbers are
# compared first; then both run in turns on one pinned core.
# Usage: sh bench/wide/run.sh [NAME... | single | forms | bytes [NAME...]] [--seconds S] [--rounds N]
#   ETNA_PEERS    the virtual environment with jax, as for bench/run.sh
#   CXX           default g++;  ETNA_PREFIX as in cmake/prefix.sh
set -eu
cd "$(dirname "$0")/../.."
prefix=${ETNA_PREFIX:-$PWD/build/prefix} build=build/bench_wide flags="-O3 -march=native"
if [ "${1:-}" = bytes ]; then build=build/bench_wide_bytes flags="-O1 -march=native -DWIDE_EXPLAIN"; fi  # plans are the same
. bench/peers/environment.sh
sh cmake/prefix.sh
mkdir -p "$build"
cmake -S bench/wide -B "$build" -DCMAKE_CXX_COMPILER="${CXX:-g++}" -DCMAKE_CXX_FLAGS="$flags" -DETNA_PREFIX="$prefix" >"$build/log" 2>&1 &&
  cmake --build "$build" -j 2 >>"$build/log" 2>&1 || { tail -20 "$build/log"; exit 1; }
exec python3 bench/wide/drive.py --bench "$build/wide" --venv "$peers" "$@"
