#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# From a fresh clone to a trained network: gets what is missing, builds the trainer, trains on Fashion-MNIST.
# Usage: sh examples/quickstart.sh [arguments of the trainer]    A second run downloads nothing and works offline.
set -eu
cd "$(dirname "$0")/.."
CXX=${CXX:-g++}
export CXX

sh cmake/tools.sh "$CXX" cmake optional:gnuplot
sh cmake/prefix.sh
mkdir -p build  # a prefix from elsewhere makes none
build=build/quickstart
run=$build/run
cmake -S . -B $build -DCMAKE_CXX_COMPILER="$CXX" -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS="-O3 -march=native" \
  ${Kokkos_ROOT:+-DKokkos_ROOT="$Kokkos_ROOT"} >$build.log 2>&1 || { tail -20 $build.log; exit 1; }
echo "etna: the compiler traces, differentiates and fuses the training step"
cmake --build $build --target mnist --parallel "$(nproc 2>/dev/null || echo 2)" >$build.log 2>&1 || { grep -m5 -E 'error|Error' $build.log; echo "see $build.log"; exit 1; }

# Threads are not bound to cores unless asked: others may use this machine too. (Kokkos warns when it is not told.)
export OMP_PROC_BIND="${OMP_PROC_BIND:-false}"
mkdir -p $run
[ $# -gt 0 ] || set -- --epochs 3
$build/mnist --out $run "$@"
pictures=$(find $run -name '*.png' -o -name '*.svg' -o -name '*.pdf' | sort)
if [ -n "$pictures" ]; then
  echo "etna: pictures of the run:"
  for picture in $pictures; do echo "  $PWD/$picture"; done
else
  echo "etna: no picture was drawn (is gnuplot missing?); the run's numbers lie in $PWD/$run"
fi
