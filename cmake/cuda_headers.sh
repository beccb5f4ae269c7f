#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Lets nvcc compile CUDA kernels to objects without a GPU and without a CUDA build of Kokkos: a copy of the prefix's
# Kokkos configuration headers with Cuda, Serial and HOPPER90 on. Put the folder before the prefix's own headers.
# Usage: sh cmake/cuda_headers.sh PREFIX FOLDER
set -eu
prefix=$1 out=$2
from=$(dirname "$(find "$prefix" -name KokkosCore_config.h | head -1)")
aside=$out.new.$$
trap 'rm -rf "$aside"' EXIT
mkdir -p "$aside"
sed -e 's,^/\* #undef \(KOKKOS_ENABLE_CUDA\|KOKKOS_ENABLE_SERIAL\|KOKKOS_ARCH_HOPPER\|KOKKOS_ARCH_HOPPER90\) \*/,#define \1,' \
  -e 's,^#define KOKKOS_ENABLE_OPENMP$,/* #undef KOKKOS_ENABLE_OPENMP */,' \
  "$from/KokkosCore_config.h" >"$aside/KokkosCore_config.h"
# Each of these lists one header per enabled backend; the host first. Names differ in case (CUDA, Cuda).
for part in Declare:decl/Kokkos_Declare Fwd:fwd/Kokkos_Fwd Setup:setup/Kokkos_Setup; do
  name=KokkosCore_Config_${part%%:*}Backend.hpp
  {
    echo '#pragma once'
    for space in SERIAL Serial CUDA Cuda; do
      [ ! -e "$from/${part#*:}_$space.hpp" ] || echo "#include <${part#*:}_$space.hpp>"
    done
  } >"$aside/$name"
done
# The package's desul is configured for OpenMP; CUDA is asked for on top.
config=$(find "$prefix" -path '*desul/atomics/Config.hpp' | head -1)
if [ -n "$config" ]; then
  mkdir -p "$aside/desul/atomics"
  sed -e 's,^/\* #undef DESUL_ATOMICS_ENABLE_CUDA \*/,#define DESUL_ATOMICS_ENABLE_CUDA,' "$config" >"$aside/desul/atomics/Config.hpp"
fi
rm -rf "$out"
mv "$aside" "$out"
