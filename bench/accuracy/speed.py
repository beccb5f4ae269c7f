#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Times of elementary functions of two trees, in turns: nanoseconds per element and ratios after / before.

usage: python3 bench/accuracy/speed.py BEFORE [AFTER] [NAME...] [--rounds N] [--most R]
  BEFORE, AFTER   folders of etna's sources (git worktree add ../before main); AFTER defaults to this one
  NAME            functions; default all
  --rounds        of both programs, the least time of each function counts; default 5
  --most          exit status 1 where a ratio is above it; default 1.3
  CXX, CXXFLAGS   default g++, -O3 -march=native;  ETNA_PREFIX as in cmake/prefix.sh
The compiled programs lie in build/accuracy, by a checksum of what they are compiled from.
"""
import argparse
import hashlib
import os
import subprocess
import sys
from pathlib import Path

root = Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(root / "bench/compile"))
import flags  # noqa: E402


def program(tree):
    """bench/accuracy/speed.cpp of this tree, with the headers of another."""
    compiler = os.environ.get("CXX", "g++")
    options = os.environ.get("CXXFLAGS", "-O3 -march=native").split()
    options += [f"-I{tree}/include", f"-I{root}/test", *flags.common(compiler, None)]
    text = hashlib.sha256(" ".join([compiler, *options]).encode())
    for folder in (tree / "include", root / "test/accuracy", root / "bench/accuracy"):
        for f in sorted(folder.rglob("*.[ch]pp")):
            text.update(f.read_bytes())
    to = root / "build/accuracy" / f"speed-{text.hexdigest()[:12]}"
    if not to.exists():
        to.parent.mkdir(parents=True, exist_ok=True)
        aside = to.with_suffix(".new")
        subprocess.run([compiler, *options, root / "bench/accuracy/speed.cpp", "-o", aside], check=True)
        aside.rename(to)
    return to


def measured(binary, names):
    lines = subprocess.run([binary, *names], check=True, capture_output=True, text=True).stdout.splitlines()
    return {tuple(line.split()[:2]): [float(t) for t in line.split()[2:]] for line in lines}


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("before", type=Path)
    p.add_argument("rest", nargs="*", metavar="AFTER or NAME")
    p.add_argument("--rounds", type=int, default=5)
    p.add_argument("--most", type=float, default=1.3)
    a = p.parse_intermixed_args()
    names = [n for n in a.rest if not (Path(n) / "include/etna").is_dir()]
    trees = [a.before, *(Path(n) for n in a.rest if n not in names), root][:2]
    binaries = [program(t.resolve()) for t in trees]
    times = [{}, {}]
    for _ in range(a.rounds):
        for have, binary in zip(times, binaries):
            for job, t in measured(binary, names).items():
                have[job] = [min(pair) for pair in zip(have.get(job, t), t)]
    slow = 0
    heads = [f"{form + ': ns':>14} {'after':>8} {'ratio':>6}" for form in ("registers", "numbers")]
    print(f"{'function':16} type", *heads)
    for job in times[0]:
        (b, c), (d, e) = times[0][job], times[1][job]
        mark = " <-" if max(d / b, e / c) > a.most else ""
        slow += bool(mark)
        print(f"{job[0]:16} {job[1]}   {b:13.3f} {d:8.3f} {d / b:6.2f} {c:14.3f} {e:8.3f} {e / c:6.2f}{mark}")
    print(f"{slow} of {len(times[0])} above {a.most}")
    return slow > 0


if __name__ == "__main__":
    sys.exit(main())
