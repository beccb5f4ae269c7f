"""Runs the jobs of bench/run with etna and its peers in turns, and prints medians and ratios. See bench/run.sh."""
import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
from pathlib import Path

here = Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(here))
from operations import OPERATIONS  # noqa: E402

JOBS = ["grad4", "hvp4", "mlp_step", "per_example", "chain", "chain_grad", "softmax", "layer_norm", "layer_norm_grad", "lse_grad", "dot", "matvec", "vecmat", "column_sums", "broadcast", "broadcast_few", "standardize", "row_squares", "cnn", "resnet8", "vit_small", "vit_b16", "vit_b16_bf16", "gpt2", "dot_bf16", "attention", "attention_grad", "attention_causal_grad", "rk4", "heat", "heat_grad", "adam90"]
PEERS = ["cpp", "xtensor", "jax", "torch", "torch.compile"]
# What sums of f32 agree to between orders of summation; a step of Adam divides by roots of tiny squares; XLA rounds
# bf16 and f16 at each operation.
TOLERANCE = {"adam90": 2e-3, "vit_small": 2e-3, "gpt2": 2e-3, "op_choice_bf16": 1e-3, "op_choice_f16": 1e-3}

p = argparse.ArgumentParser(description=__doc__)
p.add_argument("names", nargs="*", metavar="NAME", help="parts of jobs' names; default all: " + " ".join(JOBS))
p.add_argument("--threads", type=int, choices=(1, 2), default=1)
p.add_argument("--peers", default="cpp,xtensor,jax,torch", help="of " + ",".join(PEERS) + "; default cpp,xtensor,jax,torch")
p.add_argument("--seconds", type=float, default=0.5, help="for each job, peer and round; default 0.5")
p.add_argument("--rounds", type=int, default=5)
p.add_argument("--json", metavar="FILE", help="write all medians there too")
p.add_argument("--picture", metavar="FILE", help="an SVG of what --json writes, by ratios.py")
p.add_argument("--operations", action="store_true", help=argparse.SUPPRESS)
p.add_argument("--bench", required=True, help=argparse.SUPPRESS)
p.add_argument("--venv", required=True, help=argparse.SUPPRESS)
a = p.parse_args()

JOBS = list(OPERATIONS) if a.operations else JOBS
jobs = [j for j in JOBS if not a.names or any(n in j for n in a.names)]
cores = sorted(os.sched_getaffinity(0))
if not jobs:
    sys.exit(f"bench: no job has {' or '.join(a.names)} in its name; there are {' '.join(JOBS)}")
if len(cores) < a.threads:
    sys.exit(f"bench: {a.threads} threads asked for, {len(cores)} cores available")
if a.picture and not a.json:
    sys.exit("bench: --picture draws what --json FILE writes: give both")
unknown = [n for n in a.peers.split(",") if n and n not in PEERS]
if unknown:
    sys.exit(f"bench: no peer {unknown[0]}; there are {' '.join(PEERS)}")


class Worker:
    """A process that answers lines; pinned to the first cores."""

    def __init__(self, name):
        python, t = str(Path(a.venv) / "bin/python"), str(a.threads)
        command = {"jax": [python, here.parent / "peers/jax_peer.py", t], "torch": [python, here.parent / "peers/torch_peer.py", t],
                   "torch.compile": [python, here.parent / "peers/torch_peer.py", t, "compile"]}.get(name, [a.bench, name])
        env = os.environ | {k: t for k in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NPROC")} | {"OMP_PROC_BIND": "true"}
        self.name = name
        self.process = subprocess.Popen([str(c) for c in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env,
                                        preexec_fn=lambda: os.sched_setaffinity(0, cores[: a.threads]))

    def ask(self, job, seconds):
        """Numbers, or None where the peer has no such job."""
        self.process.stdin.write(f"{job} {seconds}\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            sys.exit(f"bench: {self.name} ended at {job}")
        return None if line.strip() == "none" else [float(x) for x in line.split()]


def version(name):
    """Of a package in the virtual environment; empty where it has none."""
    run = subprocess.run([Path(a.venv) / "bin/python", "-c", f"import {name}; print({name}.__version__)"], capture_output=True, text=True)
    return run.stdout.strip()


def processor():
    """Its name; where the system tells none, the machine's."""
    lines = [x for x in Path("/proc/cpuinfo").read_text().splitlines() if x.startswith("model name")] if Path("/proc/cpuinfo").exists() else []
    return lines[0].split(":")[1].strip() if lines else platform.machine()


names, versions = ["etna"], {}
for name in filter(None, a.peers.split(",")):
    package = name.split(".")[0]
    if package not in ("cpp", "xtensor"):  # which are in the bench itself
        versions[package] = version(package) if (Path(a.venv) / "bin/python").exists() else ""
        if not versions[package]:
            print(f"bench: no {package} in the virtual environment: left out (BENCH_SETUP=1 sh bench/run.sh installs it)", file=sys.stderr)
            continue
    names.append(name)
workers = [Worker(n) for n in names]
print(f"{processor()}, {a.threads} thread{'s' if a.threads > 1 else ''}; " + ", ".join(f"{k} {v}" for k, v in versions.items() if v))
print("microseconds, in brackets etna's time divided by this time (below 1: etna is faster)\n")
print("| job | " + " | ".join(names) + " |\n|---|" + "---:|" * len(names))
results, wrong = {}, False
for job in jobs:
    checks = {w.name: w.ask(job, 0) for w in workers}
    have = [w for w in workers if checks[w.name]]
    for w in have:  # the same numbers, before anything is timed
        for mine, its in zip(checks["etna"], checks[w.name]):
            if not abs(mine - its) <= TOLERANCE.get(job, 1e-4) * abs(mine):
                print(f"bench: {job}: etna has {mine:.9g}, {w.name} {its:.9g}", file=sys.stderr)
                wrong = True
    times = {w.name: [] for w in have}
    for _ in range(a.rounds):
        for w in have:
            times[w.name].append(w.ask(job, a.seconds)[0])
    medians = results[job] = {n: statistics.median(t) for n, t in times.items()}
    print(f"| {job} | " + " | ".join(f"{medians[n]:.4g}" + (f" ({medians['etna'] / medians[n]:.3g})" if n != "etna" else "") if n in medians else "" for n in names) + " |", flush=True)
if a.json:
    aside = Path(a.json + ".new")
    aside.write_text(json.dumps({"processor": processor(), "threads": a.threads, "versions": versions, "microseconds": results}, indent=1))
    aside.replace(a.json)
    if a.picture:
        subprocess.run([Path(a.venv) / "bin/python", here / "ratios.py", a.picture, a.json], check=True)
sys.exit(1 if wrong else 0)
