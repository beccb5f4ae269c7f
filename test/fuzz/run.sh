#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Fuzzes the readers of files, one after the other, with AddressSanitizer and UBSan. What was found interesting is kept in
# build/fuzz/corpus, what failed in build/fuzz/found. Usage: sh test/fuzz/run.sh [SECONDS, 60] [READER...]
set -eu
cd "$(dirname "$0")/../.."
seconds=${1:-60}
[ $# -eq 0 ] || shift
sh cmake/tools.sh clang++-16 cmake
sh cmake/prefix.sh
cmake -S . -B build/fuzz -DCMAKE_CXX_COMPILER=clang++-16 -DCMAKE_CXX_FLAGS=-O1 -DETNA_SANITIZE=ON >/dev/null
cmake --build build/fuzz --target fuzz
[ $# -gt 0 ] || set -- $(cd build/fuzz && ls fuzz_* | sed 's/^fuzz_//')
failed=
for reader in "$@"; do
  corpus=build/fuzz/corpus/$reader found=build/fuzz/found/$reader log=build/fuzz/$reader.log
  mkdir -p "$corpus" "$found"
  ETNA_FUZZ_SEEDS=$corpus ASAN_OPTIONS=allocator_may_return_null=1 "build/fuzz/fuzz_$reader" -max_total_time="$seconds" \
    -max_len=4096 -rss_limit_mb=1024 -timeout=10 -print_final_stats=1 -artifact_prefix="$found/" "$corpus" >"$log" 2>&1 ||
    failed="$failed $reader"
  echo "$reader: $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") inputs, $(find "$found" -type f | wc -l) failed"
done
[ -z "$failed" ] || { echo "failed:$failed (see build/fuzz/*.log)" >&2; exit 1; }
