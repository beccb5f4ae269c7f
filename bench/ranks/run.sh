#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What ranks cost: pictures a second of two ranks beside two processes that know nothing of one another, a collective's
# part of a call, what hides behind a step, what dist::predict says beside what steps take, and its tables of ViT-L/16.
# three_ways trains 90 layers on one device, by dist::jit and by pmap, beside JAX where ETNA_PEERS has it; full_size is
# what such a step needs of memory at full size, by its plan.
# Usage: sh bench/ranks/run.sh [throughput] [overhead] [overlap] [three_ways] [full_size] [predicted] [scaling]
#   CXX           default g++;  ETNA_PREFIX as in cmake/prefix.sh
#   MPIEXEC       default mpirun;  ETNA_PEERS as in bench/run.sh
set -eu
cd "$(dirname "$0")/../.."
build=build/bench_ranks prefix=${ETNA_PREFIX:-$PWD/build/prefix}
. bench/peers/environment.sh
sh cmake/prefix.sh
mkdir -p "$build"
[ $# -gt 0 ] || set -- throughput overhead overlap three_ways full_size predicted scaling
targets=$*
case " $* " in *" overlap "*) targets="$* overlap_without_meanwhile" ;; esac
# shellcheck disable=SC2086
cmake -S bench/ranks -B "$build" -DCMAKE_CXX_COMPILER="${CXX:-g++}" -DCMAKE_CXX_FLAGS="-O3 -march=native" \
  -DETNA_PREFIX="$prefix" >"$build/log" 2>&1 && cmake --build "$build" --target $targets >>"$build/log" 2>&1 || { tail -20 "$build/log"; exit 1; }
export OMP_NUM_THREADS=1 OMP_PROC_BIND=false
# As root, and where other work is on the processors too. (OpenMPI's words; another MPI ignores them.)
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_hwloc_base_binding_policy=none
for what in "$@"; do
  case $what in
    throughput) "${MPIEXEC:-mpirun}" -n 2 "$build/throughput" ;;
    overhead) "${MPIEXEC:-mpirun}" -n 1 "$build/overhead" ;;
    overlap)
      "$build/overlap"
      echo "Without the pass meanwhile:"
      "$build/overlap_without_meanwhile"
      ;;
    three_ways)
      "${MPIEXEC:-mpirun}" -n 2 "$build/three_ways"
      if [ -x "$peers/bin/python" ]; then PYTHONDONTWRITEBYTECODE=1 "$peers/bin/python" bench/ranks/three_ways.py; fi
      ;;
    full_size) "$build/full_size" ;;
    predicted)
      for ranks in 1 2; do "${MPIEXEC:-mpirun}" -n $ranks "$build/predicted"; done
      for ranks in 4 8; do "$build/predicted" $ranks; done
      ;;
    scaling) "$build/scaling" ;;
    *) echo "run.sh: no $what; see sh bench/ranks/run.sh's head" >&2 && exit 2 ;;
  esac
done
