"""Values and derivatives where a function has a kink, an end or a convention, from JAX in float64: kinks.inc.hpp, and the table of
docs/derivatives.md. Run: python kinks.py, or python kinks.py --check, which fails where one of the two is not what it would write.

The numbers of kinks.inc.hpp are etna's, which test/unit/numpy/math_kinks.cpp checks: JAX's, but for the five rules of `safer`.
"""
import math
import re
import sys

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax, nn

from writer import HERE, head, number, write

jax.config.update("jax_enable_x64", True)
inf, nan = math.inf, math.nan
NAMED = """negative sign sqrt exp expm1 log log1p tanh square exp2 cbrt log2 log10 reciprocal arcsin arccos arctan sinh cosh
arcsinh arccosh arctanh sinc floor ceil trunc rint nan_to_num abs"""
ACTIVATIONS = """relu gelu silu softplus log_sigmoid elu leaky_relu selu celu relu6 hard_tanh hard_sigmoid hard_silu soft_sign mish"""
unary = {n: getattr(jnp, n) for n in NAMED.split()}
unary |= {n: getattr(lax, n) for n in "rsqrt logistic erf erfc erf_inv".split()}
unary |= {n: getattr(nn, n) for n in ACTIVATIONS.split()}
unary |= {"clip": lambda x: jnp.clip(x, -1, 1), "pow_0": lambda x: x**0, "pow_1": lambda x: x**1, "pow_2": lambda x: x**2, "pow_3": lambda x: x**3,
          "pow_minus_1": lambda x: x**-1, "pow_minus_2": lambda x: x**-2, "pow_one": lambda x: x**1.0, "pow_half": lambda x: x**0.5}
points = [-inf, -3, -1, -0.0, 0.0, 0.5, 1, 3, 6, inf, nan]


def binary_cross_entropy(x, t):
    """optax.sigmoid_binary_cross_entropy."""
    return -t * nn.log_sigmoid(x) - (1 - t) * nn.log_sigmoid(-x)


binary = {n: getattr(jnp, n) for n in
          "divide multiply maximum minimum power arctan2 logaddexp logaddexp2 hypot heaviside fmax fmin remainder fmod floor_divide".split()}
binary |= {"squared_error": lambda x, y: (x - y) ** 2, "sigmoid_binary_cross_entropy": binary_cross_entropy}
coordinates = [-inf, -2, -1, -0.0, 0.0, 0.5, 1, 2, inf, nan]
pairs = [(x, y) for x in coordinates for y in coordinates]

weights = np.array([1.0, 2, 3, 5])
weighted = lambda f: lambda x: jnp.sum(weights * f(x))
reductions = {"max": jnp.max, "min": jnp.min, "ptp": jnp.ptp, "prod": jnp.prod, "mean": jnp.mean, "stddev": jnp.std, "logsumexp": nn.logsumexp,
              "softmax": weighted(nn.softmax), "log_softmax": weighted(nn.log_softmax), "cummax": weighted(lax.cummax), "cummin": weighted(lax.cummin),
              "sort": weighted(jnp.sort), "sort_descending": weighted(lambda x: jnp.sort(x, descending=True)), "nansum": jnp.nansum, "nanmax": jnp.nanmax}
rows = [[1, 3, 2, 0.5], [1, 2, 2, 0], [2, 2, 2, 2], [0, 3, 2, 1], [0, 3, 0, 1], [1, inf, 2, 0], [-inf, 1, 2, 0], [-inf] * 4, [1, nan, 2, 0]]

# Where etna differs, and why. A rule gives etna's number, or None where it has nothing to say.
GATE = {"arctan", "arcsinh", "arccosh", "erf", "erfc"}


def abs_at_0(name, word, x, y):
    if name == "abs" and word == "x" and (x == 0 or x != x):
        return x * 0.0
    return 0.0 if name == "soft_sign" and word == "xx" and x == 0 else None


def logaddexp_at_infinities(name, word, x, y):
    if name not in ("logaddexp", "logaddexp2") or not word or x != x or y != y or not (math.isinf(x) or math.isinf(y)):
        return None
    share = 0.5 if x == y else float(x > y)
    return 0.0 if len(word) > 1 else share if word == "x" else 1 - share


