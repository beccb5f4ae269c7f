#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs a program if the processor has an instruction set; else says so, and ctest counts the test as skipped.
# Usage: sh test/accuracy/run_if.sh FLAG PROGRAM     FLAG: as /proc/cpuinfo spells it
if ! grep -qw -- "$1" /proc/cpuinfo 2>/dev/null; then
  echo "etna: this processor has no $1: $(basename "$2") did not run"
  exit 77
fi
exec "$2"
