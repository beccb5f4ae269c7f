"""Values and derivatives of every row from JAX in float64, as rows.json and rows.inc.hpp. Run: python rows.py

A sample holds, where they have a meaning:
  in           the arguments
  out          the values
  tangent_in   a tangent for each floating argument (integers and bools have none), in order
  tangent_out  the JVP
  cotangent    a cotangent for each result
  grad         the VJP: one for each floating argument, in order
  second       elementwise, f'' for one argument; f_xx, f_xy, f_yy for two
  attr         named integers: axis, keepdims, ... ; "edge" marks samples at kinks, poles, inf and nan
  text         the string of einsum, the dtype of convert, the function of where_untaken
"""
import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from writer import head, short, tensor, tensor_line, write, write_json

jax.config.update("jax_enable_x64", True)
jax.config.update("jax_default_matmul_precision", "highest")
versions = {"jax": jax.__version__, "numpy": np.__version__}
f64, f32, i32, i64, u8, u32 = np.float64, np.float32, np.int32, np.int64, np.uint8, np.uint32
inf, nan = np.inf, np.nan
samples = []


def cycle(values, shape):
    n = int(np.prod(shape))
    return np.resize(np.array(values, f64), n).reshape(shape)


tangent_for = functools.partial(cycle, [0.5, -1.25, 0.75, 1, -0.5, 0.25, -0.75])
cotangent_for = functools.partial(cycle, [1, -0.5, 2, 0.25, -1.5])


def floating(x):
    return np.issubdtype(np.asarray(x).dtype, np.floating)


def record(op, f, *args, attr=None, text=None, edge=False, second=False, derive=True, grad_of=None, **more):
    """Evaluate f on the arguments; where floats go in and come out, differentiate it too."""
    args = [np.asarray(a) for a in args]
    as_list = lambda r: [np.asarray(v) for v in (r if isinstance(r, tuple) else (r,))]
    s = {"op": op, "attr": dict(attr or {}), "in": args, "out": as_list(f(*map(jnp.asarray, args)))}
    if edge:
        s["attr"]["edge"] = [1]
    if text:
        s["text"] = text
    places = [i for i, a in enumerate(args) if floating(a)]
    if derive and places and all(map(floating, s["out"])):
        def inner(g, *xs):
            full = [jnp.asarray(a) for a in args]
            for i, x in zip(places, xs):
                full[i] = x
            return g(*full)
        xs = [jnp.asarray(args[i]) for i in places]
        one = edge and second  # an elementwise edge: plain derivatives
        t = [np.ones_like(x) if one else tangent_for(x.shape).astype(x.dtype) for x in xs]
        ct = [np.ones_like(o) if one else cotangent_for(o.shape).astype(o.dtype) for o in s["out"]]
        _, dot = jax.jvp(functools.partial(inner, f), tuple(xs), tuple(map(jnp.asarray, t)))
        _, back = jax.vjp(functools.partial(inner, grad_of or f), *xs)
        s["tangent_in"], s["tangent_out"], s["cotangent"] = t, as_list(dot), ct
        s["grad"] = [np.asarray(v) for v in back(jnp.asarray(ct[0]) if len(ct) == 1 else tuple(map(jnp.asarray, ct)))]
        if grad_of:  # forward mode of the same meaning
            s["tangent_out"] = as_list(jax.jvp(functools.partial(inner, grad_of), tuple(xs), tuple(map(jnp.asarray, t)))[1])
            _, plain = jax.vjp(functools.partial(inner, f), *xs)
            s["plain_jax_grad"] = [np.asarray(v) for v in plain(jnp.asarray(ct[0]))]
        if second:
            scalar = lambda *v: f(*v)
            pairs = [(i, j) for i in range(len(xs)) for j in range(i, len(xs))]
            s["second"] = [np.asarray(jax.vmap(jax.grad(jax.grad(scalar, i), j))(*xs)) for i, j in pairs]
        if not edge:  # VJP against JVP by inner product
            a = sum(np.vdot(c, d) for c, d in zip(ct, s["tangent_out"]))
            b = sum(np.vdot(g, d) for g, d in zip(s["grad"], t))
            assert np.isclose(a, b, rtol=1e-5 if any(x.dtype == f32 for x in xs) else 1e-12, atol=1e-12), (op, a, b)
    s.update(more)
    samples.append(s)