def hypot_by_its_formula(name, word, x, y):
    if name != "hypot" or not word:
        return None
    a, b = math.isinf(x), math.isinf(y)
    if a or b:
        share = 0.5 if a and b else 1.0
        if len(word) > 1 or not (a if word == "x" else b):
            return 0.0
        return math.copysign(share, x if word == "x" else y)
    if abs(x) == abs(y) != 0 and len(word) == 2:
        return {"xx": y * y, "xy": -x * y, "yy": x * x}[word] / math.hypot(x, y) ** 3
    return None


def zero_times_what_has_no_number(name, word, x, y):
    if name in GATE and word == "xx" and math.isinf(x):
        return 0.0
    if name == "arctan2" and ((word == "xx" and math.isinf(x) and math.isfinite(y)) or (word == "yy" and math.isinf(y) and math.isfinite(x))):
        return 0.0
    if name == "pow_one" and word == "xx":
        return 0.0
    if name == "power":
        if (word == "x" and y == 0) or (word == "xx" and y in (0, 1)) or (word == "yy" and x == 0 and not y >= 0):
            return 0.0
        if y == 0 and x == x and word == "xy":
            return 1 / x if x else math.copysign(inf, x)
    if name in ("logsumexp", "log_softmax") and word and inf in x:
        return weights if name == "log_softmax" else np.zeros(4)
    return None


def the_first_among_equals(name, word, x, y):
    if word != "x" or name not in ("cummax", "cummin", "sort_descending"):
        return None
    g = np.zeros(4)
    if name == "sort_descending":
        order = sorted(range(4), key=lambda i: (x[i] == x[i], -x[i]))
        g[order] = weights
        return g
    best = 0
    for i in range(4):
        if x[best] == x[best] and (x[i] != x[i] or (x[i] > x[best] if name == "cummax" else x[i] < x[best])):
            best = i
        g[best] += weights[i]
    return g


safer = {
    abs_at_0: "an even function has slope 0 at 0, and its second derivative is even; JAX's slope is that of the right side, at NaN that of the left",
    logaddexp_at_infinities: "the limits; JAX's rule takes inf for 0, and has exp(x) as a slope, or slopes whose sum is 2",
    hypot_by_its_formula: "the limits at infinity; where |x| = |y| the second derivatives of the formula, which JAX loses in the tie of a maximum",
    zero_times_what_has_no_number: "a derivative rule multiplies by `scale`: 0 times an infinite or unknown factor is 0 (see below)",
    the_first_among_equals: "the cotangent goes to the element that is shown, and a sort keeps the order of equals; JAX's shares depend on the tree of its scan",
}
assert len(safer) <= 5
used = {rule: 0 for rule in safer}


def same(a, b):
    a, b = np.asarray(a, float), np.asarray(b, float)
    with np.errstate(invalid="ignore"):
        return bool(np.all((a == b) | ((a != a) & (b != b)) | (np.isfinite(a) & (np.abs(a - b) <= 1e-12 * (1 + np.abs(b))))))


def chosen(name, word, jax_value, x, y=None):
    """etna's number, and the rule if it is not JAX's."""
    for rule in safer:
        mine = rule(name, word, x, y)
        if mine is not None and not same(mine, jax_value):
            used[rule] += 1
            return np.asarray(mine, float), rule
    return jax_value, None


def derivatives(f, words, *x):
    """f and its derivatives at all points at once."""
    made = {"": f}
    for w in sorted(words, key=len):
        if w:
            made[w] = jax.grad(made[w[:-1]], "xy".index(w[-1]))
    return {w: np.asarray(jax.vmap(made[w])(*x), float) for w in words}


class entry:
    def __init__(self, name, f, words, where):
        self.name, self.words, self.where = name, words, where
        self.x = [p if isinstance(p, tuple) else (p,) for p in where]
        self.jax = derivatives(f, words, *(np.array(c, float) for c in zip(*self.x)))
        both = {w: [chosen(name, w, self.jax[w][i], *p) for i, p in enumerate(self.x)] for w in words}
        self.etna = {w: np.array([v for v, _ in both[w]], float) for w in words}
        self.rule = {w: [r for _, r in both[w]] for w in words}


