#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs a test program with one thread and with two: the lines "bits ..." that it prints must be there, and equal.
# Usage: sh cmake/same_bits.sh PROGRAM
one=$(OMP_PROC_BIND=false OMP_NUM_THREADS=1 "$1" | grep '^bits')
two=$(OMP_PROC_BIND=false OMP_NUM_THREADS=2 "$1" | grep '^bits')
echo "one thread:  $one"
echo "two threads: $two"
[ -n "$one" ] && [ "$one" = "$two" ]
