# SPDX-License-Identifier: BSD-3-Clause
"""Draws the kernels of an explanation on the roofline of the machine that it was made on. See run.sh."""
import argparse
import json
import math

import matplotlib

matplotlib.use("svg")
from matplotlib import pyplot  # noqa: E402

p = argparse.ArgumentParser(description=__doc__)
p.add_argument("explanation", help="a file that explanation::json() wrote")
p.add_argument("picture", help="the SVG to write")
a = p.parse_args()

with open(a.explanation) as f:
    told = json.load(f)
machine, kernels = told["machine"], [k for k in told["kernels"] if k["launches"] and k["flops"] and k["seconds"] > 0]
if not kernels:
    raise SystemExit(f"roofline: {a.explanation} has no kernel that ran and computes")
for k in kernels:
    k["intensity"] = k["flops"] / (k["read"] + k["written"])
    k["speed"] = k["flops"] * k["launches"] / k["seconds"]
whole = sum(k["seconds"] for k in kernels if k["depth"] == 0)

# the same bytes for the same numbers; letters stay letters
pyplot.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "etna", "font.size": 9})
figure, axes = pyplot.subplots(figsize=(7, 4.2))
low, high = 0.5 * min(k["intensity"] for k in kernels), 4 * max(max(k["intensity"] for k in kernels), machine["fma_f32"] / machine["copy"])
peak = machine["fma_f64"] if all(k["type"] == "f64" for k in kernels) else machine["fma_f32"]
ridge = peak / machine["copy"]
axes.loglog([low, ridge, high], [1e-9 * machine["copy"] * low, 1e-9 * peak, 1e-9 * peak], color="black", linewidth=1)
axes.text(0.95 * high, 1.3e-9 * peak, f"{1e-9 * peak:.0f} GFLOP/s, measured", ha="right", va="bottom")
axes.text(2.2 * low, 1.9e-9 * machine["copy"] * low, f"copy {1e-9 * machine['copy']:.0f} GB/s, measured", va="top")
named = []  # what lies together has one label
for k in kernels:
    at = (k["intensity"], 1e-9 * k["speed"])
    size = 20 + 900 * k["seconds"] / whole
    axes.scatter(*at, s=size, color="tab:orange" if k["kernel"] is None else "tab:blue", alpha=0.6, linewidth=0)
    near = next((n for n in named if max(abs(math.log10(x / y)) for x, y in zip(n["at"], at)) < 0.12), None)
    if near is None:
        named.append(near := {"at": at, "steps": [], "size": 0})
    near["steps"].append(str(k["step"]))
    near["size"] = max(near["size"], size)
for n in named:
    axes.annotate(", ".join(n["steps"]), n["at"], xytext=(2 + math.sqrt(n["size"]) / 2, 0), textcoords="offset points", va="center", fontsize=8)
axes.set_xlabel("FLOP a byte")
axes.set_ylabel("GFLOP/s")
axes.set_xlim(low, high)
axes.set_ylim(top=4e-9 * max(peak, max(k["speed"] for k in kernels)))
threads = f"{machine['threads']} thread" + ("s" if machine["threads"] > 1 else "")
axes.set_title(f"kernels by their step in the plan, area by time; orange: products; {threads}", fontsize=9)
axes.grid(True, which="major", linewidth=0.3)
figure.tight_layout()
figure.savefig(a.picture, metadata={"Date": None})
