#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The diffs in the pages that teach by one (docs/add_a_*.md, docs/passes.md) apply to the tree as it is.
# Usage: sh cmake/check_diffs.sh CHECKOUT      Exit status 77: there is no git to ask.
cd "$1" || exit 1
command -v git >/dev/null || { echo "not checked, for want of git"; exit 77; }
status=0
for page in docs/add_a_*.md docs/passes.md; do
  awk '/^```diff$/ { on = 1; next } /^```$/ { on = 0 } on' "$page" |
    git apply --check --recount --ignore-whitespace - || { echo "$page: its diff does not apply; make it anew"; status=1; }
done
exit $status
