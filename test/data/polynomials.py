"""The polynomials of include/etna/math: near-minimax. Needs numpy and mpmath; prints C++ numbers.

Those with coefficients of f32 are fitted by least squares on Chebyshev nodes, weighted again until the largest relative
error is least (Lawson). Coefficients are rounded one after another, and those behind are fitted anew. Those with
coefficients of f64 come from Remez' exchange in many digits, and are rounded at the end.
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
fit("sinh: (sinh(x) / x - 1) / x^2, of x^2", lambda z: (mp.sinh(mp.sqrt(z)) / mp.sqrt(z) - 1) / z,
    lambda z: z * mp.sqrt(z) / mp.sinh(mp.sqrt(z)), 1e-6, 1, 3)


def tanh_rest(z):
    return (mp.tanh(mp.sqrt(z)) / mp.sqrt(z) - 1) / z


def tanh_weight(z):
    return z * mp.sqrt(z) / mp.tanh(mp.sqrt(z))


fit("tanh: (tanh(r) / r - 1) / r^2, of r^2", tanh_rest, tanh_weight, 1e-6, 0.2685**2, 2)


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


# f64

mp.mp.dps = 50


def remez(target, weight, low, high, n, rounds=12, grid=1500):
    """n coefficients of a polynomial with the least largest |weight (target - polynomial)|, and that."""
    x = [(low + high) / 2 - (high - low) / 2 * mp.cos(mp.pi * (2 * k + 1) / (2 * grid)) for k in range(grid)]
    f, w = [target(v) for v in x], [weight(v) for v in x]
    at = [round((1 - mp.cos(mp.pi * k / n)) / 2 * (grid - 1)) for k in range(n + 1)]
    for _ in range(rounds):
        a = mp.matrix([[x[i] ** p for p in range(n)] + [(-1) ** r / w[i]] for r, i in enumerate(at)])
        c = list(mp.lu_solve(a, mp.matrix([f[i] for i in at])))[:n]
        e = [(t - mp.polyval(c[::-1], v)) * u for t, v, u in zip(f, x, w)]
        peaks = []
        for i in range(grid):
            sides = [abs(e[j]) for j in (i - 1, i + 1) if 0 <= j < grid and e[j] * e[i] > 0]
            if abs(e[i]) < max(sides, default=0):
                continue
            if peaks and e[peaks[-1]] * e[i] > 0:
                peaks[-1] = max(peaks[-1], i, key=lambda j: abs(e[j]))
            else:
                peaks.append(i)
        while len(peaks) > n + 1:
            peaks.pop(0 if abs(e[peaks[0]]) < abs(e[peaks[-1]]) else -1)
        if len(peaks) <= n:
            break
        at = peaks
    return c, max(abs(v) for v in e)


def fit64(name, target, weight, low, high, n):
    c, error = remez(target, weight, mp.mpf(low), mp.mpf(high), n)
    print(f"{name}: largest error 2^{float(mp.log(error, 2)):.1f}\n  ", ", ".join(float(v).hex() for v in c))


def atanh_rest(z, known=0):
    """What the first `known` terms leave of 2 atanh(s) / s, over z^known, of z = s^2."""
    if z < mp.mpf(10) ** -6:  # the series
        return sum(mp.mpf(2) / (2 * (k + known) + 1) * z**k for k in range(8))
    s = mp.sqrt(z)
    return (2 * mp.atanh(s) / s - sum(mp.mpf(2) / (2 * k + 1) * z**k for k in range(known))) / z**known


log2, tiny = mp.log(2), mp.mpf(10) ** -12
edge = mp.mpf("0.1717") ** 2  # s = f / (2 + f) of 1 + f from sqrt(1/2) to sqrt(2)
half = log2 / 2 * mp.mpf("1.0005")
fit64("exp: (e^r - 1 - r) / r^2", lambda r: (mp.expm1(r) - r) / r**2, lambda r: abs(r * r / mp.expm1(r)), -half, half, 10)
fit64("sinh: (sinh(x) / x - 1) / x^2, of x^2", lambda z: (mp.sinh(mp.sqrt(z)) / mp.sqrt(z) - 1) / z,
      lambda z: z * mp.sqrt(z) / mp.sinh(mp.sqrt(z)), tiny, 1, 7)
fit64("tanh: (tanh(r) / r - 1) / r^2, of r^2", tanh_rest, tanh_weight, tiny, mp.mpf("0.2685") ** 2, 7)
fit64("log: R / z", lambda z: atanh_rest(z, 1), lambda z: z / 2, tiny, edge, 7)
fit64("pow: the fourth coefficient and on, of log2", lambda z: atanh_rest(z, 3) / log2, lambda z: z**3 * log2 / 2, tiny, edge, 7)
fit64("pow of f32: log2(1 + f) / s", lambda z: atanh_rest(z) / log2, lambda z: log2 / 2, tiny, edge, 5)
fit64("pow of f32: 2^x", lambda x: mp.mpf(2) ** x, lambda x: mp.mpf(2) ** -x, -0.5002, mp.mpf("0.5002"), 7)
fit64("logaddexp of f32: 2^x", lambda x: mp.mpf(2) ** x, lambda x: mp.mpf(2) ** -x, -0.5002, mp.mpf("0.5002"), 8)
fit64("logaddexp of f32: log(1 + e) / s", atanh_rest, lambda z: mp.mpf(1) / 2, tiny, mp.mpf(1) / 9, 7)


def two(name, v, digits=53):
    """v as a sum of two numbers, the first of so many binary digits."""
    unit = mp.mpf(2) ** (int(mp.floor(mp.log(v, 2))) + 1 - digits)
    first = (mp.nint if digits == 53 else mp.floor)(v / unit) * unit
    print(f"{name}: {float(first).hex()}, {float(v - first).hex()}")


two("log 2", log2), two("log 2, n times", log2, 32), two("log10 2, k times", log2 / mp.log(10), 32)
two("log2 e", 1 / log2), two("log10 e", 1 / mp.log(10))
for k in range(3):
    two(f"pow, coefficient {k}", 2 / log2 / (2 * k + 1))


# erf, erfc and cbrt, of both types


def exchange(target, weight, low, high, powers, grid=400, rounds=60, near=1.05):
    """As `remez`, of the given powers, and for weights of many sizes: alternations are taken out where they are least."""
    n = len(powers)
    x = [(low + high) / 2 - (high - low) / 2 * mp.cos(mp.pi * (2 * k + 1) / (2 * grid)) for k in range(grid)]
    f, w, rows = [target(v) for v in x], [weight(v) for v in x], [[v**p for p in powers] for v in x]
    at = [round((1 - mp.cos(mp.pi * k / n)) / 2 * (grid - 1)) for k in range(n + 1)]
    best = None
    for _ in range(rounds):
        a = mp.matrix([[v * w[i] for v in rows[i]] + [(-1) ** r] for r, i in enumerate(at)])
        s = mp.lu_solve(a, mp.matrix([f[i] * w[i] for i in at]))
        c = list(s)[:n]
        e = [(f[i] - mp.fdot(c, rows[i])) * w[i] for i in range(grid)]
        top = max(abs(v) for v in e)
        best = (c, top) if best is None or top < best[1] else best
        peaks = []
        for i in range(grid):
            if not peaks or e[peaks[-1]] * e[i] < 0:
                peaks.append(i)
            elif abs(e[i]) > abs(e[peaks[-1]]):
                peaks[-1] = i
        while len(peaks) > n + 1:
            size = [abs(e[i]) for i in peaks]
            least = size.index(min(size))
            if len(peaks) == n + 2:
                peaks.pop(0 if size[0] < size[-1] else -1)
            elif least in (0, len(peaks) - 1):
                peaks.pop(least)
            else:
                other = least + 1 if size[least + 1] < size[least - 1] else least - 1
                del peaks[min(least, other) : max(least, other) + 1]
        if top < abs(s[n]) * near or len(peaks) <= n:
            break
        at = peaks
    return best


def rounded(v, digits):
    m, e = mp.frexp(v)
    return mp.ldexp(mp.nint(mp.ldexp(m, digits)), int(e) - digits)


def show(name, c, target, weight, low, high):
    x = [low + (high - low) * mp.mpf(i) / 1000 for i in range(1001)]
    error = max(abs((target(v) - mp.polyval(c[::-1], v)) * weight(v)) for v in x)
    print(f"{name}: largest error 2^{float(mp.log(error, 2)):.1f}\n  ", ", ".join(float(v).hex() for v in c))


def in_turn(name, target, weight, low, high, degree, digits):
    """Coefficients rounded one after another, those behind fitted anew."""
    low, high, c = mp.mpf(low), mp.mpf(high), []
    for k in range(degree + 1):
        rest = lambda x: target(x) - sum(v * x**i for i, v in enumerate(c))
        c.append(rounded(exchange(rest, weight, low, high, range(k, degree + 1))[0][0], digits))
    show(name, c, target, weight, low, high)


def erf_rest(s):
    return mp.erf(mp.sqrt(s)) / mp.sqrt(s) - 1 if s > mp.mpf(10) ** -30 else 2 / mp.sqrt(mp.pi) - 1


def erfc_over_exp(name, border, none, shift, degree, digits, grid):
    """e^(x^2) erfc(x) (x + shift), of v = middle - per / (x + shift), per of half as many digits."""
    low, high = 1 / (mp.mpf(none) + shift), 1 / (mp.mpf(border) + shift)
    per = rounded(2 / (high - low), digits // 2)
    middle = rounded(per * (high + low) / 2, digits)
    x = lambda v: per / (middle - v) - shift
    target = lambda v: mp.exp(x(v) ** 2) * mp.erfc(x(v)) * (x(v) + shift)
    ends = middle - per * high, middle - per * low
    c = exchange(target, lambda v: 1 / target(v), *ends, range(degree + 1), grid)[0]
    low_words = [rounded(v - rounded(v, digits), digits) for v in c[:2]]
    print(f"{name}: middle {float(middle).hex()}, per {float(per).hex()}, low words", ", ".join(float(v).hex() for v in low_words))
    kept = [rounded(v, digits) for v in c]
    print("  ", ", ".join(float(v).hex() for v in kept))
    show(name + ", the first two in two words", [v + (low_words + [0] * degree)[i] for i, v in enumerate(kept)], target,
         lambda v: 1 / target(v), *ends)


def cbrt_rest(q):
    return (mp.cbrt(1 + q) - 1) / q if q else mp.mpf(1) / 3


mp.mp.dps = 40
for digits, degree, center, one, degree_of_log in ((24, 6, 2, "3.95", 6), (53, 11, "1.25", "5.95", 17)):
    center = mp.mpf(center)
    in_turn(f"erf in {digits} digits: erf(x) / x - 1, of x^2", erf_rest, lambda s: 1 / (1 + erf_rest(s)), 0, 1, degree, digits)
    in_turn(f"erf in {digits} digits: log(erfc(x)), of x - {center}", lambda t: mp.log(mp.erfc(t + center)),
            lambda t: mp.erfc(t + center) / mp.erf(t + center), 1 - center, mp.mpf(one) - center, degree_of_log, digits)
for digits, degree, left, terms in ((24, 4, mp.mpf(2) ** -9 + mp.mpf(2) ** -7.66, 2),
                                    (53, 5, mp.mpf(2) ** -10.4 + mp.mpf(2) ** -16.6, 4)):
    in_turn(f"cbrt in {digits} digits: the first root", mp.cbrt, lambda m: 1 / mp.cbrt(m), 0.5, 4, degree, digits)
    in_turn(f"cbrt in {digits} digits: ((1 + q)^(1/3) - 1) / q", cbrt_rest, abs, -3 * left * 1.02, 3 * left * 1.02, terms, digits)
mp.mp.dps = 34
erfc_over_exp("erfc in f32", 0.8125, 10.2, mp.mpf(135) / 64, 7, 24, 120)
erfc_over_exp("erfc in f64", 0.8125, 27.5, mp.mpf(13) / 4, 19, 53, 160)


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


def over_argument(name, f, high, n, bits, center=0):
    """(f(r) / r - 1) / s of s = r^2, relative to f(r) / r, in powers of s - center."""
    fit_rest(name, lambda d: (f(mp.sqrt(d + center)) / mp.sqrt(d + center) - 1) / (d + center),
             lambda d: (d + center) * mp.sqrt(d + center) / f(mp.sqrt(d + center)), -center, high - center, n, bits)


# The center of f64 is one whose coefficients lose least when they are rounded, and are not below 0 where r is.
for size, bits, center, n, over in (("f32", 24, 1.25, (5, 6, 5, 9), "0.005"), ("f64", 53, 87 / 64, (9, 14, 12, 20), "1e-4")):
    middle, over = mp.mpf(center), mp.mpf(over)
    fit_rest(f"sin of {size}: sin(r) / r - 1, of r^2 - {center}", lambda d: mp.sin(mp.sqrt(d + middle)) / mp.sqrt(d + middle) - 1,
             lambda d: mp.sqrt(d + middle) / mp.sin(mp.sqrt(d + middle)), -middle, (mp.pi / 2 + over) ** 2 - middle, n[0], bits)
    over_argument(f"tan of {size}", mp.tan, (mp.pi / 4 + over) ** 2, n[1], bits)
    over_argument(f"asin of {size}", mp.asin, 0.25, n[2], bits)
    over_argument(f"atan of {size}", mp.atan, 1, n[3], bits, 0.5 if size == "f64" else 0)

# sinc's series, in s - 1/8
series = [(-1) ** k * mp.pi ** (2 * k) / mp.factorial(2 * k + 1) for k in range(40)]
series[0] = mp.mpf(0)
print("sinc: sin(pi r) / (pi r) - 1, of r^2 - 1/8\n  ",
      ", ".join(float(sum(mp.binomial(k, j) * series[k] / mp.mpf(8) ** (k - j) for k in range(j, 40))).hex() for j in range(13)))

# pi in parts whose product with an integer of 14 or 21 bits is exact, but for the last; 2 / pi in words
for ends, last in (((-8, -18, -28, -38), lambda v: float(np.float32(float(v)))), ((-30, -62, -94), float)):
    out, rest = [], +mp.pi
    for e in ends:
        out.append(mp.floor(rest / mp.mpf(2) ** e) * mp.mpf(2) ** e)
        rest -= out[-1]
    print("pi in short parts:", ", ".join(v.hex() for v in [*map(float, out), last(rest)]))
with mp.workdps(500):
    print("2 / pi:", ", ".join(f"0x{int(mp.floor(2 / mp.pi * mp.mpf(2) ** (64 * k))) % 2**64:016x}" for k in range(20)))
