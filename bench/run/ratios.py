# SPDX-License-Identifier: BSD-3-Clause
"""Draws what bench/run.sh --json wrote: how many times as long as etna the fastest peer of each kind takes. Files of one machine may be given together."""
import argparse
import json

import matplotlib

matplotlib.use("svg")
from matplotlib import pyplot  # noqa: E402

p = argparse.ArgumentParser(description=__doc__)
p.add_argument("picture", help="the SVG to write")
p.add_argument("results", nargs="+", help="files of bench/run.sh --json; a later one's jobs replace an earlier one's")
a = p.parse_args()

# What a reader calls the jobs of drive.py, in this order; others come behind, with their own names.
TITLES = {"grad4": "gradient of sum(x*x), f32[4]", "hvp4": "Hessian-vector product, f32[4]", "rk4": "gradient through 1,000 steps of Runge-Kutta",
          "heat": "ten steps of the heat equation, 1,000,000 points", "heat_grad": "the gradient through them",
          "mlp_step": "MLP 784-512-10, SGD step", "per_example": "MLP, per-example gradients", "adam90": "90 layers, Adam step",
          "softmax": "softmax, 8192 x 1024", "layer_norm": "layer norm, 8192 x 1024", "layer_norm_grad": "layer norm, gradient",
          "chain": "exp, sin and tanh of 2^24", "chain_grad": "exp, sin and tanh, gradient", "lse_grad": "log-sum-exp of 2^24, gradient",
          "dot": "two vectors of 65,536", "matvec": "matrix 1024 x 1024, times a vector", "vecmat": "the same, from the left", "column_sums": "sums of columns, 8192 x 1024",
          "broadcast": "rows scaled and shifted, 8192 x 1024", "broadcast_few": "the same, 32 x 32", "standardize": "columns standardized, 8192 x 1024",
          "row_squares": "squares summed by rows, 8192 x 1024", "cnn": "network of two 5 x 5 convolutions, SGD", "resnet8": "network of three residual blocks, SGD",
          "attention": "attention, 8 heads of 64, 1,024 tokens",
          "attention_grad": "its gradient", "attention_causal_grad": "gradient of causal attention, 4,096 tokens"}
COLORS = {"cpp": "tab:gray", "xtensor": "tab:green", "jax": "tab:blue", "torch": "tab:orange", "torch.compile": "tab:red"}
NAMES = {"cpp": "C++ by hand", "xtensor": "xtensor", "jax": "JAX", "torch": "PyTorch", "torch.compile": "torch.compile"}

times, about = {}, None
for name in a.results:
    with open(name) as f:
        told = json.load(f)
    machine = (told["processor"], told["threads"], told["versions"])
    if about and about[:2] != machine[:2]:
        raise SystemExit(f"ratios: {name} is of another machine or number of threads than {a.results[0]}")
    about = (*machine[:2], {**(about[2] if about else {}), **machine[2]})
    times |= told["microseconds"]
jobs = [j for j in [*(t for t in TITLES if t in times), *(t for t in times if t not in TITLES)] if len(times[j]) > 1]
if not jobs:
    raise SystemExit("ratios: no job has a peer")
peers = [n for n in COLORS if any(n in times[j] for j in jobs)]

# the same bytes for the same numbers; letters stay letters
pyplot.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "etna", "font.size": 9})
figure, axes = pyplot.subplots(figsize=(7.5, 1.3 + 0.42 * len(jobs)), layout="constrained")
height = 0.8 / len(peers)
for k, peer in enumerate(peers):
    here = [(i, times[j][peer] / times[j]["etna"]) for i, j in enumerate(jobs) if peer in times[j]]
    axes.barh([i + (k + 0.5) * height - 0.4 for i, _ in here], [r - 1 for _, r in here], left=1, height=0.9 * height, color=COLORS[peer], label=NAMES[peer])
    for i, r in here:
        axes.annotate(f"{r:.3g}" if r < 1000 else f"{r:.0f}", (r, i + (k + 0.5) * height - 0.4), xytext=(2 if r >= 1 else -2, 0), textcoords="offset points",
                      ha="left" if r >= 1 else "right", va="center", fontsize=7)
axes.set_xscale("log")
axes.axvline(1, color="black", linewidth=1)
axes.set_yticks(range(len(jobs)), [TITLES.get(j, j) for j in jobs])
axes.invert_yaxis()
every = [times[j][n] / times[j]["etna"] for j in jobs for n in times[j]]
axes.set_xlim(0.3 * min(every), 4 * max(every))
axes.set_xlabel("time of a peer / time of etna (above 1: etna is faster)")
figure.legend(loc="outside lower center", ncols=len(peers), frameon=False)
axes.spines[["top", "right"]].set_visible(False)
threads = f"{about[1]} thread" + ("s" if about[1] > 1 else "")
axes.set_title(", ".join([about[0], threads, *(f"{k} {v}" for k, v in about[2].items() if v)]), fontsize=8)
figure.savefig(a.picture, metadata={"Date": None})
