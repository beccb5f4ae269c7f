#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The form of the code: .clang-format, no line over 120 columns, and .clang-tidy over all headers (a function has at most 60
# lines, among others). Usage: sh cmake/check_form.sh CHECKOUT FOLDER
#   FOLDER   has all.cpp, which includes the headers, and compile_flags.txt, with what clang reads it
# Exit status 77: a tool can't be had here, and nothing else is wrong.
cd "$1" || exit 1
folder=$2
status=0 skipped=

# have TOOL: is it here, or can it be installed? tools.sh says what to install; where it could be, its lack is an error.
have() {
  sh cmake/tools.sh "$1" && command -v "$1" >/dev/null && return
  if [ "$(id -u)" != 0 ] && apt-cache show "$1" >/dev/null 2>&1; then status=1; else skipped="$skipped $1"; fi
  return 1
}

files=$(find include test bench examples -name build -prune -o \( -name '*.hpp' -o -name '*.cpp' \) ! -name '*.inc.hpp' -print)
if have clang-format-16; then
  # shellcheck disable=SC2086
  clang-format-16 --dry-run -Werror $files || status=1
fi

# shellcheck disable=SC2086
awk '
  FNR == 1 || /^ *\/\/ clang-format on/ { counts = 1 }
  /^ *\/\/ clang-format off/ { counts = 0 }
  counts && length > 120 { print FILENAME ":" FNR ": a line of " length " columns"; wrong = 1 }
  END { exit wrong }' $files || status=1

if have clang-tidy-16; then
  clang-tidy-16 --quiet --config-file=.clang-tidy -p "$folder" "$folder/all.cpp" >"$folder/found" 2>"$folder/log"
  if [ $? != 0 ] && ! grep -q ': error: ' "$folder/found"; then
    cat "$folder/log"
    status=1
  fi
  # Each finding with the lines that explain it.
  awk '
    /: (warning|error): / { wrong = 1 }
    wrong
    END { exit wrong }' "$folder/found" || status=1
fi
[ -z "$skipped" ] || echo "not checked, for want of$skipped"
[ $status = 0 ] && [ -n "$skipped" ] && exit 77
exit $status