def unary(op, f, points, edges=(), edges_value_only=()):
    record(op, f, np.array(points, f64), second=True)
    if edges:
        record(op, f, np.array(edges, f64), second=True, edge=True)
    if edges_value_only:
        record(op, f, np.array(edges_value_only, f64), derive=False, edge=True)


def binary(op, f, x, y, edges=()):
    record(op, f, np.array(x, f64), np.array(y, f64), second=True)
    if edges:
        record(op, f, np.array([e[0] for e in edges], f64), np.array([e[1] for e in edges], f64), second=True, edge=True)


# arithmetic
X, Y = [0.5, -1.25, 3, -0.125, 7.5, 1e3], [2, 0.75, -1.5, -4, 0.25, 1e-3]
BAD = [(0, 0), (-0.0, 0), (1e300, 1e300), (-1e300, 1e300), (inf, 1), (1, inf), (inf, -inf), (inf, inf), (nan, 1), (1, nan)]
binary("add", jnp.add, X, Y, BAD)
binary("sub", jnp.subtract, X, Y, BAD)
binary("mul", jnp.multiply, X, Y, BAD + [(inf, 0), (-1e-300, 1e-300)])
binary("div", jnp.divide, X, Y, BAD + [(1, 0), (-1, 0), (1, -0.0), (0, inf)])
TIES = [(1, 1), (0, 0), (inf, inf), (inf, 1), (-inf, 1), (nan, 1), (1, nan), (nan, nan)]
binary("max", jnp.maximum, X, Y, TIES)
binary("min", jnp.minimum, X, Y, TIES)
binary("pow", jnp.power, [0.5, 1.25, 3, 0.125, 7.5, 10], [2, 0.75, -1.5, -4, 0.25, -3],
       [(0, 0), (0, 1), (0, 2), (0, -1), (0, 0.5), (1, 0), (2, 0), (-2, 2), (-2, 3), (-2, 0.5), (1, nan), (nan, 0), (inf, 2),
        (inf, -1), (2, inf), (0.5, inf), (-inf, 3), (1e200, 2)])
unary("neg", jnp.negative, X, [0, -0.0, inf, -inf, nan])
unary("abs", jnp.abs, X, [0, -0.0, 1e300, inf, -inf, nan])
unary("sign", jnp.sign, X, [0, -0.0, inf, -inf, nan])
unary("sqrt", jnp.sqrt, [0.25, 1, 2, 7.5, 1e-8, 1e8], [0, -0.0, -1, 1e300, inf, -inf, nan])
unary("rsqrt", lax.rsqrt, [0.25, 1, 2, 7.5, 1e-8, 1e8], [0, -1, 1e300, inf, nan])
a, b = np.array([7, -7, 5, 0, 2147483647, -2147483648], i32), np.array([2, 2, -3, 4, 1, 1], i32)
for op, f in (("add", jnp.add), ("sub", jnp.subtract), ("mul", jnp.multiply), ("max", jnp.maximum), ("min", jnp.minimum)):
    record(op, f, a, b)
    record(op, f, np.array([0, 200, 255, 3], u8), np.array([1, 100, 255, 5], u8))
record("mul", jnp.multiply, np.array([4294967295, 65536, 3], u32), np.array([2, 65536, 5], u32))
record("add", jnp.add, np.array([1 << 40, -(1 << 40)], i64), np.array([1, -1], i64))
record("div_true_of_integers", jnp.true_divide, a[:4], b[:4])
record("div_lax_of_integers", lax.div, a[:4], b[:4])
record("pow_of_integers", jnp.power, np.array([2, -3, 0, 10], i32), np.array([10, 3, 0, 9], i32))
for op, f in (("neg", jnp.negative), ("abs", jnp.abs), ("sign", jnp.sign)):
    record(op, f, np.array([3, -3, 0, 2147483647, -2147483648], i32))
