#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A training on several ranks (life.cpp), disturbed: kill -9 of some rank at twenty moments, a rank that throws, one that
# hangs. Each time the job ends within ten seconds (of the limit of a wait, which is two), it is said who and where, and a
# restart, also on fewer ranks, ends with the bits of a run that nobody disturbed. Usage: faults.sh ETNA-RUN LIFE [SEED]
set -u
etna_run=$1 life=$2 seed=${3:-1}
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
fail() {
  echo "$*"
  : >"$folder/failed"
}
milliseconds() { echo $(($(date +%s%N) / 1000000)); }

# start LANE RANKS [FAULT]: in the background; $job. Each rank's process id is in LANE/pid.RANK before it is the program.
start() {
  lane=$1 ranks=$2
  rm -f "$folder/$lane"/pid.*
  # (Of several mpirun that begin at once in one folder for temporary files some fail.)
  # shellcheck disable=SC2016
  TMPDIR="$folder/$lane" timeout -k 5 60 sh "$etna_run" -n "$ranks" sh -c 'f=$1; shift; r=${OMPI_COMM_WORLD_RANK:-$PMI_RANK}
    echo $$ >"$f/new.$r"; mv "$f/new.$r" "$f/pid.$r"; exec "$@"' sh "$folder/$lane" \
    "$life" "$folder/$lane/run" ${3:+"$3"} >"$folder/$lane/out" 2>"$folder/$lane/said" &
  job=$!
}
# ended LANE SECONDS WHAT [FILE]: it ended in time (since the file is there), not as if all were well, and left no process.
ended() {
  while [ $# = 4 ] && [ ! -e "$4" ] && runs "$job"; do sleep 0.02; done
  from=$(milliseconds)
  wait "$job"
  status=$?
  took=$(($(milliseconds) - from))
  [ $took -le "${longest:-0}" ] || longest=$took
  [ $status != 0 ] || fail "$3: the launcher says that all was well"
  [ $took -lt $(($2 * 1000)) ] || fail "$3: ended after $took ms"
  for p in "$folder/$1"/pid.*; do
    tries=0
    while runs "$(cat "$p")"; do
      [ $((tries += 1)) -lt 40 ] || { fail "$3: $p still runs"; break; }
      sleep 0.05
    done
  done
}
# What was killed may wait for somebody to ask for its status (Z).
runs() { kill -0 "$1" 2>/dev/null && ! grep -q '^State:.Z' "/proc/$1/status" 2>/dev/null; }
# says LANE PATTERN WHAT
says() {
  grep -q "$2" "$folder/$1/said" || {
    fail "$3: nobody said '$2', but:"
    cat "$folder/$1/said"
  }
}
# goes_on LANE RANKS WHAT: to its end, with the same bits, and nothing written half is left.
goes_on() {
  start "$1" "$2"
  wait "$job" || {
    fail "$3: a restart on $2 ranks failed"
    cat "$folder/$1/said"
  }
  cmp "$folder/$1/out" "$folder/whole/out" || fail "$3: other bits behind a restart on $2 ranks"
  left=$(find "$folder/$1/run" -type f ! -name 'step_[0-9]*.safetensors')
  [ -z "$left" ] || fail "$3: left: $left"
}

# kill_at LANE RANKS VICTIM PAUSE FROM: so many seconds after the rank is there, or after the next checkpoint.
kill_at() {
  : >"$folder/$1/begin"
  start "$1" "$2"
  while runs $job; do
    if [ "$5" = start ]; then [ ! -e "$folder/$1/pid.$3" ] || break
    else [ -z "$(find "$folder/$1/run" -name 'step_*.safetensors' -newer "$folder/$1/begin" 2>/dev/null)" ] || break
    fi
    sleep 0.01
  done
  sleep "$4"
  kill -9 "$(cat "$folder/$1/pid.$3")" 2>/dev/null
}
# kills LANE COUNT SEED
kills() {
  mkdir "$folder/$1"
  awk -v seed="$3" -v count="$2" 'BEGIN { srand(seed); for (i = 0; i < count; ++i) {
      n = substr("444321", 1 + int(6 * rand()), 1); from = i % 3 ? "checkpoint" : "start"
      print n, int(n * rand()), (from == "start" ? 0.4 : 0.15) * rand(), from } }' >"$folder/$1/plan"
  done_kills=0 inside=0 through=0
  while read -r ranks victim pause from; do
    what="kill $((done_kills + 1)) of lane $1: rank $victim of $ranks $pause s after the $from"
    last=$ranks
    until kill_at "$1" "$ranks" "$victim" "$pause" "$from"; do  # it was through before: again from the beginning
      wait "$job" || { fail "$what: it failed before"; cat "$folder/$1/said"; }
      cmp "$folder/$1/out" "$folder/whole/out" || fail "$what: other bits"
      rm -rf "$folder/$1/run"
      through=$((through + 1))
      [ $through -lt 20 ] || break
    done
    ended "$1" 10 "$what"
    says "$1" "^etna: rank $victim of $ranks on .* was killed by signal 9 (SIGKILL), " "$what"
    ! grep -q "^etna: rank $victim of .*at step" "$folder/$1/said" || inside=$((inside + 1))
    done_kills=$((done_kills + 1))
  done <"$folder/$1/plan"
  [ $inside -ge $(($2 / 3)) ] || fail "lane $1: $inside kills came while it trained"
  echo "lane $1: $done_kills kills, $inside of them in a step; $through times it was through before; ended within ${longest:-?} ms"
  goes_on "$1" "$last" "lane $1, all kills"
}
# faulty FAULT RANKS-BEHIND PATTERN...: the last of four ranks throws or hangs.
faulty() {
  fault=$1 ranks_behind=$2
  shift 2
  mkdir "$folder/$fault"
  start "$fault" 4 "$fault"
  case $fault in hangs*) limit=2 ;; *) limit=0 ;; esac
  ended "$fault" $((limit + 10)) "$fault" "$folder/$fault/run.fault"
  echo "$fault: ended $took ms after it"
  for pattern in "$@"; do says "$fault" "$pattern" "$fault"; done
  goes_on "$fault" "$ranks_behind" "$fault"
}