class reduced(entry):
    def __init__(self, name, f):
        self.name, self.words, self.where, self.x = name, ["", "x"], rows, [(r,) for r in rows]
        x = [np.array(r, float) for r in rows]
        self.jax = {"": [np.asarray(f(r), float) for r in x], "x": [np.asarray(jax.grad(f)(r), float) for r in x]}
        both = {w: [chosen(name, w, self.jax[w][i], r) for i, r in enumerate(rows)] for w in self.words}
        self.etna = {w: [v for v, _ in both[w]] for w in self.words}
        self.rule = {w: [r for _, r in both[w]] for w in self.words}


ONE, TWO, THREE = ["", "x", "xx"], ["", "x", "y", "xx", "xy", "yy"], ["", "x", "y", "xx", "xy", "yy", "xxy", "xyy"]
ones = {n: entry(n, f, ONE, points) for n, f in unary.items()}
twos = {n: entry(n, f, TWO, pairs) for n, f in binary.items()}
more = entry("power", jnp.power, THREE, [(x, y) for x in (0.5, 1, 2) for y in (0, 1, 2, 0.5)])  # one order up
many = {n: reduced(n, f) for n, f in reductions.items()}
assert all(used.values()), "a rule that is never used"

# The header.
literal = lambda e: "-0." if e == 0 and np.signbit(e) else number(e)  # -0 is an int, and 0
listed = lambda v: "{" + ", ".join(literal(e) for e in np.asarray(v, float).ravel()) + "}"
text = head("kinks.py", {"jax": jax.__version__, "numpy": np.__version__},
            "Values and derivatives at kinks, ends and conventions, in float64: etna's, which are JAX's but for five rules.")
text += "#include <limits>\n#include <vector>\n\nnamespace reference::kinks {\n\nusing numbers = std::vector<double>;\n"
text += "inline constexpr double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();\n"
text += "inline numbers const points" + listed(points) + ", coordinates" + listed(coordinates)
text += ", more_x{0.5, 1, 2}, more_y{0, 1, 2, 0.5};  // pairs: each with each\n"
text += "struct function {\n  const char* name;\n  std::vector<numbers> at;  // the function and its derivatives, in the order of their words\n};\n"
for title, table in (("unary", ones), ("binary", twos), ("power_more", {"power": more})):
    e = next(iter(table.values()))
    text += f"\n/// {', '.join('d' + w if w else 'f' for w in e.words)}\ninline std::vector<function> {title}() {{\n  return {{\n"
    for f in table.values():
        text += f'      {{"{f.name}", {{' + ", ".join(listed(f.etna[w]) for w in f.words) + "}},\n"
    text += "  };\n}\n"
text += "\n/// Of a row of four: the number (of functions that give a row, its sum with weights 1, 2, 3, 5) and the gradient.\n"
text += "inline std::vector<numbers> rows() { return {" + ", ".join(listed(r) for r in rows) + "}; }\n"
text += "struct reduction {\n  const char* name;\n  numbers out;\n  std::vector<numbers> gradient;\n};\ninline std::vector<reduction> reductions() {\n  return {\n"
for f in many.values():
    text += f'      {{"{f.name}", {listed(f.etna[""])}, {{' + ", ".join(listed(g) for g in f.etna["x"]) + "}},\n"
text += "  };\n}\n\n}  // namespace reference::kinks\n"

