#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Installs what is missing of the named commands through the system's package manager, where we may.
# Usage: sh cmake/tools.sh COMMAND...        for example: sh cmake/tools.sh g++ cmake clang++-16 gnuplot
# "newest-clang" stands for the newest clang of the machine's packages, "mpi" for OpenMPI; "optional:" before a name
# forgives its lack.
set -u
packages= optional=

# The newest clang++-N that is here; else the newest that the packages have.
newest_clang() {
  apt-cache search --names-only '^clang-[0-9]+$' 2>/dev/null | sed -n 's/^clang-\([0-9]*\) .*/\1/p' | sort -n | tail -1
}

want() { # COMMAND-OR-FILE PACKAGES: notes the packages where the command is missing
  case $1 in
    /*) [ -e "$1" ] && return ;;
    *) command -v "$1" >/dev/null 2>&1 && return ;;
  esac
  shift
  if [ -n "$forgiven" ]; then optional="$optional $*"; else packages="$packages $*"; fi
}

updated=
update() { # Once, and only if something is missing.
  [ -n "$updated" ] || [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null 2>&1 || apt-get -qq update >/dev/null 2>&1
  updated=yes
}

for name in "$@"; do
  forgiven=
  case $name in optional:*) forgiven=yes name=${name#optional:} ;; esac
  case $name in
    cmake)
      want cmake cmake
      want make make ;;
    gnuplot) want gnuplot gnuplot-nox ;;
    mpi) want mpicxx openmpi-bin libopenmpi-dev ;;
    newest-clang)
      number=$(newest_clang)
      [ -n "$number" ] || { update; number=$(newest_clang); }
      [ -z "$number" ] || want "clang++-$number" "clang-$number" ;;
    clang++-*)
      number=${name#clang++-} # with its OpenMP and its sanitizers, which are packages of their own
      want "$name" "clang-$number"
      want "/usr/lib/llvm-$number/lib/libomp.so" "libomp-$number-dev"
      [ -n "$(find "/usr/lib/llvm-$number/lib/clang" -name 'libclang_rt.asan*' 2>/dev/null | head -1)" ] ||
        want /none "libclang-rt-$number-dev" ;;
    *) want "$name" "$name" ;;
  esac
done
[ -n "$packages$optional" ] || exit 0

if ! command -v apt-get >/dev/null 2>&1; then
  echo "etna: missing:$packages$optional, and no apt here: install them yourself" >&2
elif [ "$(id -u)" != 0 ]; then
  echo "etna: missing; give them by: sudo apt-get install$packages$optional" >&2
else
  update
  export DEBIAN_FRONTEND=noninteractive
  for group in "$packages" "$optional"; do
    [ -n "$group" ] || continue
    echo "etna: installing$group"
    log=$(mktemp)
    # shellcheck disable=SC2086
    if ! apt-get -qq install -y --no-install-recommends $group >"$log" 2>&1 </dev/null; then
      echo "etna: could not install$group ($(grep '^E' "$log" | head -1))" >&2
      [ "$group" != "$packages" ] || missing=yes
    fi
    rm -f "$log"
  done
  [ -z "${missing:-}" ] && exit 0
fi
[ -z "$packages" ]
