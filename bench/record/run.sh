#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What a change must not move, as counts that a shared machine does not blur: the bits of some programs' results, the
# instructions of one of their calls, and those of compiling a few files. Run it before a change and after it.
# Usage: sh bench/record/run.sh FILE [--against FILE] [--programs NAME...] [--compile NAME...]
#   FILE          what is found, one line each; lines that are there already stay, so that a run can be continued
#   --against     an earlier FILE: prints both, and their ratios
#   --programs    jobs of bench/run; default those of record.py
#   --compile     programs of bench/compile, each with cc1plus under valgrind; default those of record.py
#   ETNA_PREFIX   as in cmake/prefix.sh.  Compiled by g++ for x86-64-v3, since valgrind knows no AVX-512.
set -eu
cd "$(dirname "$0")/../.."
export PYTHONDONTWRITEBYTECODE=1
exec python3 bench/record/record.py "$@"
