# SPDX-License-Identifier: BSD-3-Clause
"""etna and JAX in turns, program by program: medians in milliseconds and their ratio. See run.sh."""
import argparse
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

here = Path(__file__).resolve().parent
MAPS = ["quat", "bs", "stiff", "lj32", "lj64", "cloth"]
ARRAYS = ["pinn", "pinn64", "node", "gru", "knn", "knn_diff", "conv1d", "tree", "tree_stack", "lbm"]
MORE = ["body", "tets", "rays", "poses", "stencil", "elim", "boot", "automaton", "harmonics", "mdn",
        "kalman", "lstm", "embed", "text"]
ALL = MAPS + ARRAYS + MORE
SINGLE = ["gate8", "gate12", "gate20", "gate24", "gate40", "gate72", "times8", "times12", "times20", "times32", "times10_f64",
          "left8", "left20", "left32", "left10_f64", "take", "pool", "pool_grad", "repeat", "interleave", "turn33", "turn3n3",
          "turnn3", "product44", "pieces_grad"]
SCRIPTS = {"maps.py": MAPS, "arrays.py": ARRAYS, "more.py": MORE, "single.py": SINGLE}
FLOAT64 = {"quat", "bs", "stiff", "lj64", "pinn64", "times10_f64", "left10_f64"}

p = argparse.ArgumentParser(description=__doc__)
p.add_argument("names", nargs="*", help="default " + " ".join(ALL) + "; single: " + " ".join(SINGLE) + "; forms: one computation in several forms, without JAX; "
               "bytes [NAME...]: what the plans move, beside what arguments, results and temporaries need, nothing run")
p.add_argument("--seconds", type=float, default=0.5)
p.add_argument("--rounds", type=int, default=3)
p.add_argument("--bench", required=True, help=argparse.SUPPRESS)
p.add_argument("--venv", required=True, help=argparse.SUPPRESS)
a = p.parse_args()
if a.names == ["forms"]:  # etna alone
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    os.execve(a.bench, [a.bench, "forms"], os.environ | {"OMP_NUM_THREADS": "1"})
is_bytes = a.names[:1] == ["bytes"]
names = SINGLE if a.names == ["single"] else a.names[is_bytes:] or ALL
unknown = [n for n in names if n not in ALL + SINGLE]
if unknown:
    sys.exit(f"wide: no program {unknown[0]}; there are {' '.join(ALL + SINGLE)}")
core = min(os.sched_getaffinity(0))
env = os.environ | {"OMP_NUM_THREADS": "1", "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1",
                    "JAX_PLATFORMS": "cpu"}


MOVES = {"copy", "patch", "update", "transpose", "broadcast", "slice", "gather"}


def show_bytes(name):
    """A row: megabytes that the plan's kernels read and write, once a launch each element, those of kernels that only move or only write constants, and the least
    that a call needs: arguments, results, and what lies in temporaries at its fullest, once written and once read."""
    text = subprocess.run([a.bench, name, "bytes"], env=env, capture_output=True, text=True, check=True).stdout
    plan, (arguments, temporaries) = json.loads(text[:text.rindex("}") + 1]), map(int, text.split()[-2:])
    mega = {"all": 0, "moved": 0, "constant": 0}
    rows = plan["kernels"]
    for k, of in enumerate(rows):
        if None in (of["read"], of["written"], of["launches"]) or (k + 1 < len(rows) and rows[k + 1]["depth"] > of["depth"]):
            continue  # a loop has its kernels behind it; what only a call can tell is not counted
        moved = (of["read"] + of["written"]) * of["launches"] / 1e6
        mega["all"] += moved
        if {w.split("*")[0] for w in of["what"].split()} <= MOVES:
            mega["moved"] += moved
        if of["read"] == 0:
            mega["constant"] += moved
    least = (arguments + 2 * max(temporaries, 0)) / 1e6
    print(f"| {name} | {len(rows)} | {mega['all']:.3g} | {least:.3g} | {mega['all'] / least:.2f} | {mega['moved']:.2g} | {mega['constant']:.2g} |", flush=True)


def ask(command):
    """The numbers of each result, and the median milliseconds."""
    r = subprocess.run(command, env=env, capture_output=True, text=True, preexec_fn=lambda: os.sched_setaffinity(0, {core}))
    if r.returncode:
        sys.exit(f"wide: {' '.join(map(str, command))} ended with {r.returncode}: {r.stderr[-500:]}")
    lines = [line.split() for line in r.stdout.splitlines()]
    return [[float(x) for x in w[2:]] for w in lines if w and w[0] == "R"], [float(w[1]) for w in lines if w and w[0] == "T"][0]


def differ(x, y):
    """The largest difference, of sums by the sum of magnitudes and of numbers by the mean of them."""
    if len(x) != len(y):
        sys.exit(f"wide: {len(x)} results and {len(y)}")
    return max(abs(p - q) / max(abs(v[1]), 1e-30) for u, v in zip(x, y) for p, q in zip(u[:2], v[:2]))


if is_bytes:
    print("| program | kernels | MB moved | MB needed | ratio | only moved | constants |\n|---|---:|---:|---:|---:|---:|---:|")
    for name in names:
        show_bytes(name)
    sys.exit()
print("| program | etna | JAX | JAX / etna |\n|---|---:|---:|---:|")
ratios = []
for name in names:
    script = next(s for s, programs in SCRIPTS.items() if name in programs)
    jax = [Path(a.venv) / "bin/python", here / script, name, str(a.seconds)]
    times = {"etna": [], "jax": []}
    for _ in range(a.rounds):
        mine, ms = ask([a.bench, name, str(a.seconds)])
        times["etna"].append(ms)
        theirs, ms = ask(jax)
        times["jax"].append(ms)
        if (d := differ(mine, theirs)) > (1e-9 if name in FLOAT64 else 2e-4):
            sys.exit(f"wide: {name} differs from JAX by {d:.2g}: {mine} {theirs}")
    e, j = statistics.median(times["etna"]), statistics.median(times["jax"])
    ratios.append(j / e)
    print(f"| {name} | {e:.4g} | {j:.4g} | {j / e:.2f} |", flush=True)
print(f"median {statistics.median(ratios):.2f}")
