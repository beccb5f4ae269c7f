#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What gives a number, or a pointer to numbers, of an array is a way round the transforms: each public member of class array that
# does is one of those which test/unit/ops/known.cpp and test/static/ops/known.cpp try in every place (E035), or
# is for people alone (look). Usage: sh cmake/check_numbers.sh SOURCE
cd "$1" || exit 1
known='begin data end item look operator() operator+T'
found=$(awk '/^class array \{/ { on = 1 } /^ private:/ { on = 0 } on' include/etna/array/array.hpp |
  sed -n -E -e 's/^.*[^a-z_]operator ([A-Za-z][A-Za-z:]*)\(\).*$/operator+\1/p' \
    -e '/operator [A-Za-z]/!s/^ *(template <[^{]*> )?(requires.*\) )?(constexpr |static |inline )*(auto|T|U)( const)?[*&]? (operator\(\)|[a-z_]+)\(.*$/\6/p' |
  grep -vx at | sort -u | tr '\n' ' ' | sed 's/ $//')
[ "$found" = "$known" ] && exit 0
echo "members of array that give numbers: $found"
echo "those that are tested:              $known"
echo "add a new one to the ways of the two tests, and here"
exit 1
