# SPDX-License-Identifier: BSD-3-Clause
"""Writes stiff.inc.hpp: what the SUNDIALS tests compare with, by SciPy's Radau at tight tolerances and by its root finder.
Run: stiff.py"""
import numpy as np
import scipy
from scipy.integrate import solve_ivp
from scipy.optimize import root

from writer import head, number, write


def robertson(t, y):
    a, b, c = 0.04 * y[0], 1e4 * y[1] * y[2], 3e7 * y[1] ** 2
    return [b - a, a - b - c, c]


def brusselator(t, y, cells=50):
    w = y.reshape(cells, 2)
    u, v = w[:, 0], w[:, 1]
    flow = np.diff(w, axis=0)
    spread = np.pad(flow, ((0, 1), (0, 0))) - np.pad(flow, ((1, 0), (0, 0)))
    return (np.stack([1 + u * u * v - 4 * u, 3 * u - u * u * v], 1) + cells**2 / 50 * spread).ravel()


def bratu(u, cells=40):
    padded = np.pad(u, 1)
    return (padded[:-2] - 2 * u + padded[2:]) * (cells + 1) ** 2 + 2 * np.exp(u)


def solved(f, start, end):
    """Two methods at two tolerances agree to 1e-9, or the reference is none."""
    one = solve_ivp(f, (0, end), start, method="Radau", rtol=1e-12, atol=1e-14).y[:, -1]
    two = solve_ivp(f, (0, end), start, method="BDF", rtol=1e-11, atol=1e-14).y[:, -1]
    assert np.abs((one - two) / (1e-6 + np.abs(one))).max() < 1e-7, np.abs((one - two) / (1e-6 + np.abs(one))).max()
    return one


at = 2 * np.pi * (np.arange(50) + 0.5) / 50
start = np.stack([1 + np.sin(at), np.full(50, 3.0)], 1).ravel()
second = (np.diag(np.ones(39), 1) + np.diag(np.ones(39), -1) - 2 * np.eye(40)) * 41**2
found = root(bratu, np.zeros(40), jac=lambda u: second + np.diag(2 * np.exp(u)), method="lm", options={"xtol": 1e-15}).x
assert np.abs(bratu(found)).max() < 1e-10, np.abs(bratu(found)).max()

arrays = {
    "robertson_40": solved(robertson, [1.0, 0, 0], 40),
    "robertson_4000": solved(robertson, [1.0, 0, 0], 4000),
    "brusselator": solved(brusselator, start, 10.0),
    "bratu": found,
}
text = "// SPDX-License-Identifier: BSD-3-Clause\n" + head("stiff.py", {"SciPy": scipy.__version__}, "Solutions of stiff problems.") + "namespace reference {\n\n"
for name, x in arrays.items():
    text += f"inline constexpr double {name}[] = {{{', '.join(number(v) for v in x)}}};\n"
write("stiff.inc.hpp", text + "\n}  // namespace reference\n")
