# SPDX-License-Identifier: BSD-3-Clause
"""Records bits and instruction counts of programs, and of compiling them. See run.sh."""
import argparse
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

root = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(root / "bench/compile"))
from flags import common, level, prefix  # noqa: E402

PROGRAMS = ["mlp_step", "adam90", "vit", "rk4", "heat", "heat_grad"]
COMPILE = ["include_etna", "fifty", "deep_3", "vit_1"]
ARCH = "-march=x86-64-v3"

p = argparse.ArgumentParser(description=__doc__)
p.add_argument("file", type=Path)
p.add_argument("--against", type=Path)
p.add_argument("--programs", nargs="*", default=PROGRAMS)
p.add_argument("--compile", nargs="*", default=COMPILE)
a = p.parse_args()


def read(file):
    """{what: value} of a record."""
    return dict(line.rsplit(": ", 1) for line in file.read_text().splitlines()) if file and file.exists() else {}


def counted(command, **more):
    """Instructions of a command, and what it printed."""
    valgrind = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]
    run = subprocess.run(valgrind + command, capture_output=True, text=True, **more)
    if run.returncode != 0:
        sys.exit(f"record: {' '.join(command[:3])} ... fails\n{run.stderr[-2000:]}")
    refs = [line for line in run.stderr.splitlines() if "I   refs" in line or "I refs" in line]
    return int(refs[-1].split()[-1].replace(",", "")), run.stdout.strip()


found = read(a.file)


def note(what, value):
    found[what] = str(value)
    a.file.write_text("".join(f"{k}: {v}\n" for k, v in found.items()))
    print(f"{what}: {value}", flush=True)


def build():
    folder = root / "build/record"
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(["sh", "cmake/prefix.sh"], cwd=root, check=True)
    configure = ["cmake", "-S", "bench/run", "-B", folder, "-DCMAKE_CXX_COMPILER=g++", f"-DCMAKE_CXX_FLAGS=-O3 {ARCH}", f"-DETNA_PREFIX={prefix}"]
    with open(folder / "log", "w") as log:
        for command in (configure, ["cmake", "--build", folder, "--target", "bench", "-j", "2"]):
            if subprocess.run(command, cwd=root, stdout=log, stderr=subprocess.STDOUT).returncode != 0:
                sys.exit(f"record: the bench does not build, see {folder / 'log'}")
    return folder / "bench"


if missing := [n for n in a.programs if f"{n} instructions of a call" not in found]:
    bench = build()
    one_thread = os.environ | {"OMP_NUM_THREADS": "1", "OMP_PROC_BIND": "true"}
    for name in missing:
        counts = []
        for calls in (1, 2):
            n, bits = counted([str(bench), "etna"], input=f"{name} -{calls}\n", env=one_thread)
            counts.append(n)
        note(f"{name} bits", bits)
        note(f"{name} instructions of a call", counts[1] - counts[0])

if missing := [n for n in a.compile if f"{n} instructions of cc1plus" not in found]:
    with tempfile.TemporaryDirectory() as work:
        subprocess.run([sys.executable, root / "bench/compile/make.py", work], check=True)
        for name in missing:
            dry = subprocess.run(["g++", "-###", ARCH, *level(name).split(), *common("g++", work), "-fsyntax-only", f"{work}/{name}.cpp"],
                                 capture_output=True, text=True, check=True)
            command = next(line for line in dry.stderr.splitlines() if "cc1plus" in line)
            # the stack of a long constant evaluation is deep, and valgrind's own is not
            note(f"{name} instructions of cc1plus", counted(["--main-stacksize=1000000000", *shlex.split(command)])[0])

if a.against:
    before = read(a.against)
    print("\n| | before | after | ratio |\n|---|---:|---:|---:|")
    for what, value in found.items():
        was = before.get(what, "")
        ratio = f"{int(value) / int(was):.3f}" if was.isdigit() and value.isdigit() else "same" if was == value else "OTHER"
        print(f"| {what} | {was} | {value} | {ratio} |")