# stuck STATUS PATTERN: two ranks that end so, and a launcher that never does, nor hears SIGTERM.
stuck() {
  from=$(milliseconds)
  ETNA_MPIRUN="$folder/launcher" sh "$etna_run" -n 2 sh -c "exit $1" 2>"$folder/stuck.$1"
  status=$?
  took=$(($(milliseconds) - from))
  [ $took -lt 10000 ] || fail "a launcher that is stuck was ended after $took ms"
  if [ "$1" = 0 ]; then [ $status = 0 ]; else [ $status != 0 ]; fi || fail "a launcher that is stuck: status $status"
  grep -q "$2" "$folder/stuck.$1" || { fail "a launcher that is stuck: nobody said '$2', but:"; cat "$folder/stuck.$1"; }
}
cat >"$folder/launcher" <<'END'
#!/bin/sh
trap '' TERM
shift 2
for r in 0 1; do PMI_SIZE=2 PMI_RANK=$r "$@" & done
wait
while :; do sleep 1; done
END
chmod +x "$folder/launcher"
# Words and the standard input reach the program as they are; options go to mpirun.
words=$(echo in | TMPDIR="$folder" sh "$etna_run" -n 1 --mca mpi_yield_when_idle 1 -- sh -c 'cat; printf "%s|" "$@"' sh 'a  b' -- '' "'")
[ "$words" = "in
a  b|--||'|" ] || fail "the program got other words: $words"

mkdir "$folder/whole"
start whole 1
wait "$job" || fail "the run that nobody disturbs failed"
[ "$(wc -l <"$folder/whole/out")" -gt 500 ] || fail "it printed too little"
kills first 10 "$seed" &
first=$!
kills second 10 "$((seed + 1000))" &
second=$!
stuck 0 '^etna-run: all or some ranks have ended' &
stuck_0=$!
stuck 3 '^etna: rank 1 of 2 on .* ended with status 3, before dist::session' &
stuck_3=$!
faulty throws 3 '^a rank says: E107: ' '^etna: rank 3 of 4 on .* ended with status [1-9].*, at step 12, ' \
  '^etna: rank 0 of 4 on .* was ended with the others, at step 12, '
faulty hangs 2 '^a rank says: E169: .* waits for all_reduce ' '^etna: rank 3 of 4 on .* at step 12, last called all_gather '
faulty hangs_at_end 4 '^etna: rank [0-2] of 4 on .*: E169: .*waits for MPI_Finalize since ' '^etna: rank 3 of 4 on .* at step 399, last called '
wait $first $second $stuck_0 $stuck_3
[ ! -e "$folder/failed" ]
