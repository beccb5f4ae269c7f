#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# ccache in front of a compiler: with what a precompiled header needs, and taking the old object away when the compiler
# fails, as compilers do and ccache does not (the static tests ask whether the object is there).
# What an empty cache costs each file is kept small: no preprocessing of its own (CCACHE_DEPEND), and a precompiled header of
# 250 MB is read once, into a sum beside it, not by each file that uses it (CCACHE_PCH_EXTSUM).
export CCACHE_DEPEND=1 CCACHE_PCH_EXTSUM=1 CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
ccache "$@"
status=$?
while [ $# -gt 1 ]; do
  if [ "$1" = -o ]; then
    case $status:$2 in
      0:*.gch | 0:*.pch) sha1sum <"$2" >"$2.sum" ;;
      0:*) ;;
      *) rm -f "$2" ;;
    esac
  fi
  shift
done
exit $status
