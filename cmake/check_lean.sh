#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A program that only calls what is compiled, and shows it, has neither the rules of primitives nor the planner in its
# objects: a table that is read at run time takes all that its rows name along, and -O3 half as long again.
# Usage: sh cmake/check_lean.sh OBJECT...      Exit status 77: there is no nm.
command -v nm >/dev/null || { echo "not checked, for want of nm"; exit 77; }
status=0
for object in "$@"; do
  found=$(nm -C "$object" | grep -oE 'etna::(ops::table|planning::rules_by_kind)$' | sort -u)
  [ -z "$found" ] || { printf '%s has at run time:\n%s\n' "$object" "$found"; status=1; }
done
exit $status
