#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every header has a test. Those of include/etna/ROOM/NAME.hpp are NAME.cpp and NAME_*.cpp in test/unit/ROOM and
# test/static/ROOM (of two headers the one with the longer name has the file); for any other header a line of
# test/rooms.txt names a test. A folder of test/unit and test/static is a room, or is named there.
# Usage: sh cmake/check_twins.sh CHECKOUT [list]     list: prints each header with its tests
cd "$1" || exit 1
{
  find include/etna -name '*.hpp' | sort
  find test/unit test/static -name '*.cpp' | sort
} | awk -v list="${2:-}" -v map=test/rooms.txt '
  function complain(why) { print why; bad = 1 }
  function is_there(file,   line, found) { found = (getline line < file) >= 0; close(file); return found }
  BEGIN {
    while ((getline < map) > 0) {
      where = map ":" ++line
      if ($0 ~ /^#/ || NF == 0) continue
      if ($1 == "folder" && NF > 2) { folders[++n_folders] = "test/" $2; is_folder["test/" $2] = where }
      else if ($2 == "tested-by" && NF > 3) {
        if ($1 in test_of) complain(where ": " $1 " has a line already")
        lines[++n_lines] = $1; test_of[$1] = "test/" $3; at[$1] = where
      } else complain(where ": neither HEADER tested-by FILE WHY nor folder FOLDER WHY")
    }
  }
  { n = split($0, part, "/"); name = part[n]; sub(/\.[a-z]*$/, "", name) }
  part[1] == "include" {
    header = substr($0, 14); headers[++n_headers] = header; is_header[header] = 1
    if (n > 3) is_room[part[3]] = 1
    next
  }
  {
    folder = part[1] "/" part[2] "/" part[3]
    has_test[folder] = 1
    if (!(folder in told) && !(part[3] in is_room) && !(folder in is_folder)) {
      complain(folder ": neither a room of include/etna nor in " map); told[folder] = 1
    }
    while (!((part[3] "/" name ".hpp") in is_header) && sub(/_[^_]*$/, "", name)) {}
    twins[part[3] "/" name ".hpp"] = twins[part[3] "/" name ".hpp"] " " $0
  }
  END {
    for (i = 1; i <= n_headers; ++i) {
      header = headers[i]; stem = substr(header, 1, length(header) - 4)
      if (list) print header ":" (header in twins ? twins[header] : " " test_of[header])
      if (header in twins || header in at) continue
      beside = stem ~ /\// ? "neither test/unit/" stem ".cpp or the like, nor " : "not "
      complain("include/etna/" header ": no test: " beside "a line in " map)
    }
    for (i = 1; i <= n_lines; ++i) {
      header = lines[i]
      if (!(header in is_header)) complain(at[header] ": include/etna/" header " does not exist")
      if (header in twins) complain(at[header] ": needless, there is" twins[header])
      if (!is_there(test_of[header])) complain(at[header] ": " test_of[header] " does not exist")
    }
    for (i = 1; i <= n_folders; ++i)
      if (!(folders[i] in has_test)) complain(is_folder[folders[i]] ": no test in " folders[i])
    exit bad
  }'
