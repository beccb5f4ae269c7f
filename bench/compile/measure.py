# SPDX-License-Identifier: BSD-3-Clause
"""Compiles what make.py wrote, one at a time, and prints a table. Run through run.sh."""
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from flags import common, compilers, level, root, version

limit = float(os.environ.get("ETNA_LIMIT", 300))
work = Path(tempfile.mkdtemp(prefix="etna-compile."))
subprocess.run([sys.executable, root / "bench/compile/make.py", work], check=True)


def compile_seconds(command):
    """(seconds, peak bytes, exit status, processor seconds) of one compilation, its children included."""
    begin = time.monotonic()
    pipe = os.pipe()
    pid = os.fork()
    if pid == 0:
        resource.setrlimit(resource.RLIMIT_CPU, (int(limit), int(limit)))
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        run = subprocess.run(command)
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        os.write(pipe[1], f"{used.ru_maxrss} {run.returncode} {used.ru_utime + used.ru_stime}".encode())
        os._exit(0)
    _, _ = os.waitpid(pid, 0)
    seconds = time.monotonic() - begin
    peak, status, processor = os.read(pipe[0], 100).split()
    for end in pipe:
        os.close(end)
    return seconds, int(peak) * 1024, int(status), float(processor)


# The trainer's files, two at a time, the longest first; what parses words is not optimised hard (cmake/examples.cmake).
mnist = sorted((root / "examples/mnist").glob("*.cpp"), key=lambda f: ["rule", "main", "files", "options"].index(f.stem))
wanted = sys.argv[1:]
names = sorted((p.stem for p in work.glob("*.cpp") if p.stem != "reference"),
               key=lambda n: (n.split("_")[0], int(n.split("_")[1]) if n.split("_")[-1].isdigit() else 0, n))
names += ["hello", "mnist"]
names = [n for n in names if not wanted or any(w in n for w in wanted)]
for compiler in compilers:
    options = common(compiler, work)

    def run(name):
        return compile_file(root / "examples/01_hello.cpp" if name == "hello" else work / f"{name}.cpp", level(name))

    def compile_file(file, flags):
        return compile_seconds([compiler, *flags.split(), *options, "-c", str(file), "-o", str(work / f"{file.stem}.o")])

    def trainer():
        begin = time.monotonic()
        with ThreadPoolExecutor(2) as two:
            runs = list(two.map(lambda f: compile_file(f, level("mnist") + ("" if f.stem == "rule" else " -O1")), mnist))
        return time.monotonic() - begin, max(r[1] for r in runs), max(r[2] for r in runs), sum(r[3] for r in runs)

    reference = min((run("reference") for _ in range(2)), key=lambda r: r[0])
    print(f"\n{version(compiler)}\n\n| program | flags | seconds | processor seconds | of the reference | peak MB |\n|---|---|---:|---:|---:|---:|")
    print(f"| reference | -O1 | {reference[0]:.2f} | {reference[3]:.2f} | 1.0 | {reference[1] / 1e6:.0f} |", flush=True)
    for name in names:
        seconds, peak, status, processor = trainer() if name == "mnist" else run(name)
        note = "" if status == 0 else f" (fails, {status})"
        print(f"| {name}{note} | {level(name)} | {seconds:.2f} | {processor:.2f} | {seconds / reference[0]:.1f} | {peak / 1e6:.0f} |", flush=True)
shutil.rmtree(work)
