# SPDX-License-Identifier: BSD-3-Clause
"""How the programs of bench/compile are compiled. Used by measure.py and stages.py."""
import os
import shutil
import subprocess
from pathlib import Path

root = Path(__file__).resolve().parents[2]
prefix = Path(os.environ.get("ETNA_PREFIX", root / "build/prefix"))
compilers = [c for c in os.environ.get("CXX", "g++ clang++-16").split() if shutil.which(c)]

kokkos = next(prefix.rglob("Kokkos_Core.hpp"), None)
includes = [f"-I{root}/include", "-isystem", f"{prefix}/usr/include"] + (["-isystem", str(kokkos.parent)] if kokkos else [])
# As in cmake/limits.cmake.
LIMITS = {
    "g++": "-fconstexpr-ops-limit=4000000000 -fconstexpr-loop-limit=100000000 -fconstexpr-depth=4000 -ftemplate-depth=4000",
    "clang": "-fconstexpr-steps=2000000000 -fconstexpr-depth=4000 -ftemplate-depth=4000 -fbracket-depth=4096",
}
# As in cmake/cuda_test.mk: objects, for a device; levels of optimisation are the host's.
NVCC = ("-x cu -arch=sm_90 --expt-extended-lambda --expt-relaxed-constexpr -Xcudafe --max_cost_constexpr_call=2000000000 "
        "-Xcudafe --max_depth_constexpr_call=4000 -ftemplate-depth 4000 -Xcompiler " + LIMITS["g++"].replace(" ", ","))


def common(compiler, work):
    """The options of all compilations."""
    if "nvcc" not in compiler:
        return ["-std=c++20", "-fopenmp", *LIMITS["clang" if "clang" in compiler else "g++"].split(), *includes]
    subprocess.run(["sh", root / "cmake/cuda_headers.sh", prefix, work / "kokkos"], check=True)
    return ["-std=c++20", *NVCC.split(), f"-I{work}/kokkos", *includes]


def level(name):
    """Language headers need no more than -O0; what runs is compiled as it is run."""
    return "-O0" if name == "hello" or name.startswith(("include_", "trace_", "plan_")) else "-O3 -march=native" if name == "mnist" else "-O1"


def version(compiler):
    lines = subprocess.run([compiler, "--version"], capture_output=True, text=True).stdout.strip().splitlines()
    return lines[-1 if "nvcc" in compiler else 0]
