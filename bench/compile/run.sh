#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What etna costs the compiler: seconds and peak memory of generated programs, also as ratios to a fixed file without
# etna compiled in the same run. Usage: sh bench/compile/run.sh [--stages] [NAME...]
#        sh bench/compile/run.sh --functions FILE|NAME [OPTION...]
#   --stages      where the time goes instead: reading, templates, trace, passes, plan, code (stages.py); default deep_ and mnist
#   --functions   what g++ compiles of one program instead: lines of its first form by function (functions.py)
#   NAME          part of a program's name; default all (make.py lists them; "mnist" is the trainer)
#   CXX           compilers, default "g++ clang++-16" where present, also nvcc;  ETNA_PREFIX as in cmake/prefix.sh
#   ETNA_LIMIT    seconds that a compilation may take, default 300
set -u
cd "$(dirname "$0")/../.." || exit 1
export PYTHONDONTWRITEBYTECODE=1
if [ "${1:-}" = --stages ]; then
  shift
  exec python3 bench/compile/stages.py "$@"
fi
if [ "${1:-}" = --functions ]; then
  shift
  exec python3 bench/compile/functions.py "$@"
fi
exec python3 bench/compile/measure.py "$@"
