#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# etna against its peers on one machine, in turns: medians and ratios. All must give the same numbers before they are timed.
# Usage: sh bench/run.sh [NAME...] [--threads 1|2] [--peers cpp,xtensor,jax,torch,torch.compile] [--seconds S] [--rounds N] [--json FILE [--picture FILE]]
#        sh bench/run.sh operations [NAME...] ...                single operations, beside JAX; the rest as above
#        sh bench/run.sh products [--seconds S] [--blas FILE]    matrix products alone, beside OpenBLAS and the core's peak
#   NAME          part of a job's name; default all
#   --picture     the ratios as an SVG; python bench/run/ratios.py PICTURE FILE... draws several runs as one
#   --blas        OpenBLAS; default that of the peers' NumPy, else the system's, else none
#   ETNA_PEERS    the virtual environment of the peers, default etna-peers in the user's cache folder
#   BENCH_SETUP   set: make that environment and install jax, torch and matplotlib there first
#   CXX           default g++;  ETNA_PREFIX as in cmake/prefix.sh
set -eu
cd "$(dirname "$0")/.."
prefix=${ETNA_PREFIX:-$PWD/build/prefix} build=build/bench
. bench/peers/environment.sh
sh cmake/prefix.sh
mkdir -p "$build"
target=bench
case ${1:-} in products | operations) target=$1; shift ;; esac
cmake -S bench/run -B "$build" -DCMAKE_CXX_COMPILER="${CXX:-g++}" -DCMAKE_CXX_FLAGS="-O3 -march=native" \
  -DETNA_PREFIX="$prefix" >"$build/log" 2>&1 && cmake --build "$build" --target $target -j 2 >>"$build/log" 2>&1 || { tail -20 "$build/log"; exit 1; }
if [ $target = products ]; then
  blas=$(find "$peers"/lib/python*/site-packages/numpy.libs -name 'lib*openblas*' 2>/dev/null | head -1)
  [ -n "$blas" ] || blas=$(PATH=$PATH:/sbin ldconfig -p 2>/dev/null | sed -n 's/.*libopenblas.* => //p' | head -1)
  export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 OMP_PROC_BIND=false
  exec "$build/products" --blas "$blas" "$@"
fi
[ $target = bench ] || set -- --operations --peers jax "$@"
exec python3 bench/run/drive.py --bench "$build/$target" --venv "$peers" "$@"