# shapes that broadcast
m23, v3, c21 = cycle(X, (2, 3)), np.array([2, -0.5, 4.0]), np.array([[0.5], [-3.0]])
for op, f in (("add", jnp.add), ("sub", jnp.subtract), ("mul", jnp.multiply), ("div", jnp.divide)):
    record(op, f, m23, v3)
    record(op, f, c21, v3)
    record(op, f, m23, np.array(1.5))

# transcendental
SMALL = [-3, -1.25, -0.5, -1e-3, 1e-10, 0.125, 0.75, 1.5, 4]
FAR = [0, -0.0, inf, -inf, nan]
unary("exp", jnp.exp, SMALL + [-20, 20, 300], FAR + [-800, 709.5, 710])
unary("expm1", jnp.expm1, SMALL + [-20, 20, 300], FAR + [-800, 710])
unary("log", jnp.log, [0.25, 0.999, 1, 1.001, 2, 7.5, 1e-8, 1e8, 1e300], [0, -0.0, -1, inf, nan])
unary("log1p", jnp.log1p, [-0.999, -0.5, -1e-3, 1e-10, 0.125, 1.5, 1e8], [0, -0.0, -1, -2, inf, nan])
unary("sin", jnp.sin, SMALL + [10, -100, 1e4], FAR)
unary("cos", jnp.cos, SMALL + [10, -100, 1e4], FAR)
unary("tan", jnp.tan, SMALL + [10, 1.57], FAR)
unary("tanh", jnp.tanh, SMALL + [10], FAR + [40, -40])
unary("logistic", jax.nn.sigmoid, SMALL + [10, -20], FAR + [40, -40, 800, -800])
unary("erf", jax.scipy.special.erf, SMALL, FAR + [10, -10])

# comparison, logic, select, convert
P, Q = np.array([1, 2, 3, nan, inf, 0, nan]), np.array([1, 3, 2, 1, inf, -0.0, nan])
for op, f in (("eq", jnp.equal), ("ne", jnp.not_equal), ("lt", jnp.less), ("le", jnp.less_equal), ("gt", jnp.greater), ("ge", jnp.greater_equal)):
    record(op, f, P, Q)
    record(op, f, a, b)
    record(op, f, np.array([4294967295, 0], u32), np.array([1, 0], u32))
T4, F4 = np.array([0, 0, 1, 1], bool), np.array([0, 1, 0, 1], bool)
for op, f in (("and", jnp.logical_and), ("or", jnp.logical_or), ("xor", jnp.logical_xor)):
    record(op, f, T4, F4)
record("not", jnp.logical_not, T4)
mask = np.array([1, 0, 1, 0, 1, 0], bool)
record("select", jnp.where, mask, np.array(X), np.array(Y))
record("select", jnp.where, mask, np.array([1, inf, 2, nan, 3, -inf]), np.array([inf, 1, nan, 2, -inf, 3]), edge=True)
record("select", jnp.where, mask.reshape(2, 3), m23, np.array(0.5))
record("select", jnp.where, mask[:3], v3, c21)
record("select", jnp.where, mask[:4], a[:4], b[:4])
# out = where(x > 0, f(x), 0). `grad` is the meaning that etna gives (the untaken branch does not count),
# `plain_jax_grad` in the JSON is what JAX gives for the formula as it stands.
w = np.array([-4, -1, 0, 0.25, 1, 4], f64)
for name, f in (("log", jnp.log), ("sqrt", jnp.sqrt), ("reciprocal", lambda v: 1 / v)):
    record("where_untaken", lambda x, f=f: jnp.where(x > 0, f(x), 0.0), w, text=name,
           grad_of=lambda x, f=f: jnp.where(x > 0, f(jnp.where(x > 0, x, 1.0)), 0.0))
def convert(x, to, **k):
    record("convert", lambda v: v.astype(to), np.asarray(x), text=short(to), **k)
