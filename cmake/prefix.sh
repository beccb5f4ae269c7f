#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Makes the private prefix: Kokkos and the header libraries of Debian's newest suite, unpacked beside the build, with
# no root and nothing of the system changed. Usage: sh cmake/prefix.sh    (ETNA_PREFIX: where, default build/prefix)
# A second run finds the stamps and downloads nothing. With Kokkos_ROOT set, the user's Kokkos is used instead.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
prefix=${ETNA_PREFIX:-$here/build/prefix}

want="xtl-dev libxtensor-dev libxsimd-dev nlohmann-json3-dev doctest-dev libcli11-dev dataset-fashion-mnist"
[ -n "${Kokkos_ROOT:-}${Kokkos_DIR:-}" ] || want="libkokkos-dev $want"
lacks() { # HEADER [A MACRO OF ITS]
  ! printf '#include <%s>\n#if !defined(%s)\n#error another header of that name\n#endif\n' "$1" "${2:-__cplusplus}" |
    "${CXX:-c++}" -E -x c++ - >/dev/null 2>&1
}
# Only where the compiler has none of its own: the trainer reads gzip files.
lacks zlib.h && want="$want zlib1g-dev"
# What etna does without where it cannot be had: .npz files, pictures, tables, and an example. Static libraries, unpacked
# without what their packages depend on (SUNDIALS's on 390, for its parts with MPI); from a suite whose objects link with
# older systems too, and whose SUNDIALS calls no MPI in its serial parts.
alone= alone_suite=bookworm
lacks minizip/unzip.h && alone="$alone libminizip-dev"
lacks cvode/cvode.h && alone="$alone libsundials-dev"
lacks png.h && alone="$alone libpng-dev"
lacks jpeglib.h && alone="$alone libjpeg62-turbo-dev"
lacks csv.h CSV_STRICT_FINI && alone="$alone libcsv-dev"

# The stamps list what is there; of the second kind, what was tried. Nothing to do when that is all that is wanted, or more.
lack() { # STAMP PACKAGES...
  have=" $(cat "$prefix/$1" 2>/dev/null || :) "
  shift
  for package in "$@"; do
    case $have in *" $package "*) ;; *) return 0 ;; esac
  done
  return 1
}
missing=
lack complete $want && missing=yes
[ -n "$missing" ] || lack tried $alone || exit 0

stop() {
  echo "etna: $1; install Kokkos 5, xtensor, xsimd, nlohmann-json, doctest and CLI11 yourself and give them:" \
    "cmake -DKokkos_ROOT=... -DCMAKE_PREFIX_PATH=..." >&2
  exit 1
}
for tool in apt-get apt-cache dpkg-deb awk; do
  command -v $tool >/dev/null 2>&1 && continue
  [ -n "$missing" ] || exit 0
  stop "no $tool here, so the libraries cannot be fetched"
done

# Everything happens aside and is renamed at the end: a half-finished download is never taken for a prefix.
aside=$prefix.new.$$
trap 'rm -rf "$aside"' EXIT
trap 'exit 1' INT TERM HUP
log=$aside/log
said() { grep -E '^(E|W|Err)' "$log" | head -1 | cut -c1-120; }

