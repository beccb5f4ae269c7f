#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The gdb session of docs/debugging.md: its commands are run, and what it shows must be shown, in order (`...` stands for
# anything). Its program is loss.cpp. Needs gdb, the right to trace a process, and a gdb that knows the processor; without them it is skipped (77).
# Usage: sh test/debug/breakpoint.sh PROGRAM        where PROGRAM is loss.cpp compiled with -g -O0
here=$(cd "$(dirname "$0")" && pwd)
page=$here/../../docs/debugging.md
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# block LANGUAGE: the page's first block of that language that is marked as loss.cpp's
block() { sed -n "/^\`\`\`$1 loss.cpp\$/,/^\`\`\`\$/p" "$page" | sed '1d;$d'; }
block cpp >"$work/code"
block gdb >"$work/session"
[ -s "$work/code" ] && [ -s "$work/session" ] || { echo "the page has no program or no session"; exit 1; }
while IFS= read -r line; do
  grep -qxF -- "$line" "$here/loss.cpp" || { echo "not in loss.cpp: $line"; exit 1; }
done <"$work/code"

command -v gdb >/dev/null || { echo "skipped: no gdb here"; exit 77; }
sed -n 's/^(gdb) //p' "$work/session" >"$work/commands"
gdb -nx -batch -ex 'set debuginfod enabled off' -ex 'set width 0' -x "$work/commands" "$1" >"$work/said" 2>&1
cat "$work/said"
if grep -qE 'Operation not permitted|Could not trace' "$work/said"; then echo "skipped: gdb may not trace here"; exit 77; fi
# older ones (13.1) on a processor whose registers are more than they know (AMX): then it can call no function of any program
if grep -q 'write extended state status' "$work/said"; then echo "skipped: gdb cannot write this processor's registers"; exit 77; fi
# each line of the session, as a pattern, on the first line behind the one found before
from=1
grep -v '^(gdb) ' "$work/session" >"$work/shown"
while IFS= read -r line; do
  pattern=$(printf '%s\n' "$line" | sed 's/[][\.*^$/]/\\&/g; s/\\\.\\\.\\\./.*/g')
  at=$(sed -n "$from,\$p" "$work/said" | grep -n -- "$pattern" | head -n 1 | cut -d: -f1)
  [ -n "$at" ] || { echo "not shown, or not in this order: $line"; exit 1; }
  from=$((from + at))
done <"$work/shown"
