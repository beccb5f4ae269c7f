#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A breakpoint inside a loss shows numbers. Needs gdb and the right to trace a process; without them it is skipped (77).
# Usage: sh test/debug/breakpoint.sh PROGRAM        where PROGRAM is loss.cpp compiled with -g -O0
command -v gdb >/dev/null || { echo "skipped: no gdb here"; exit 77; }
line=$(grep -n 'stop here' "$(dirname "$0")/loss.cpp" | cut -d: -f1)
said=$(gdb -nx -batch -ex 'set debuginfod enabled off' -ex "break loss.cpp:$line" -ex run -ex 'print *z.data()@3' -ex continue "$1" 2>&1)
echo "$said"
case $said in
*'Operation not permitted'* | *'Could not trace'*) echo "skipped: gdb may not trace here"; exit 77 ;;
*'{2, 4, 6}'*'56 24'*) exit 0 ;;
esac
exit 1
