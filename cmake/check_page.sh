#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The blocks of C++ in a section of a page are lines of a program, as they stand there.
# Usage: sh cmake/check_page.sh PAGE.md SECTION PROGRAM.cpp
exec awk -v section="## $2" -v program="$3" '
  BEGIN { while ((getline line < program) > 0) all = all line "\n" }
  /^## / { here = $0 == section }
  !here { next }
  /^```cpp$/ { on = 1; block = ""; from = FNR; next }
  /^```$/ {
    if (on && !index(all, block)) { print FILENAME ":" from ": this is not in " program ":\n" block; bad = 1 }
    n += on
    on = 0
  }
  on { block = block $0 "\n" }
  END {
    if (!n) { print FILENAME ": no code in the section " section; bad = 1 }
    exit bad
  }' "$1"
