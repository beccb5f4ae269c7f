#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A room includes only itself (in quotes) and rooms above it in rooms.txt (as <etna/...>); Kokkos only where it may.
# etna.hpp and language.hpp name every header that they reach, each after those that it includes: what a compiler prints
# before an error, "In file included from", is then two lines.
# Usage: sh cmake/check_layers.sh CHECKOUT
cd "$1/include/etna" || exit 1
find . -name '*.hpp' | sed 's,^\./,,' | sort | xargs grep -nE '^[ \t]*#[ \t]*include' /dev/null |
  awk -v rooms="$1/cmake/rooms.txt" '
    function room_of(file) { return index(file, "/") ? substr(file, 1, index(file, "/") - 1) : file }
    function complain(why) { print "include/etna/" file ":" line ": " why; bad = 1 }
    BEGIN {
      while ((getline < rooms) > 0) {
        if ($0 ~ /^#/ || NF == 0) continue
        if ($1 == "may") may[$2] = 1
        else if ($1 == "knot") knot[$2 " " $3] = 1
        else place[$1] = ++count
      }
    }
    {
      split($0, part, ":"); file = part[1]; line = part[2]
      text = substr($0, length(file) + length(line) + 3)
      if (file == "/dev/null") next
      own = room_of(file)
      if (!(own in place)) { if (!(own in told)) complain("room " own " is not in cmake/rooms.txt"); told[own] = 1; next }
      if (match(text, /"[^"]+"/)) {
        name = substr(text, RSTART + 1, RLENGTH - 2)
        target = index(file, "/") ? own "/" name : name
        if (index(file, "/") && index(name, "/")) complain("quotes are for the own room: write <etna/...>, not \"" name "\"")
      } else if (match(text, /<[^>]+>/)) {
        target = substr(text, RSTART + 1, RLENGTH - 2)
        if (target ~ /Kokkos/ && !(file in may) && !(own in may)) complain("includes Kokkos: see may in cmake/rooms.txt")
        if (target !~ /^etna\//) next
        target = substr(target, 6)
      } else next
      if ((getline first < target) < 0) complain(target " does not exist")
      close(target)
      if (target == "set_back.hpp") next  # the last line, of which nothing depends
      if (file == "etna.hpp" || file == "language.hpp") { listed[file, target] = ++n_listed; list[n_listed] = file; name_of[n_listed] = target }
      needs[file] = needs[file] " " target
      if ((file " " target) in knot) next
      other = room_of(target)
      if (!(other in place)) complain("includes " target ", whose room is not in cmake/rooms.txt")
      else if (place[other] > place[own]) complain("includes " target ", but " other " comes after " own)
    }
    END {
      for (i = 1; i <= n_listed; ++i) {
        n = split(needs[name_of[i]], need, " ")
        for (k = 1; k <= n; ++k)
          if (!((list[i], need[k]) in listed) || listed[list[i], need[k]] > i) {
            print "include/etna/" list[i] ": " name_of[i] " stands there without " need[k] " before it: python3 cmake/order_includes.py"; bad = 1
          }
      }
      exit bad
    }'
