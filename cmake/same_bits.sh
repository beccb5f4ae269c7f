#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs a test program with one thread and with two: both must pass, and print the same line "bits ...".
# Usage: sh cmake/same_bits.sh PROGRAM
export OMP_PROC_BIND=false
for threads in 1 2; do
  said=$(OMP_NUM_THREADS=$threads "$1") || { echo "$said"; echo "with $threads thread(s): it failed"; exit 1; }
  bits=$(echo "$said" | grep '^bits')
  echo "$threads thread(s): $bits"
  [ -n "$bits" ] && [ "$bits" = "${before:-$bits}" ] || exit 1
  before=$bits
done