# The table.
SHOWN = """relu 0 nan; relu6 0 6; hard_tanh -1 1; hard_sigmoid -3 3; hard_silu -3 3; leaky_relu 0; elu 0; celu 0 nan; selu 0; clip -1 1; abs 0 nan; soft_sign 0;
sign 0; softplus nan; sqrt 0; rsqrt 0; cbrt 0; log 0; log1p -1; reciprocal 0; arcsin 1; arccos 1; arccosh 1 inf; arctanh 1; arctan inf; arcsinh inf;
erf inf; erfc inf; sinc 0; floor 1; ceil 1; trunc 1; rint 0.5; nan_to_num nan inf; pow_0 0 nan; pow_2 0; pow_minus_1 0; pow_minus_2 0; pow_one 0"""
SHOWN_PAIRS = """maximum 1,1 nan,1; minimum 1,1 nan,1; fmax 1,1 nan,1; fmin 1,1 nan,1; power 2,0 0,0 0,1 0,2 inf,0 -2,0; hypot 0,0 1,1 inf,1 inf,nan;
logaddexp -inf,-inf inf,inf -2,inf; arctan2 0,0 inf,1; heaviside 0,0.5; divide 1,0 0,0; remainder 2,1 1,0; fmod 2,1; floor_divide 2,1; sigmoid_binary_cross_entropy 0,1"""
NAMES = {"pow_0": "pow(x, 0)", "pow_2": "pow(x, 2)", "pow_minus_1": "pow(x, -1)", "pow_minus_2": "pow(x, -2)", "pow_one": "pow(x, 1.0)",
         "power": "pow(x, y)", "clip": "clip(x, -1, 1)", "sort_descending": "sort(x, descending)"}
plain = lambda v: "/".join(f"{e + 0.0:.4g}" for e in np.ravel(v))
at = lambda where, p: next(i for i, q in enumerate(where) if same(q, p) and not np.any(np.signbit(q) & (np.asarray(q) == 0)))  # 0, not -0


def row_of(e, i):
    theirs = [plain(e.jax[w][i]) for w in e.words]
    rules = {r for w in e.words if (r := e.rule[w][i])}
    mine = "the same" if not rules else "; ".join(plain(e.etna[w][i]) for w in e.words) + " " + "".join(f"({list(safer).index(r) + 1})" for r in rules)
    where = ", ".join(plain(c) for c in e.x[i])
    return f"| `{NAMES.get(e.name, e.name)}` | {where} | {'; '.join(theirs)} | {mine} |\n"


BEGIN, END = "<!-- written by test/data/kinks.py: -->\n", "<!-- to here -->\n"
page = "\n| function | x | JAX: value; first; second derivative | etna |\n| --- | --- | --- | --- |\n"
for part in SHOWN.replace("\n", " ").split(";"):
    name, *shown = part.split()
    for p in shown:
        page += row_of(ones[name], at(points, float(p)))
page += "\n| function | x, y | JAX: value; by x; by y; by x x; x y; y y | etna |\n| --- | --- | --- | --- |\n"
for part in SHOWN_PAIRS.replace("\n", " ").split(";"):
    name, *shown = part.split()
    for p in shown:
        page += row_of(twos[name], at(pairs, [float(c) for c in p.split(",")]))
page += "\nOf a row; functions that give a row are summed with weights 1, 2, 3, 5.\n\n| function | x | JAX: value; gradient | etna |\n| --- | --- | --- | --- |\n"
for e in many.values():
    for i in range(1, len(rows)):
        kinks = {1, 2, 4, 8} if e.name in ("max", "min", "prod", "ptp", "nanmax") else {2} if e.name in ("stddev", "sort") else {7} if e.name in ("logsumexp", "softmax") else set()
        if e.rule["x"][i] or i in kinks:
            page += row_of(e, i)
page += "\nThe five reasons, and at how many of the points that are tested they hold:\n\n"
page += "".join(f"{k + 1}. {why} ({used[rule]}).\n" for k, (rule, why) in enumerate(safer.items())) + "\n"

docs = HERE.parents[1] / "docs" / "derivatives.md"
written = re.sub(re.escape(BEGIN) + ".*?" + re.escape(END), lambda _: BEGIN + page + END, docs.read_text(), flags=re.S)
if "--check" in sys.argv:
    stale = [f for f, t in ((HERE / "kinks.inc.hpp", text), (docs, written)) if f.read_text() != t]
    print("not as kinks.py writes them:" if stale else "up to date", *stale)
    sys.exit(bool(stale))
write("kinks.inc.hpp", text)
assert BEGIN in written
docs.write_text(written)
differ = {e.name for e in [*ones.values(), *twos.values(), *many.values()] if any(any(r) for r in e.rule.values())}
count = sum(np.size(v) for e in [*ones.values(), *twos.values(), more, *many.values()] for v in e.etna.values())
print(f"{len(ones) + len(twos) + len(many)} functions, {count} numbers; not JAX's:", *sorted(differ))
