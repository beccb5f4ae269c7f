"""The polynomials of include/etna/vector_math.hpp and include/etna/math: near-minimax.

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
        c = np.linalg.lstsq(rows * root[:, None], wanted * root, rcond=1e-15)[0]
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


# Circular functions. What is left of the target is computed in 50 digits, so that f64 can fit it.

mp.mp.dps = 50


def rounded(v, bits):
    unit = mp.mpf(2) ** (int(mp.floor(mp.log(abs(v), 2))) + 1 - bits)
    return mp.nint(v / unit) * unit


def fit_rest(name, target, weight, low, high, n, bits):
    """n coefficients of so many bits; of |weight (target - polynomial)| the largest is least."""
    low, high = mp.mpf(low), mp.mpf(high)
    x = [(low + high) / 2 + (high - low) / 2 * mp.cos(mp.pi * (2 * k + 1) / (2 * NODES)) for k in range(NODES)]
    t, w, unit = [target(v) for v in x], [weight(v) for v in x], max(abs(low), abs(high))
    rows = np.array([[float((v / unit) ** k * u) for k in range(n)] for v, u in zip(x, w)])
    c = [mp.mpf(0)] * n

    def rest():
        return np.array([float((y - mp.polyval(c[::-1], v)) * u) for v, y, u in zip(x, t, w)])

    def improve(k):
        for i, d in enumerate(lawson(rows[:, k:], rest())):
            c[k + i] += mp.mpf(float(d)) / unit ** (k + i)

    improve(0)
    improve(0)
    for k in range(n):
        c[k] = rounded(c[k], bits)
        if k + 1 < n:
            improve(k + 1)
    print(f"{name}: largest error 2^{np.log2(np.abs(rest()).max()):.1f}\n  ", ", ".join(float(v).hex() for v in c))


def over_argument(name, f, high, n, bits):
    """(f(r) / r - 1) / s of s = r^2, relative to f(r) / r."""
    fit_rest(name, lambda s: (f(mp.sqrt(s)) / mp.sqrt(s) - 1) / s, lambda s: s * mp.sqrt(s) / f(mp.sqrt(s)), 0, high, n, bits)


for size, bits, n, over in (("f32", 24, (5, 6, 5, 9), "0.005"), ("f64", 53, (9, 14, 12, 20), "1e-4")):
    middle, over = mp.mpf("1.25"), mp.mpf(over)
    fit_rest(f"sin of {size}: sin(r) / r - 1, of r^2 - 1.25", lambda d: mp.sin(mp.sqrt(d + middle)) / mp.sqrt(d + middle) - 1,
             lambda d: mp.sqrt(d + middle) / mp.sin(mp.sqrt(d + middle)), -middle, (mp.pi / 2 + over) ** 2 - middle, n[0], bits)
    over_argument(f"tan of {size}", mp.tan, (mp.pi / 4 + over) ** 2, n[1], bits)
    over_argument(f"asin of {size}", mp.asin, 0.25, n[2], bits)
    over_argument(f"atan of {size}", mp.atan, 1, n[3], bits)

# pi in parts whose product with an integer of 14 or 21 bits is exact, but for the last; 2 / pi in words
for ends, last in (((-8, -18, -28, -38), lambda v: float(np.float32(float(v)))), ((-30, -62, -94), float)):
    out, rest = [], +mp.pi
    for e in ends:
        out.append(mp.floor(rest / mp.mpf(2) ** e) * mp.mpf(2) ** e)
        rest -= out[-1]
    print("pi in short parts:", ", ".join(v.hex() for v in [*map(float, out), last(rest)]))
with mp.workdps(500):
    print("2 / pi:", ", ".join(f"0x{int(mp.floor(2 / mp.pi * mp.mpf(2) ** (64 * k))) % 2**64:016x}" for k in range(20)))
