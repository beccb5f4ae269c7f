#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Where a user reads an error: of each file of test/fail the number, the compiler, the line of the class's name and that of
# the sentence, and how many errors there are. Usage: sh cmake/errors_table.sh BUILD [FILE...]
build=$1
shift
here=$(cd "$(dirname "$0")/.." && pwd)
[ $# -gt 0 ] || set -- "$here"/test/fail/*.cpp "$here"/test/fail/mistakes/*.cpp
echo "| file | number | compiler | class at line | sentence at line | errors |"
echo "| --- | --- | --- | --- | --- | --- |"
for file in "$@"; do sh "$here/cmake/must_fail.sh" "$build" "$file" | tail -1; done
