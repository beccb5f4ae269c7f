#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Compiles a file that must not compile. Passes when the compiler fails and each `// expect: REGEX` (extended, in the
# comment lines at the head) stands in the first five lines it prints, lines about the include chain not counted.
# What a `// never: REGEX` says must stand nowhere in it: one mistake is one error.
# Usage: sh cmake/must_fail.sh BUILD FILE
build=$1 file=$2
command=$(awk -v file="$file" '
  /^ *"command": / { sub(/^ *"command": "/, ""); sub(/",?$/, ""); gsub(/\\"/, "\""); gsub(/\\\\/, "\\"); command = $0 }
  /^ *"file": / && index($0, "\"" file "\"") { print command; exit }' "$build/compile_commands.json")
[ -n "$command" ] || { echo "no command for $file in $build/compile_commands.json"; exit 1; }
# The same command, but for its product.
command=$(echo "$command" | sed -e 's, -o [^ ]*, ,' -e 's, -c , -fsyntax-only ,')

# LC_ALL: the words are matched, so they must not be translated.
said=$(LC_ALL=C sh -c "$command" 2>&1) && { echo "it compiled: $file"; exit 1; }
head=$(echo "$said" | grep -vE '^(In file included from|[[:space:]]+from) ' | head -5)
expected=$(sed -n -e '/^\/\//!q' -e 's,^// expect: *,,p' "$file")
[ -n "$expected" ] || { echo "no '// expect: REGEX' line at the head of $file"; exit 1; }
status=0
while IFS= read -r words; do
  echo "$head" | grep -qE -- "$words" || { echo "not in the first five lines: $words"; status=1; }
done <<WORDS
$expected
WORDS
never=$(sed -n -e '/^\/\//!q' -e 's,^// never: *,,p' "$file")
if [ -n "$never" ] && echo "$said" | grep -E -- "$never"; then
  echo "another error is said besides: $never"
  status=1
fi
echo "$head"
exit $status
