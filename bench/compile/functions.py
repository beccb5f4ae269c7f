# SPDX-License-Identifier: BSD-3-Clause
"""What g++ compiles of a program: the functions that reach its optimiser, together by name without template arguments, with the lines
of their first form (-fdump-tree-ssa). It shows what is compiled and then left out. Run through run.sh --functions.

usage: functions.py FILE|NAME [OPTION...]     a source file, or a program of make.py; options of g++ besides, default its level"""
import collections
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from flags import common, level, root

MOST = 40
if len(sys.argv) < 2:
    sys.exit(__doc__)
work = Path(tempfile.mkdtemp(prefix="etna-functions."))
subprocess.run([sys.executable, root / "bench/compile/make.py", work], check=True)
file = Path(sys.argv[1]) if Path(sys.argv[1]).exists() else work / f"{sys.argv[1]}.cpp"
if not file.exists():
    sys.exit(f"etna: no file and no program of bench/compile/make.py is called {sys.argv[1]}; see python3 bench/compile/make.py FOLDER")
options = sys.argv[2:] or level(file.stem).split()
subprocess.run(["g++", *options, *common("g++", work), "-fdump-tree-ssa", "-c", str(file), "-o", str(work / "object.o"),
                "-dumpdir", f"{work}/"], check=True)


def family(name):
    """A function's name without template arguments, parameters and the place of a lambda."""
    while (shorter := re.sub(r"<[^<>]*>", "", name)) != name:
        name = shorter
    return re.sub(r"\(.*|\[with .*", "", name).strip()


lines, functions = collections.Counter(), collections.Counter()
name = None
for line in next(work.glob("*.ssa")).open(errors="replace"):
    if line.startswith(";; Function "):
        name = family(line[len(";; Function "):])
        functions[name] += 1
    elif name and line.startswith("  ") and line.strip():
        lines[name] += 1
print(f"{sum(lines.values())} lines of {sum(functions.values())} functions\n\n| lines | functions | name |\n| ---: | ---: | --- |")
for name, n in lines.most_common(MOST):
    print(f"| {n} | {functions[name]} | {name} |")
