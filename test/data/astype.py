"""Numbers at the ends of each element type as those of each other type, as astype.inc.hpp. Run: python astype.py

The numbers are computed here by etna's rule (`converted`), and must be JAX's but where `not_jax` says why.
"""
from fractions import Fraction

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np

from writer import head, short, write

jax.config.update("jax_enable_x64", True)
np.seterr(all="ignore")
versions = {"jax": jax.__version__, "ml_dtypes": ml_dtypes.__version__, "numpy": np.__version__}
FLOATS = [ml_dtypes.bfloat16, np.float16, np.float32, np.float64]
TYPES = [np.bool_, np.uint8, np.uint16, np.uint32, np.uint64, np.int8, np.int16, np.int32, np.int64, *FLOATS]
inf, nan = float("inf"), float("nan")
INTEGERS = [0, 1, -1, 127, 128, -129, 257, 2049, 32768, -32769, 65519, 65520, 2**24 + 1, 2**31 - 1, 2**31, -2**31 - 1,
            2**53 + 1, 2**62 + 2**54 + 1, 2**62 + 2**51 + 1, 2**63 - 1, -2**63, 2**63 + 2**55 + 1, 2**64 - 1]
REALS = [0.0, -0.0, 0.5, 1.0, -1.9, 127.5, -128.5, -129.0, 255.5, 256.0, 32767.5, 32768.0, -32769.0, 65519.9, 65520.0,
         65535.5, 65536.0, 2.0**24 + 1, 2147483520.0, 2147483647.0, 2147483648.0, -2147483904.0, 4294967040.0,
         4294967296.0, 2.0**53 + 2, 2.0**63 - 1024, 2.0**63, -2.0**63 - 2048, 2.0**64 - 2048, 2.0**64, 1e20, -1e300, inf,
         -inf, nan, 2.0**-24, 2.0**-25, 2.0**-25 + 2.0**-60, 1e-40, 2.0**-134, 2.0**-134 + 2.0**-180, 1 / 3,
         1 + 2.0**-8 + 2.0**-40, 1 + 2.0**-11 + 2.0**-40, 5e-324]


def numbers(t):
    """Those of the lists that t has, or what they become in it."""
    bits = np.dtype(f"u{np.dtype(t).itemsize}")
    if t is np.bool_:
        return np.array([False, True])
    x = np.array(REALS).astype(t).view(bits) if t in FLOATS else np.array([v % 2**64 for v in INTEGERS], "u8").astype(bits)
    return np.array(list(dict.fromkeys(x.tolist())), bits).view(t)


def rounded(v, t):
    """A fraction as the nearest number of t, of two the even one."""
    info = ml_dtypes.finfo(t)
    exponent = max(abs(v.numerator).bit_length() - v.denominator.bit_length() - 1, info.minexp)
    while abs(v) >= Fraction(2) ** (exponent + 1):
        exponent += 1
    step = Fraction(2) ** (exponent - info.nmant)
    r = round(v / step) * step  # Python's is to even
    return float(r) if abs(r) < Fraction(2) ** info.maxexp else inf if v > 0 else -inf


def converted(v, t, to):
    """A number as one of type `to`: to integers floating ones truncate and saturate, NaN is 0, and integers wrap; to
    floating types all are rounded once; True is 1, and what is not 0 is True."""
    x = float(v) if t in FLOATS else int(v)
    if to is np.bool_:
        return x != 0
    if to in FLOATS:
        return x if t in FLOATS and (x != x or abs(x) == inf or x == 0) else rounded(Fraction(x), to)
    info = np.iinfo(to)
    if t in FLOATS:
        return 0 if x != x else info.min if x <= info.min else info.max if x >= info.max else int(x)
    w = x % 2**info.bits
    return w - 2**info.bits if w > info.max else w


def not_jax(t, to, x):
    """Where JAX's numbers are others."""
    if to in FLOATS[:2] and np.dtype(t).itemsize == 8:
        return True  # from 64 bits JAX goes through f32, and rounds twice
    small = (t in FLOATS and abs(float(x)) < 2.0**-126) or t is np.float64 and to is np.float32 and abs(float(x)) < 2.0**-125
    return small  # XLA takes subnormal numbers of f32 for 0, and makes none of f64 (f64's own are 0 as bool)


def bits(x):
    return x.view(f"u{x.dtype.itemsize}").tolist()


others, total = 0, 0
text = head("astype.py", versions, "Numbers at the ends of each element type as those of each other type.")
text += """#include <cstdint>
#include <vector>

namespace reference {

struct converted {
  const char* from;
  std::vector<std::uint64_t> bits;                     // of the numbers
  std::vector<std::vector<std::uint64_t>> results;     // for each type in the order of dtypes[], the bits of its numbers
};

inline std::vector<converted> const& conversions() {
  static const std::vector<converted> all = {
"""
hexes = lambda values: "{" + ", ".join(f"{v:#x}" if v > 9 else str(v) for v in values) + "}"
for t in TYPES:
    x = numbers(t)
    rows = []
    for to in TYPES:
        mine = np.array([converted(v, t, to) for v in x], to)
        for how in (lambda a: a.astype(to), jax.jit(lambda a: a.astype(to))):
            theirs = np.asarray(how(jnp.asarray(x)))
            assert theirs.dtype == mine.dtype
            for v, a, b in zip(x, mine, theirs):
                same = a.tobytes() == b.tobytes() or (a != a and b != b)
                assert same or not_jax(t, to, v), (t, to, v, a, b)
                others += not same
        total += len(x)
        rows.append(f"        {hexes(bits(mine))}")
    text += f'      {{"{short(x.dtype)}", {hexes(bits(x))},\n       {{\n' + ",\n".join(rows) + "}},\n"
text += "  };\n  return all;\n}\n\n}  // namespace reference\n"
write("astype.inc.hpp", text)
print(total, "numbers,", others // 2, "not JAX's")
