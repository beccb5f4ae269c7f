#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Compiles a file that must not compile, and judges what a user would read. In the comment lines at the head of the file:
#   // expect: REGEX   (extended) stands in the first five lines, or up to the sentence's; the first of them begins with the error's number
#   // remedy: REGEX   stands in the lines up to the sentence
#   // place: REGEX    stands anywhere: the user's own line
#   // errors COMPILER: N   where g++ or clang itself says more than the one error
#   // sentence COMPILER: N   the line, where it can stand no earlier
# The number, the words of the catalogue's class and the sentence: with clang in the first five lines, with g++ the class in
# the first five and the sentence in the first eight. Lines are those of a user, who includes one header: two say where from.
# Usage: sh cmake/must_fail.sh BUILD FILE          prints what was said, and a row of a table as the last line
#        sh cmake/must_fail.sh --said OUTPUT FILE  the same of a text that a compiler wrote
if [ "$1" = --said ]; then
  said=$(cat "$2")
  file=$3
else
  build=$1 file=$2
  command=$(awk -v file="$file" '
    /^ *"command": / { sub(/^ *"command": "/, ""); sub(/",?$/, ""); gsub(/\\"/, "\""); gsub(/\\\\/, "\\"); command = $0 }
    /^ *"file": / && index($0, "\"" file "\"") { print command; exit }' "$build/compile_commands.json")
  [ -n "$command" ] || { echo "no command for $file in $build/compile_commands.json"; exit 1; }
  # The same command, but for its product.
  command=$(echo "$command" | sed -e 's, -o [^ ]*, ,' -e 's, -c , -fsyntax-only ,')
  # LC_ALL: the words are matched, so they must not be translated.
  said=$(LC_ALL=C sh -c "$command" 2>&1) && { echo "it compiled: $file"; exit 1; }
fi
expected=$(sed -n -e '/^\/\//!q' -e 's,^// expect: *,,p' "$file")
[ -n "$expected" ] || { echo "no '// expect: REGEX' line at the head of $file"; exit 1; }
remedies=$(sed -n -e '/^\/\//!q' -e 's,^// remedy: *,,p' "$file")
number=$(echo "$expected" | sed -n '1s,^\(E[0-9][0-9][0-9]\).*,\1,p')
case $said in *"errors generated."* | *"error generated."*) compiler=clang ;; *) compiler=g++ ;; esac
errors=$(sed -n -e '/^\/\//!q' -e "s,^// errors $compiler: *,,p" "$file")

# As a user sees it: two lines say where from (check_layers.sh), whatever precompiled headers make of them.
said=$(echo "$said" | awk '
  !begun && /^(In file included from|[ \t]+from) / { if (!chain++) print "In file included from etna.hpp,\n                 from the file:"; next }
  { begun = 1; print }')
last=$(sed -n -e '/^\/\//!q' -e "s,^// sentence $compiler: *,,p" "$file" | grep -E '^[0-9]+$' || echo 5)
head=$(echo "$said" | head -$(( last > 5 ? last : 5 )))
status=0
miss() { echo "$file: $1"; status=1; }
while IFS= read -r words; do
  echo "$head" | grep -qE -- "$words" || miss "not in the first five lines: $words"
done <<WORDS
$expected
WORDS
at() { echo "$said" | grep -nE -- "$1" | head -1 | cut -d: -f1; }
class=$(at "${number}_") sentence=
if [ -n "$number" ]; then
  if [ "$compiler" = clang ]; then
    sentence=$(at "$number:") most=5
    [ -n "$sentence" ] || sentence=$(at "${number}_")
  else
    sentence=$(at "error:.*$number[:_]|// $number:|\"$number:") most=8  # of the error, or in the line of code that g++ shows below it
    [ "${class:-$sentence}" -le 5 ] 2>/dev/null || [ "$class" = "" ] || miss "the class is named at line ${class}"
  fi
  most=$(sed -n -e '/^\/\//!q' -e "s,^// sentence $compiler: *,,p" "$file" | grep . || echo $most)
  [ "${sentence:-99}" -le $most ] || miss "the sentence stands at line ${sentence:-none}, at most $most"
  count=$(echo "$said" | grep -c ' error: ')
  [ "$count" = "${errors:-1}" ] || miss "$count errors, not ${errors:-1}"
fi
if [ -n "$remedies" ]; then
  while IFS= read -r words; do
    echo "$said" | head -n "${sentence:-12}" | grep -qE -- "$words" || miss "no such remedy: $words"
  done <<WORDS
$remedies
WORDS
fi
places=$(sed -n -e '/^\/\//!q' -e 's,^// place: *,,p' "$file")
[ -z "$places" ] || echo "$said" | grep -qE -- "$places" || miss "the place is not named: $places"
echo "$head"
echo "| $(basename "$file" .cpp) | ${number:--} | $compiler | ${class:--} | ${sentence:--} | ${count:--} |"
exit $status
