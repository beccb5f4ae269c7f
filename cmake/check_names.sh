#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# No two headers share a name, and no transform names a primitive (a word that ends in _p). What runs while compiling is
# asked of the builtin: g++ compiles both sides of a call of std::is_constant_evaluated, a fifth of a file of small
# functions.
# Usage: sh cmake/check_names.sh CHECKOUT
cd "$1/include/etna" || exit 1
status=0
for name in $(find . -name '*.hpp' | sed 's,.*/,,' | sort | uniq -d); do
  echo "two headers are called $name:" $(find . -name "$name")
  status=1
done
if grep -rnE '\b[A-Za-z0-9_]+_p\b' transform; then
  echo "a transform names a primitive"
  status=1
fi
if grep -rn 'std::is_constant_evaluated' .; then
  echo "write __builtin_is_constant_evaluated()"
  status=1
fi
exit $status