convert(np.array([1.9, -1.9, 2.5, -0.5, 0, 1e9]), i32)
convert(np.array([1.9, 255, 0.5]), u8)
convert(np.array([1e12, -1e12, 2.75]), i64)
convert(np.array([3e9, 0.75]), u32)
convert(np.array([0, -0.0, 0.5, -2, nan, inf]), bool)
convert(np.array([0.1, 1 / 3, 16777217, 1e300, nan]), f32, derive=False)
convert(np.array([0.5, -2, 16777216], f32), f64)
convert(np.array([1, 0], bool), f64)
convert(np.array([1, 0], bool), i32)
convert(np.array([300, -1, 256, 7], i32), u8)
convert(np.array([-1, 7], i32), u32)
convert(np.array([4294967295, 7], u32), i32)
convert(np.array([(1 << 32) + 5, -1], i64), i32)
convert(np.array([16777217, -3], i32), f32)
convert(np.array([0, 2, -1], i32), bool)
convert(np.array([1e10, -1e10, inf, -inf, nan]), i32, edge=True)

# reductions (reduce_max and reduce_min, to tell them from max and min of two arrays)
A = cycle([0.5, -1.25, 3, 2, -0.125, 1.5, -2, 0.75, 4, -3, 0.25, 1, -0.5], (2, 3, 4))
AXES = [(0,), (1,), (2,), (-1,), (0, 2), (1, 2), (0, 1, 2)]
KEPT = [(1,), (0, 2)]
def reduce(op, f, x, axes, keep, **k):
    record(op, lambda v: f(v, axis=axes, keepdims=bool(keep)), x, attr={"axes": list(axes), "keepdims": [keep]}, **k)
for op, f in (("sum", jnp.sum), ("prod", jnp.prod), ("reduce_max", jnp.max), ("reduce_min", jnp.min), ("mean", jnp.mean)):
    for axes in AXES if op != "mean" else AXES[1:3] + AXES[-1:]:
        reduce(op, f, A, axes, 0)
    for axes in KEPT:
        reduce(op, f, A, axes, 1)
    reduce(op, f, A[0], (), 0)
for op, f in (("argmax", jnp.argmax), ("argmin", jnp.argmin)):
    tied = np.array([[1, 3, 3, 0], [-1, -1, -2, -2], [5, 5, 5, 5.0]])
    for axis in (0, 1, 2, -1):
        for keep in (0, 1):
            record(op, lambda v: f(v, axis=axis, keepdims=bool(keep)).astype(i32), A, attr={"axis": [axis], "keepdims": [keep]})
    record(op, lambda v: f(v, axis=1).astype(i32), tied, attr={"axis": [1], "keepdims": [0]})
    record(op, lambda v: f(v, axis=1).astype(i32), np.array([[1, nan, 3, nan], [inf, -inf, inf, 0]]), attr={"axis": [1], "keepdims": [0]}, edge=True)
B = A > 0.6
B[1, 2], B[0, 0] = True, False
for op, f in (("all", jnp.all), ("any", jnp.any)):
    for axes in AXES:
        reduce(op, f, B, axes, 0)
    reduce(op, f, B, (0, 2), 1)
I = (A * 8).astype(i32)
for op, f in (("reduce_max", jnp.max), ("reduce_min", jnp.min)):
    reduce(op, f, I, (1,), 0)
