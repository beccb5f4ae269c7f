"""The polynomials of include/etna/vector_math.hpp: near-minimax, their coefficients f32.

Each is fitted by least squares on Chebyshev nodes, weighted again until the largest relative error is least (Lawson).
Coefficients are rounded one after another, and those behind are fitted anew. Needs numpy and mpmath; prints C++ numbers.
"""
import mpmath as mp
import numpy as np

mp.mp.dps = 40
NODES, ROUNDS = 600, 1500


def lawson(rows, wanted):
    """Coefficients c for the least max |rows c - wanted|."""
    w, best = np.ones(len(wanted)) / len(wanted), (np.inf, None)
    for _ in range(ROUNDS):
        root = np.sqrt(w)
        c = np.linalg.lstsq(rows * root[:, None], wanted * root, rcond=None)[0]
        error = np.abs(rows @ c - wanted)
        if error.max() < best[0]:
            best = error.max(), c
        w *= error / error.max() + 1e-3
        w /= w.sum()
    return best[1]


def fit(name, target, weight, low, high, degree):
    """target(x) by a polynomial; weight(x) makes its error one relative to the function."""
    x = 0.5 * (low + high) + 0.5 * (high - low) * np.cos(np.pi * (np.arange(NODES) + 0.5) / NODES)
    t, w = (np.array([float(f(mp.mpf(float(v)))) for v in x]) for f in (target, weight))
    powers, c = np.vander(x, degree + 1, increasing=True), []
    for k in range(degree + 1):
        rest = t - powers[:, :k] @ np.array(c)
        c.append(float(np.float32(lawson(powers[:, k:] * w[:, None], rest * w)[0])))
    error = np.abs((t - powers @ np.array(c)) * w).max() * 2**24
    print(f"{name}: largest error {error:.2f} x 2^-24\n  ", ", ".join(v.hex() for v in c))


half = float(mp.log(2)) / 2 + 2e-4
fit("exp: (e^r - 1 - r) / r^2", lambda r: (mp.exp(r) - 1 - r) / r**2, lambda r: r * r / mp.exp(r), -half, half, 4)
fit("expm1: the same, relative to e^r - 1", lambda r: (mp.exp(r) - 1 - r) / r**2, lambda r: abs(r * r / mp.expm1(r)), -half, half, 4)
fit("sin: (sin(r) / r - 1) / s, s = r^2", lambda s: (mp.sin(mp.sqrt(s)) / mp.sqrt(s) - 1) / s,
    lambda s: s * mp.sqrt(s) / mp.sin(mp.sqrt(s)), 1e-6, (float(mp.pi) / 2 + 0.02) ** 2, 3)
fit("log: (log(1 + f) - f + f^2 / 2) / f^3", lambda f: (mp.log1p(f) - f + f * f / 2) / f**3, lambda f: abs(f**3 / mp.log1p(f)),
    -1 / 3, 1 / 3 + 1e-6, 6)


def parts(name, v, *bits):
    """v as a sum of f32 rounded down to that many bits; the last is rounded to the nearest."""
    out, rest = [], v
    for b in bits:
        unit = mp.mpf(2) ** (int(mp.floor(mp.log(rest, 2))) + 1 - b)
        out.append(float(mp.floor(rest / unit) * unit))
        rest -= out[-1]
    out.append(float(np.float32(float(rest))))
    print(f"{name}:", ", ".join(p.hex() for p in out))


parts("log 2", mp.log(2), 24)
parts("pi", mp.pi, 24, 24)
