#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Programs of test/ranks on two "hosts", two ranks each: network namespaces joined by a virtual cable, with host names of
# their own, so that ranks meet over TCP. mpirun is on the first, and starts its daemon on the second by an agent that
# enters it. All of it is gone with the two processes that hold the namespaces.
# Usage: two_hosts.sh ETNA-RUN LIFE PROGRAM...; 77 where the machine forbids it.
set -u
etna_run=$1
shift
skip() {
  echo "skipped: $*"
  exit 77
}
for tool in ip unshare nsenter mpirun; do
  command -v $tool >/dev/null || skip "there is no $tool (iproute2, util-linux, openmpi-bin)"
done
mpirun --version 2>/dev/null | grep -q 'Open MPI' || skip "the launch agent is in OpenMPI's words"
[ "$(id -u)" = 0 ] || skip "only root makes network namespaces"

folder=$(mktemp -d) || exit 2
a='' b=''
# shellcheck disable=SC2086
trap 'kill $a $b 2>/dev/null; rm -rf "$folder"' EXIT
# host NAME: a process in namespaces of its own; $host is its number.
host() {
  # shellcheck disable=SC2016
  unshare --net --uts --mount sh -c 'echo "$1" >/proc/sys/kernel/hostname && : >"$2" && exec sleep 300' sh "$1" "$folder/$1" 2>"$folder/why" &
  host=$!
  tries=0
  until [ -e "$folder/$1" ]; do
    if [ $((tries += 1)) -gt 100 ] || ! kill -0 $host 2>/dev/null; then skip "no namespace: $(cat "$folder/why")"; fi
    sleep 0.05
  done
}
host etna-a; a=$host
host etna-b; b=$host
in_a() { nsenter -t "$a" --net --uts "$@"; }
in_b() { nsenter -t "$b" --net --uts --mount "$@"; }
in_a ip link add cable type veth peer name cable netns "$b" 2>"$folder/why" || skip "no virtual cable: $(cat "$folder/why")"
in_a ip address add 10.77.0.1/24 dev cable && in_a ip link set cable up && in_a ip link set lo up &&
  in_b ip address add 10.77.0.2/24 dev cable && in_b ip link set cable up && in_b ip link set lo up || exit 2

mkdir "$folder/temporary"
in_b mount -t tmpfs etna "$folder/temporary" || exit 2  # what is temporary here is not there

# What mpirun calls as ssh: HOST COMMAND...
cat >"$folder/agent" <<END
#!/bin/sh
[ "\$1" = 10.77.0.2 ] || exit 1
shift
exec nsenter -t $b --net --uts --mount sh -c "\$*"
END
chmod +x "$folder/agent"
# ranks PROGRAM ARGUMENTS...: two here, two there; between hosts there is TCP only.
ranks() {
  in_a env TMPDIR="$folder/temporary" OMPI_MCA_btl=self,vader,tcp OMPI_MCA_btl_vader_single_copy_mechanism=none \
    timeout 60 sh "$etna_run" -n 4 --mca plm_rsh_agent "$folder/agent" --mca btl_tcp_if_include 10.77.0.0/24 \
    --mca oob_tcp_if_include 10.77.0.0/24 --host 10.77.0.1:2,10.77.0.2:2 -- "$@"
}
status=0
# shellcheck disable=SC2016
names=$(ranks sh -c 'uname -n' | sort | uniq -c | tr -s ' \n' ' ')
[ "$names" = " 2 etna-a 2 etna-b " ] || { echo "the ranks were on:$names"; status=1; }
sent() { in_a sed -n 's/^ *cable://p' /proc/net/dev | awk '{ print $9 }'; }
life=$1
shift
for program in "$@"; do
  before=$(sent)
  ranks "$program" 4 >"$folder/said" 2>&1 || { echo "$program failed"; status=1; }
  [ "$(grep -c '^rank [0-3] of 4: 0 wrong$' "$folder/said")" = 4 ] || { cat "$folder/said"; status=1; }
  [ $(($(sent) - before)) -gt 100000 ] || { echo "$program: the cable carried $(($(sent) - before)) bytes"; status=1; }
done
# Of a rank that dies there it is said here.
! ranks "$life" "$folder/run" killed >/dev/null 2>"$folder/said" || { echo "a rank was killed, and all was well"; status=1; }
grep -q '^etna: rank 3 of 4 on etna-b was killed by signal 9 (SIGKILL), at step 12, last called ' "$folder/said" ||
  { cat "$folder/said"; status=1; }
exit $status