record("sum", lambda v: jnp.sum(v, axis=1, dtype=i32), I, attr={"axes": [1], "keepdims": [0]})
record("prod", lambda v: jnp.prod(v, axis=1, dtype=i32), I, attr={"axes": [1], "keepdims": [0]})
record("sum_of_bool", lambda v: jnp.sum(v, axis=2, dtype=i32), B, attr={"axes": [2], "keepdims": [0]})
# zeros in a product, ties in an extremum (the gradient is shared equally), no elements, inf and nan
zeros = np.array([[2, 3, 0.5, 4], [2, 0, 0.5, 4], [0, 3, 0, 4], [0, 0, 0, 0], [-2, 1, -1, 0.25]], f64)
reduce("prod", jnp.prod, zeros, (1,), 0)
reduce("prod", jnp.prod, zeros, (0,), 0)
reduce("prod", jnp.prod, zeros[:2], (0, 1), 0)
ties = np.array([[1, 3, 3, 0], [-1, -1, -2, -2], [5, 5, 5, 5]], f64)
for op, f in (("reduce_max", jnp.max), ("reduce_min", jnp.min)):
    reduce(op, f, ties, (1,), 0)
    reduce(op, f, ties, (0,), 1)
    reduce(op, f, ties, (0, 1), 0)
    reduce(op, f, np.array([[1, nan, 3], [inf, 1, -inf], [-inf, -inf, -inf]]), (1,), 0, edge=True, derive=False)
empty = np.zeros((2, 0, 3))
for op, f in (("sum", jnp.sum), ("prod", jnp.prod)):
    reduce(op, f, empty, (1,), 0)
    reduce(op, f, empty, (1,), 1)
    reduce(op, f, empty, (0,), 0)
    reduce(op, f, empty, (0, 1, 2), 0)
    reduce(op, f, np.array([[1, nan, 3], [inf, 1, -inf], [inf, 2, 0]]), (1,), 0, edge=True, derive=False)
for op, f in (("all", jnp.all), ("any", jnp.any)):
    reduce(op, f, empty.astype(bool), (1,), 0)

# movement
for x, shape in ((v3, (2, 3)), (c21, (2, 3)), (A[:, :1], (2, 3, 4)), (np.array(1.5), (2, 2)), (v3, (3,)), (empty[0], (2, 0, 3))):
    record("broadcast_to", lambda v: jnp.broadcast_to(v, shape), x, attr={"shape": list(shape)})
for x, shape, dims in ((v3, (3, 2), (0,)), (c21[:, 0], (2, 3), (0,)), (m23, (2, 4, 3), (0, 2)), (m23.T, (3, 2, 2), (0, 2))):
    record("broadcast_in_dim", lambda v: lax.broadcast_in_dim(v, shape, dims), x, attr={"shape": list(shape), "dims": list(dims)})
for shape in ((6, 4), (24,), (4, 3, 2), (2, 1, 12)):
    record("reshape", lambda v: jnp.reshape(v, shape), A, attr={"shape": list(shape)})
for perm in ((2, 0, 1), (0, 2, 1), (2, 1, 0), (1, 0, 2)):
    record("transpose", lambda v: jnp.transpose(v, perm), A, attr={"perm": list(perm)})
record("transpose", lambda v: jnp.transpose(v, (1, 0)), m23, attr={"perm": [1, 0]})

# contraction
E8 = [0.5, -1.25, 3, 2, -0.125, 1.5, -2, 0.75, 4, -3, 0.25]
G8 = [1, -0.5, 0.25, 2, -1.5, 0.125, 3]
def dot(ls, rs, lc, rc, lb=(), rb=()):
    record("dot_general", lambda x, y: lax.dot_general(x, y, ((lc, rc), (lb, rb))), cycle(E8, ls), cycle(G8, rs),
           attr={"lhs_contract": list(lc), "rhs_contract": list(rc), "lhs_batch": list(lb), "rhs_batch": list(rb)})
dot((3,), (3,), (0,), (0,))
dot((2, 3), (3, 4), (1,), (0,))
dot((3, 2), (3, 4), (0,), (0,))
dot((2, 3), (4, 3), (1,), (1,))
dot((2, 3), (3,), (1,), (0,))
dot((2,), (3,), (), ())
dot((2, 3, 4), (2, 4, 5), (2,), (1,), (0,), (0,))
dot((3, 2, 4), (4, 5, 2), (2,), (0,), (1,), (2,))
dot((2, 3, 4), (3, 4, 2), (1, 2), (0, 1))
dot((2, 3, 4), (4, 3, 2), (1, 2), (1, 0))
dot((2, 3, 2, 4), (2, 3, 4, 2), (3,), (2,), (0, 1), (0, 1))
dot((2, 3), (2, 3), (), (), (0, 1), (0, 1))
dot((2, 0), (0, 3), (1,), (0,))
record("dot_general", lambda x, y: lax.dot_general(x, y, (((1,), (0,)), ((), ()))), I[0], I[1].T.copy(),
       attr={"lhs_contract": [1], "rhs_contract": [0], "lhs_batch": [], "rhs_batch": []})
