#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Makes the private prefix: Kokkos and the header libraries of Debian's newest suite, unpacked beside the build, with
# no root and nothing of the system changed. Usage: sh cmake/prefix.sh    (ETNA_PREFIX: where, default build/prefix)
# A second run finds the stamp and downloads nothing. With Kokkos_ROOT set, the user's Kokkos is used instead.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
prefix=${ETNA_PREFIX:-$here/build/prefix}
suite=sid

want="xtl-dev libxtensor-dev libxsimd-dev nlohmann-json3-dev doctest-dev libcli11-dev dataset-fashion-mnist"
[ -n "${Kokkos_ROOT:-}${Kokkos_DIR:-}" ] || want="libkokkos-dev $want"
# Only where the compiler has no zlib of its own: the trainer reads gzip files.
echo '#include <zlib.h>' | "${CXX:-c++}" -E -x c++ - >/dev/null 2>&1 || want="$want zlib1g-dev"

# The stamp lists what is there. Nothing to do when that is all that is wanted, or more.
have=" $(cat "$prefix/complete" 2>/dev/null || :) "
for package in $want; do
  case $have in *" $package "*) ;; *) missing=yes ;; esac
done
[ -n "${missing:-}" ] || exit 0

stop() {
  echo "etna: $1; install Kokkos 5, xtensor, xsimd, nlohmann-json, doctest and CLI11 yourself and give them:" \
    "cmake -DKokkos_ROOT=... -DCMAKE_PREFIX_PATH=..." >&2
  exit 1
}
for tool in apt-get apt-cache dpkg-deb awk; do
  command -v $tool >/dev/null 2>&1 || stop "no $tool here, so the libraries cannot be fetched"
done

# Everything happens aside and is renamed at the end: a half-finished download is never taken for a prefix.
aside=$prefix.new.$$
trap 'rm -rf "$aside"' EXIT
trap 'exit 1' INT TERM HUP
mkdir -p "$aside/apt/lists/partial" "$aside/apt/cache/archives/partial" "$aside/apt/debs" "$aside/root"

# The machine's own Debian entry with the suite replaced, so that its mirror and its keyring serve again.
# Both forms of a source file are known: stanzas (*.sources) and lines (*.list).
suites=" $(. /etc/os-release && echo "${VERSION_CODENAME:-stable}") stable oldstable testing unstable sid "
etc=/etc/apt
for file in $etc/sources.list.d/debian.sources $etc/sources.list.d/*.sources; do
  [ -r "$file" ] || continue
  grep -v '^#' "$file" | awk -v known="$suites" -v new=$suite '
    BEGIN { RS = ""; FS = "\n" }
    /(^|\n)Types:[^\n]*deb/ && /(^|\n)Components:[^\n]*main/ && !/(^|\n)Enabled: *no/ {
      match($0, /(^|\n)Suites:[^\n]*/); line = substr($0, RSTART, RLENGTH); sub(/^\n?Suites:/, "", line)
      split(line, word, " ")
      if (index(known, " " word[1] " ")) {
        for (i = 1; i <= NF; i++) print ($i ~ /^Suites:/) ? "Suites: " new : $i
        exit
      }
    }' >"$aside/apt/debian.sources"
  source=$aside/apt/debian.sources
  [ -s "$source" ] && break
done
if [ ! -s "${source:-}" ]; then
  source=$aside/apt/debian.list
  cat $etc/sources.list $etc/sources.list.d/*.list 2>/dev/null | awk -v known="$suites" -v new=$suite '
    $1 == "deb" && / main/ {
      at = 3; if ($2 ~ /^\[/) { at = 2; while ($at !~ /\]$/) at++; at += 2 }
      if (index(known, " " $at " ")) { $at = new; print; exit }
    }' >"$source"
fi
[ -s "$source" ] || stop "this machine's package sources name no Debian archive"

# Its own lists and caches; the system's package database is only read.
cat >"$aside/apt/conf" <<CONF
Dir::State::Lists "$aside/apt/lists";
Dir::Cache "$aside/apt/cache";
Dir::Etc::SourceList "$source";
Dir::Etc::SourceParts "/dev/null";
Acquire::Languages "none";
Acquire::Retries "3";
APT::Sandbox::User "root";
APT::Get::List-Cleanup "0";
CONF
export APT_CONFIG="$aside/apt/conf"
log=$aside/apt/log
echo "etna: fetching Kokkos and the header libraries into $prefix"
apt-get -q update >"$log" 2>&1 && ! grep -q '^Err' "$log" ||
  stop "the package archive does not answer ($(grep -E '^(E|W|Err)' "$log" | head -1 | cut -c1-120))"

# The archive says what depends on what. The suite's libc comes along because its Kokkos wants it; its headers never
# do: the system's compilers (nvcc first of all) cannot read newer ones.
all=$(apt-cache depends --recurse --important $want |
  sed -n 's/^\([a-z0-9][a-z0-9.+-]*\)$/\1/p' | sort -u |
  grep -Ev '^(libc6-dev|libc-dev-bin|linux-libc-dev|libcrypt-dev|rpcsvc-proto|debconf.*|cdebconf.*|dpkg|tar|perl.*)$')
(cd "$aside/apt/debs" && apt-get -q download $all) >"$log" 2>&1 ||
  stop "the download failed ($(grep -E '^(E|W|Err)' "$log" | head -1 | cut -c1-120))"
for deb in "$aside"/apt/debs/*.deb; do dpkg-deb -x "$deb" "$aside/root"; done
rm -rf "$aside/root/usr/share/doc" "$aside/root/usr/share/man" "$aside/root/usr/share/locale"

(cd "$aside/apt/debs" && ls) >"$aside/root/packages"
echo "$want" >"$aside/root/complete"
rm -rf "$prefix"
mkdir -p "$(dirname "$prefix")"
mv "$aside/root" "$prefix"
echo "etna: $(wc -l <"$prefix/packages") packages in $prefix"
