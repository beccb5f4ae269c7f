#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The blocks of docs/tour.md and docs/types_and_values.md that stand behind a line `<!-- made: NAME -->`, written anew:
# what step.cpp prints as section NAME, or its code between [NAME] and [end]. Usage: sh docs/tour/make.sh [--check]
#   --check       writes nothing, and fails where a page is not what it would write
#   CXX           default g++;  ETNA_PREFIX as in cmake/prefix.sh
set -eu
cd "$(dirname "$0")/../.."
case ${1:-} in
  "" | --check) ;;
  *) echo "etna: unknown argument '$1'; usage: sh docs/tour/make.sh [--check]" >&2; exit 2 ;;
esac
here=build/tour
mkdir -p $here
{
  cmake -S docs/tour -B $here -DCMAKE_CXX_COMPILER="${CXX:-g++}" -DCMAKE_CXX_FLAGS=-O1 \
    -DETNA_PREFIX="${ETNA_PREFIX:-$PWD/build/prefix}" && cmake --build $here
} >$here/log 2>&1 || { tail -20 $here/log >&2; exit 1; }
$here/step | sed 's/ *$//' >$here/text

status=0
for page in docs/tour.md docs/types_and_values.md; do
  awk '
    FNR == 1 { name = "" }
    FILENAME == ARGV[1] {  # sections of the text
      if (/^== /) name = substr($0, 4)
      else text[name] = text[name] $0 "\n"
      next
    }
    FILENAME == ARGV[2] {  # pieces of the code
      if (/^\/\/ \[end\]$/) name = ""
      else if (/^\/\/ \[[a-z]+\]$/) name = substr($0, 5, length($0) - 5)
      else if (name != "") text[name] = text[name] $0 "\n"
      next
    }
    skipping && /^```$/ { skipping = 0 }
    !skipping { print }
    wanted != "" && /^```/ {
      printf "%s", text[wanted]
      wanted = ""
      skipping = 1
    }
    /^<!-- made: .* -->$/ {
      wanted = substr($0, 12, length($0) - 15)
      if (!(wanted in text)) {
        print "etna: step.cpp has no " wanted >"/dev/stderr"
        exit 1
      }
    }' $here/text docs/tour/step.cpp $page >$here/page
  if [ "${1:-}" = --check ]; then
    diff $page $here/page || { echo "$page is not what sh docs/tour/make.sh writes" >&2; status=1; }
  else
    cmp -s $page $here/page || cp $here/page $page
  fi
done
exit $status
