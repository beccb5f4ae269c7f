#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# ccache in front of a compiler: with what a precompiled header needs, and taking the old object away when the compiler
# fails, as compilers do and ccache does not (the static tests ask whether the object is there).
export CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
ccache "$@" && exit 0
status=$?
while [ $# -gt 1 ]; do
  [ "$1" != -o ] || rm -f "$2"
  shift
done
exit $status
