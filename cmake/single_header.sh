#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# One file of etna: every header that is needed, once, in order. It is made, never kept: put it in a project that takes no build
# system, or paste it into Compiler Explorer. Usage: sh cmake/single_header.sh OUT [HEADER...]
#   HEADER   as it is included, default etna/etna.hpp; etna/language.hpp needs no other library
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
out=$1
shift
[ $# -gt 0 ] || set -- etna/etna.hpp
for header in "$@"; do
  [ -e "$here/include/$header" ] || { echo "no $header in $here/include" >&2; exit 1; }
done
aside=$out.$$
trap 'rm -f "$aside"' EXIT
{
  echo "// etna $(sed -n 's/^#define ETNA_VERSION_[A-Z]* //p' "$here/include/etna/version.hpp" | paste -sd.) in one file: $*. Made by cmake/single_header.sh; do not edit."
  echo "// Tracing needs room while compiling:"
  sed -n 's/^set(gnu \(.*\))$/\/\/   g++      -std=c++20 \1/p; s/^set(clang \(.*\))$/\/\/   clang++  -std=c++20 \1/p' "$here/cmake/limits.cmake"
  echo "//"
  sed 's,^,// ,; s, *$,,' "$here/LICENSE"
  echo "#pragma once"
  for header in "$@"; do echo "#include <$header>"; done |
    awk -v root="$here/include/" '
      # A path without "..": quotes are for the own folder.
      function put(path,   line, folder, inner) {
        if (path in seen) return
        folder = path
        sub(/[^\/]*$/, "", folder)
        if ((getline line < (root path)) < 0) { print "no header " path > "/dev/stderr"; bad = 1; exit 1 }
        print "\n// ---- " path
        do {
          if (line ~ /^#pragma once/) { seen[path] = 1; continue }  # what has none is there each time
          if (line ~ /^\/\/ SPDX/) continue
          inner = ""
          if (match(line, /^[ \t]*#[ \t]*include[ \t]+<etna\/[^>]+>/)) { inner = line; sub(/^[^<]*</, "", inner); sub(/>.*/, "", inner) }
          else if (match(line, /^[ \t]*#[ \t]*include[ \t]+"[^"]+"/)) { inner = line; sub(/^[^"]*"/, "", inner); sub(/".*/, "", inner); inner = folder inner }
          if (inner != "") put(inner)
          else print line
        } while ((getline line < (root path)) > 0)
        close(root path)
      }
      { sub(/^[^<]*</, ""); sub(/>.*/, ""); put($0) }
      END { exit bad }'
} >"$aside"
mv "$aside" "$out"
