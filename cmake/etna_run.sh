#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Installed as etna-run: mpirun, which says in a line for each rank how it ended and where it was, also of one that was
# killed; and which ends in any case some seconds after a rank. Usage:
#     etna-run -n 4 ./app ARGUMENTS...
#     etna-run -n 4 --mca btl self,tcp -- ./app ARGUMENTS...    what stands before -- goes to mpirun
# ETNA_MPIRUN names another launcher (mpirun; mpiexec.hydra; srun). Ends with the launcher's status.
set -u

# where FILE: its words, as etna::dist::where() has them. A text, since it goes to other hosts too.
# shellcheck disable=SC2016
where='where() {
  set -- "$1" $(od -A n -t d8 -N 16 "$1" 2>/dev/null)
  [ $# = 3 ] || { echo "before dist::session"; return; }
  call=$(($3 >> 56)) progress=$(($3 >> 54 & 3)) number=$(($3 & ((1 << 54) - 1)))
  name=$(tail -c +65 "$1" | tr -d "\\0" | cut -d " " -f $((call + 1)))
  [ "$2" = 0 ] || printf "at step %s, " $(($2 - 1))
  case $progress in 0) words="last called" ;; 1) words="waits for" ;; *) words="gave up waiting for" ;; esac
  if [ "$call" = 0 ]; then echo "before its first collective"
  elif [ "$name" = MPI_Finalize ]; then echo "$words $name"
  else echo "$words $name $number"
  fi
}'
eval "$where"

# What every process is started by, on its own host: `sh -c "$rank" etna-run FOLDER ./app ARGUMENTS...`. The process
# keeps where it is in a file (include/etna/dist/watch.hpp), so that this is known after a kill -9.
# shellcheck disable=SC2016
rank=$where'
folder=$1; shift
r=${OMPI_COMM_WORLD_RANK:-${PMIX_RANK:-${PMI_RANK:-${SLURM_PROCID:-unknown}}}}
n=${OMPI_COMM_WORLD_SIZE:-${PMI_SIZE:-${SLURM_NTASKS:-?}}}
own=
if [ ! -d "$folder" ]; then own=$(mktemp -d) && folder=$own; fi   # another host than the launcher
export ETNA_WATCH="$folder/$r.watch"
: >"$ETNA_WATCH"
echo "rank $r of $n on $(uname -n)" >"$folder/$r.who"
ended=
exec 3<&0  # what runs beside a shell reads nothing, unless told
"$@" <&3 3<&- &
app=$!
trap "ended=1; kill -TERM $app 2>/dev/null" TERM
wait $app; status=$?
[ -z "$ended" ] || { wait $app; status=$?; }
how=
if [ $status -gt 128 ] && name=$(kill -l $((status - 128)) 2>/dev/null); then
  [ "$ended$name" = 1TERM ] || how="was killed by signal $((status - 128)) (SIG$name)"
elif [ $status != 0 ]; then how="ended with status $status"
fi
[ $status = 0 ] || how=${how:-was ended with the others}
echo "${how:-fine}" >"$folder/$r.ends" && mv "$folder/$r.ends" "$folder/$r.end"
if [ -n "$own" ]; then
  [ -z "$how" ] || echo "etna: $(cat "$folder/$r.who") $how, $(where "$ETNA_WATCH")" >&2
  rm -rf "$own"
fi
exit $status
'

# report FOLDER: those that ended by themselves, then those that were ended with them.
report() {
  for first in yes no; do
    for who in "$1"/*.who; do
      [ -e "$who" ] || continue
      base=${who%.who}
      how=$(cat "$base.end" 2>/dev/null || echo "was ended with the others")
      case $how in
        fine) continue ;;
        was\ ended*) [ $first = no ] || continue ;;
        *) [ $first = yes ] || continue ;;
      esac
      echo "etna: $(cat "$who") $how, $(where "$base.watch")"
    done
  done
}
# guard LAUNCHER FOLDER RANKS: mpirun of OpenMPI 4.1 may wait for a lock of its own for ever when its ranks are no more.
# It has four seconds from when one failed, or all are through.
guard() {
  seconds=0
  while [ $seconds -lt 4 ] && sleep 1; do
    ended=$(cat "$2"/*.end 2>/dev/null)
    if [ "$(echo "$ended" | grep -c fine)" = "$3" ] || echo "$ended" | grep -qvE '^(fine)?$'; then
      seconds=$((seconds + 1))
    fi
  done
  : >"$2/stuck"
  kill -TERM "$1"
  sleep 2
  kill -KILL "$1"
}

n=
case ${1:-} in
  -n | -np | -c | --np) [ $# -ge 3 ] && n=$2 && shift 2 ;;
esac
if [ -z "$n" ]; then
  echo "etna-run: how many ranks, and of what? usage: etna-run -n RANKS [OPTIONS OF MPIRUN --] PROGRAM [ARGUMENTS]" >&2
  exit 2
fi
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
trap 'exit 129' HUP
trap 'exit 141' PIPE
# The options of the launcher, then the rest: both stay whole words.
options=0
case $1 in
  -*)
    for word in "$@"; do
      [ "$word" != -- ] || break
      options=$((options + 1))
    done
    if [ $options -ge $(($# - 1)) ]; then
      echo "etna-run: '$1' is an option of the launcher's, and where the program begins is not said; write -- before it" >&2
      exit 2
    fi
    ;;
esac
i=0 all=$#
while [ $i -lt "$all" ]; do  # each word goes from the front to the end
  word=$1
  shift
  if [ $i = $options ]; then set -- "$@" sh -c "$rank" etna-run "$folder"; fi
  if [ $i != $options ] || [ "$word" != -- ]; then set -- "$@" "$word"; fi
  i=$((i + 1))
done
launched=
trap '[ -z "$launched" ] || kill -TERM $launched 2>/dev/null' TERM
trap '[ -z "$launched" ] || kill -INT $launched 2>/dev/null' INT
exec 3<&0
"${ETNA_MPIRUN:-mpirun}" -n "$n" "$@" <&3 3<&- &
launched=$!
guard $launched "$folder" "$n" >/dev/null 2>&1 </dev/null 3<&- &
guard=$!
wait $launched
status=$?
while kill -0 $launched 2>/dev/null; do  # a signal came in between
  wait $launched
  status=$?
done
kill $guard 2>/dev/null
if [ -e "$folder/stuck" ]; then
  echo "etna-run: all or some ranks have ended, and ${ETNA_MPIRUN:-mpirun} did not; it was ended" >&2
  [ "$(cat "$folder"/*.end | grep -c '^fine$')" = "$n" ] && status=0
fi
[ $status = 0 ] || report "$folder" >&2
exit $status
