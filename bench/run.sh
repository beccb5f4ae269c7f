#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The three jobs of bench/peers: etna, C++ by hand, and JAX and PyTorch where a virtual environment has them; one core,
# one run, a table with ratios. Usage: sh bench/run.sh [SECONDS a job, default 2]
#   ETNA_PEERS    the virtual environment, default build/peers;  CXX, default g++;  ETNA_PREFIX as in cmake/prefix.sh
set -eu
cd "$(dirname "$0")/.."
seconds=${1:-2} prefix=${ETNA_PREFIX:-$PWD/build/prefix} peers=${ETNA_PEERS:-$PWD/build/peers} build=build/bench
mkdir -p "$build"
cmake -S bench/run -B "$build" -DCMAKE_CXX_COMPILER="${CXX:-g++}" -DCMAKE_CXX_FLAGS="-O3 -march=native" \
  -DETNA_PREFIX="$prefix" >"$build/log" 2>&1 && cmake --build "$build" >>"$build/log" 2>&1 || { tail -20 "$build/log"; exit 1; }
export OMP_NUM_THREADS=1 OMP_PROC_BIND=false
core=$(taskset -cp $$ | sed 's/.*: *//; s/[-,].*//')
taskset -c "$core" "$build/bench" "$seconds" >"$build/results"
for peer in jax torch; do
  if "$peers/bin/python" -c "import $peer" 2>/dev/null; then
    taskset -c "$core" "$peers/bin/python" "bench/peers/${peer}_bench.py" --threads 1 --seconds "$seconds" >>"$build/results"
  else
    echo "no $peer in $peers: left out"
  fi
done
python3 - "$build/results" <<'END'
import json, sys
rows = [json.loads(line) for line in open(sys.argv[1]) if line.startswith("{")]
jobs, etna = ("grad4", "mlp_step", "chain"), rows[0]["microseconds"]
print("| microseconds (etna's time / this time) | " + " | ".join(jobs) + " |\n|---|" + "---:|" * len(jobs))
for r in rows:
    name = r["peer"] + " " + r.get("versions", {}).get(r["peer"], "")
    print(f"| {name.strip()} | " + " | ".join(f"{r['microseconds'][j]:.4g} ({etna[j] / r['microseconds'][j]:.2f})" for j in jobs) + " |")
for check in ("loss_step_1", "loss_after_step_1", "chain_sum_of_squares"):
    print(check + ": " + ", ".join(f"{r['peer']} {r['checks'][check]:.9g}" for r in rows if check in r["checks"]))
END