for eq, shapes in (("ij,jk->ik", ((2, 3), (3, 4))), ("bij,bjk->bik", ((2, 2, 3), (2, 3, 2))), ("ij->ji", ((2, 3),)), ("ij,ij->", ((2, 3), (2, 3))),
                   ("i,j->ij", ((2,), (3,))), ("bhqd,bhkd->bhqk", ((2, 1, 2, 3), (2, 1, 3, 3))), ("ij->", ((2, 3),)), ("ij->i", ((2, 3),)),
                   ("ij,j->i", ((2, 3), (3,))), ("ijk,ikl->jl", ((2, 2, 3), (2, 3, 2))), ("ij,jk,kl->il", ((2, 2), (2, 3), (3, 2))),
                   ("ij,kj->ki", ((2, 3), (4, 3)))):
    record("einsum", lambda *v: jnp.einsum(eq, *v), *[cycle(p, s) for p, s in zip((E8, G8, E8[2:]), shapes)], text=eq)

# gather and scatter
def take(x, index, axis):
    record("take", lambda v, i: jnp.take(v, i, axis=axis), x, np.array(index, i32), attr={"axis": [axis]})
take(A[0], [2, 0, 0, 1, 2], 0)
take(A[0], [3, 1], 1)
take(A, [1, 1], 1)
take(A, [[0, 3], [3, 3]], 2)
take(A, [-1, 0], -1)
take(v3, 1, 0)
def along(x, index, axis):
    record("take_along_axis", lambda v, i: jnp.take_along_axis(v, i, axis=axis), x, np.array(index, i32), attr={"axis": [axis]})
along(A[0], [[1], [3], [3]], 1)
along(A[0], [[1, 1, 0], [3, 0, 2], [3, 3, 3]], 1)
along(A[0], [[2, 0, 0, 1]], 0)
along(A, cycle([0, 2, 1, 1, 0], (2, 2, 4)).astype(i32), 1)
record("scatter_add", lambda x, i, u: x.at[i].add(u), np.array([1, 2, 3, 4.0]), np.array([1, 3, 1], i32), np.array([0.5, 0.25, -2]))
record("scatter_add", lambda x, i, u: x.at[i].add(u), A[0], np.array([2, 2], i32), A[1, :2])

# softmax and its loss
Z = cycle(E8, (4, 5))
Z[3] = [1000, -1000, 999, 0, 1000]
labels = np.array([0, 4, 2, 1], i32)
for op, f in (("softmax", jax.nn.softmax), ("log_softmax", jax.nn.log_softmax), ("logsumexp", jax.scipy.special.logsumexp)):
    record(op, lambda v: f(v, axis=1), Z, attr={"axis": [1]})
record("softmax", lambda v: jax.nn.softmax(v, axis=0), Z[:3], attr={"axis": [0]})
record("relu", jax.nn.relu, np.array([-2, -0.5, 0, 0.5, 3]))
entropy = lambda z, y: -jnp.take_along_axis(jax.nn.log_softmax(z), y[:, None], 1)[:, 0]
record("softmax_cross_entropy", entropy, Z, labels)
record("mean_softmax_cross_entropy", lambda z, y: jnp.mean(entropy(z, y)), Z, labels)
record("mean_softmax_cross_entropy", lambda z, y: jnp.mean(entropy(z, y)), cycle(G8, (3, 10)), np.array([9, 0, 3], i32))