# ask SUITE FOLDER: asks the archive for the suite's packages; fails where there is none, or no answer. The entry is the
# machine's own Debian one with the suite replaced, so that its mirror and its keyring serve again. Both forms of a source
# file are known: stanzas (*.sources) and lines (*.list). Lists and caches are in FOLDER; the system's are only read.
ask() {
  suites=" $(. /etc/os-release && echo "${VERSION_CODENAME:-stable}") stable oldstable testing unstable sid "
  etc=/etc/apt
  mkdir -p "$2/lists/partial" "$2/cache/archives/partial" "$2/debs"
  source=$2/debian.sources
  for file in $etc/sources.list.d/debian.sources $etc/sources.list.d/*.sources; do
    [ -r "$file" ] || continue
    grep -v '^#' "$file" | awk -v known="$suites" -v new="$1" '
      BEGIN { RS = ""; FS = "\n" }
      /(^|\n)Types:[^\n]*deb/ && /(^|\n)Components:[^\n]*main/ && !/(^|\n)Enabled: *no/ {
        match($0, /(^|\n)Suites:[^\n]*/); line = substr($0, RSTART, RLENGTH); sub(/^\n?Suites:/, "", line)
        split(line, word, " ")
        if (index(known, " " word[1] " ")) {
          for (i = 1; i <= NF; i++) print ($i ~ /^Suites:/) ? "Suites: " new : $i
          exit
        }
      }' >"$source"
    [ -s "$source" ] && break
  done
  if [ ! -s "$source" ]; then
    source=$2/debian.list
    cat $etc/sources.list $etc/sources.list.d/*.list 2>/dev/null | awk -v known="$suites" -v new="$1" '
      $1 == "deb" && / main/ {
        at = 3; if ($2 ~ /^\[/) { at = 2; while ($at !~ /\]$/) at++; at += 2 }
        if (index(known, " " $at " ")) { $at = new; print; exit }
      }' >"$source"
  fi
  if [ ! -s "$source" ]; then
    echo "E: this machine's package sources name no Debian archive" >"$log"
    return 1
  fi
  cat >"$2/conf" <<CONF
Dir::State::Lists "$2/lists";
Dir::Cache "$2/cache";
Dir::Etc::SourceList "$source";
Dir::Etc::SourceParts "/dev/null";
Acquire::Languages "none";
Acquire::Retries "3";
APT::Sandbox::User "root";
APT::Get::List-Cleanup "0";
CONF
  export APT_CONFIG="$2/conf"
  apt-get -q update >"$log" 2>&1 && ! grep -q '^Err' "$log"
}

# unpack FOLDER INTO PACKAGES...
unpack() {
  debs=$1/debs into=$2
  shift 2
  (cd "$debs" && apt-get -q download "$@") >"$log" 2>&1 || return 1
  mkdir -p "$into"
  for deb in "$debs"/*.deb; do dpkg-deb -x "$deb" "$into" || return 1; done
  rm -rf "$into/usr/share/doc" "$into/usr/share/man" "$into/usr/share/locale"
}

if [ -n "$missing" ]; then
  echo "etna: fetching Kokkos and the header libraries into $prefix"
  ask sid "$aside/sid" || stop "the package archive does not answer ($(said))"
  # The archive says what depends on what. The suite's libc comes along because its Kokkos wants it; its headers never
  # do: the system's compilers (nvcc first of all) cannot read newer ones.
  all=$(apt-cache depends --recurse --important $want |
    sed -n 's/^\([a-z0-9][a-z0-9.+-]*\)$/\1/p' | sort -u |
    grep -Ev '^(libc6-dev|libc-dev-bin|linux-libc-dev|libcrypt-dev|rpcsvc-proto|debconf.*|cdebconf.*|dpkg|tar|perl.*)$')
  unpack "$aside/sid" "$aside/root" $all || stop "the download failed ($(said))"
  (cd "$aside/sid/debs" && ls) >"$aside/root/packages"
  echo "$want" >"$aside/root/complete"
  rm -rf "$prefix"
  mv "$aside/root" "$prefix"
  echo "etna: $(wc -l <"$prefix/packages") packages in $prefix"
fi

if lack tried $alone; then
  if ask $alone_suite "$aside/alone" && unpack "$aside/alone" "$aside/static" $alone; then
    find "$aside/static" -xtype l -delete # the shared libraries' names, without the libraries
    rm -rf "$prefix/alone"
    mv "$aside/static" "$prefix/alone"
    echo "etna:$alone in $prefix/alone"
  else
    echo "etna: without$alone, which could not be fetched ($(said)); to try again, remove $prefix/tried" >&2
  fi
  echo "$alone " >"$prefix/tried"
fi