# write
NAMES = {"tangent_in": "jvp_in", "tangent_out": "jvp_out"}
LISTS = ("in", "out", "tangent_in", "tangent_out", "cotangent", "grad", "second", "plain_jax_grad")
groups, lines = {}, {}
for s in samples:
    entry = {"attr": s["attr"]} | ({"text": s["text"]} if "text" in s else {})
    entry |= {NAMES.get(k, k): [tensor(v) for v in s[k]] for k in LISTS if k in s}
    groups.setdefault(s["op"], []).append(entry)
    out = [f"op {s['op']}"] + [" ".join(["attr", k, *map(str, v)]) for k, v in s["attr"].items()]
    out += [f"text {s['text']}"] if "text" in s else []
    out += [f"{k} {tensor_line(v)}" for k in LISTS if k in s and k != "plain_jax_grad" for v in s[k]]
    lines.setdefault(s["op"], []).append("\n".join(out) + "\n")
write_json("rows.json", {"versions": versions, "jax_enable_x64": True, "jax_default_matmul_precision": "highest"}, groups)

text = head("rows.py", versions, "Values and derivatives of every row from JAX in f64, and a reader of them.")
text += r"""#include <cstdint>
#include <cstdlib>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace reference {

struct tensor {
  std::string dtype;                // bool u8 i32 u32 i64 f32 f64
  std::vector<std::int64_t> shape;  // rank 0 has none
  std::vector<double> data;         // rows first; every element fits a double exactly
};

struct sample {
  std::string op;
  std::string text;                                        // the string of einsum, the dtype of convert, the function of where_untaken
  std::map<std::string, std::vector<std::int64_t>> attr;   // axis, axes, keepdims, shape, ...; edge marks kinks, inf and nan
  std::vector<tensor> in, out;
  std::vector<tensor> tangent_in, tangent_out;             // JVP; tangents of the floating arguments only, in order
  std::vector<tensor> cotangent, grad;                     // VJP; gradients of the floating arguments only, in order
  std::vector<tensor> second;                              // elementwise: f'' or f_xx, f_xy, f_yy
};

namespace detail {

inline constexpr const char* rows[] = {
"""
for op, group in lines.items():
    chunk = ""
    for one in group + [None]:  # no literal of more than 30,000 characters: compilers must take 65,536
        if one is None or len(chunk) + len(one) > 30_000:
            text += f'R"rows({chunk})rows",\n'
            chunk = ""
        chunk += one or ""
text += r"""};

inline tensor read_tensor(std::istream& words) {
  tensor t;
  std::string w;
  words >> t.dtype;
  while (words >> w && w != ":") t.shape.push_back(std::stoll(w));
  while (words >> w) t.data.push_back(std::strtod(w.c_str(), nullptr));
  return t;
}

inline std::vector<sample> read_samples() {
  std::vector<sample> all;
  for (const char* row : rows) {
    std::istringstream text(row);
    for (std::string line, word; std::getline(text, line);) {
      std::istringstream words(line);
      words >> word;
      if (word == "op") {
        words >> all.emplace_back().op;
        continue;
      }
      sample& s = all.back();
      if (word == "text") words >> s.text;
      else if (word == "attr") {
        words >> word;
        auto& values = s.attr[word];
        for (std::int64_t v; words >> v;) values.push_back(v);
      }
      else if (word == "in") s.in.push_back(read_tensor(words));
      else if (word == "out") s.out.push_back(read_tensor(words));
      else if (word == "tangent_in") s.tangent_in.push_back(read_tensor(words));
      else if (word == "tangent_out") s.tangent_out.push_back(read_tensor(words));
      else if (word == "cotangent") s.cotangent.push_back(read_tensor(words));
      else if (word == "grad") s.grad.push_back(read_tensor(words));
      else if (word == "second") s.second.push_back(read_tensor(words));
    }
  }
  return all;
}

}  // namespace detail

/// All samples, in the order of rows.py.
inline std::vector<sample> const& samples() {
  static const std::vector<sample> all = detail::read_samples();
  return all;
}

}  // namespace reference
"""
write("rows.inc.hpp", text)
print(len(samples), "samples of", len(groups), "ops")
