"""Ten small programs and their derivatives, from JAX in float64. Run: python programs.py

test/unit/programs/ holds the same programs in C++, one file for one or two of them.
"""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax, nn, random

from writer import head, number, write

jax.config.update("jax_enable_x64", True)
versions = {"jax": jax.__version__, "numpy": np.__version__}
results = []


def numbers(seed, *shape, scale=1 / 16):
    """Numbers between -14 and 14 times scale; numbers<A>(seed, scale) in C++."""
    i = np.arange(int(np.prod(shape)))
    return jnp.asarray(((i * 37 + seed * 11) % 29 - 14).reshape(shape) * scale)


def keep(name, tree):
    """The leaves of a result, in order."""
    results.append((name, [np.asarray(x, np.float64).ravel() for x in jax.tree.leaves(tree)]))


# A recurrent network along 7 steps of 3 sequences: value, gradient by weights, start and inputs.
def rnn(wx, wh, b, h0, xs, targets):
    def step(h, xt):
        x, t = xt
        h = jnp.tanh(x @ wx + h @ wh + b)
        return h, jnp.mean((h - t) ** 2)
    h, losses = lax.scan(step, h0, (xs, targets))
    return jnp.sum(losses) + 0.1 * jnp.sum(h**2)


weights = numbers(1, 2, 5, scale=1 / 32), numbers(2, 5, 5, scale=1 / 32), numbers(3, 5)
start = numbers(4, 3, 5), numbers(5, 7, 3, 2), numbers(6, 7, 3, 5)
keep("rnn", jax.value_and_grad(rnn, (0, 1, 2, 3, 4))(*weights, *start))
slope = lambda wh: jax.grad(rnn, 1)(weights[0], wh, weights[2], *start)
keep("rnn_hessian_product", jax.jvp(slope, (weights[1],), (numbers(18, 5, 5),))[1])


# Two species: y0' = y0 (p0 - p1 y1), y1' = y1 (p2 y0 - p3). Runge-Kutta of order 4, and Dormand and Prince's pair.
def species(y, p):
    return jnp.stack([y[0] * (p[0] - p[1] * y[1]), y[1] * (p[2] * y[0] - p[3])])


def rk4(y0, p):
    h = 0.05
    def step(y, _):
        k1 = species(y, p)
        k2 = species(y + 0.5 * h * k1, p)
        k3 = species(y + 0.5 * h * k2, p)
        k4 = species(y + h * k3, p)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        return y, y
    return lax.scan(step, y0, None, length=40)[1]


def rk4_loss(y0, p):
    return jnp.mean(jnp.sin(rk4(y0, p)))


y0, rates = jnp.array([1.0, 0.5]), jnp.array([1.5, 1.0, 0.75, 1.25])
keep("rk4", rk4(y0, rates)[::8])
keep("rk4_grad", jax.value_and_grad(rk4_loss, (0, 1))(y0, rates))


def dormand_prince(y0, p, end, rounds):
    def try_step(s):
        t, h, y, n = s
        h = jnp.minimum(h, end - t)
        k1 = species(y, p)
        k2 = species(y + h * (1 / 5 * k1), p)
        k3 = species(y + h * (3 / 40 * k1 + 9 / 40 * k2), p)
        k4 = species(y + h * (44 / 45 * k1 - 56 / 15 * k2 + 32 / 9 * k3), p)
        k5 = species(y + h * (19372 / 6561 * k1 - 25360 / 2187 * k2 + 64448 / 6561 * k3 - 212 / 729 * k4), p)
        k6 = species(y + h * (9017 / 3168 * k1 - 355 / 33 * k2 + 46732 / 5247 * k3 + 49 / 176 * k4 - 5103 / 18656 * k5), p)
        new = y + h * (35 / 384 * k1 + 500 / 1113 * k3 + 125 / 192 * k4 - 2187 / 6784 * k5 + 11 / 84 * k6)
        k7 = species(new, p)
        e = h * (71 / 57600 * k1 - 71 / 16695 * k3 + 71 / 1920 * k4 - 17253 / 339200 * k5 + 22 / 525 * k6 - 1 / 40 * k7)
        error = jnp.sqrt(jnp.mean((e / (1e-6 + 1e-6 * jnp.maximum(jnp.abs(y), jnp.abs(new)))) ** 2))
        ok = error <= 1.0
        factor = jnp.clip(0.9 * error**-0.2, 0.2, 5.0)
        return jnp.where(ok, t + h, t), h * factor, jnp.where(ok, new, y), n + 1
    def round_(s, _):
        return lax.cond(s[0] < end, try_step, lambda s: s, s), None
    s, _ = lax.scan(round_, (jnp.zeros(()), jnp.asarray(0.5), y0, jnp.zeros((), jnp.int32)), None, length=rounds)
    return s[2], s[3]


keep("dormand_prince", dormand_prince(y0, rates, 2.0, 64))
end_of = lambda y, p: jnp.sum(jnp.sin(dormand_prince(y, p, 2.0, 64)[0]))
keep("dormand_prince_grad", jax.value_and_grad(end_of, (0, 1))(y0, rates))
starts = jnp.array([[1.0, 0.5], [2.0, 1.0], [0.3, 0.1]])  # 15, 12 and 10 rounds
keep("dormand_prince_each", jax.vmap(lambda y: (dormand_prince(y, rates, 2.0, 64)[1], jax.grad(end_of)(y, rates)))(starts))


# Newton's method for a system of 3 equations, differentiated as a root.
def newton_root(a, c):
    f = lambda x: x + 0.25 * jnp.tanh(a @ x) - c
    def inverse_times(m, y):  # 3 by 3 by cofactors
        cross = jnp.stack([jnp.cross(m[1], m[2]), jnp.cross(m[2], m[0]), jnp.cross(m[0], m[1])])
        return cross.T @ y / jnp.dot(m[0], cross[0])
    def solve(f, x0):
        return lax.while_loop(lambda x: jnp.max(jnp.abs(f(x))) > 1e-13, lambda x: x - inverse_times(jax.jacfwd(f)(x), f(x)), x0)
    def solve_linear(g, y):
        return inverse_times(jax.jacfwd(g)(jnp.zeros(3)), y)
    return lax.custom_root(f, jnp.zeros(3), solve, solve_linear)


a3, c3 = numbers(7, 3, 3, scale=1 / 8), numbers(8, 3)
keep("newton", newton_root(a3, c3))
square_of = lambda a, c: jnp.sum(newton_root(a, c) ** 2)
keep("newton_grad", jax.value_and_grad(square_of, (0, 1))(a3, c3))
keep("newton_each", jax.vmap(jax.grad(square_of, 1), (None, 0))(a3, jnp.stack([c3, 2 * c3, c3 + 0.5])))
keep("newton_hessian", jax.hessian(square_of, 1)(a3, c3))


# Steps of Collatz's rule, and of the arithmetic-geometric mean: each example ends in its time.
def collatz(n):
    return lax.while_loop(lambda s: s[0] > 1, lambda s: (jnp.where(s[0] % 2 == 0, s[0] // 2, 3 * s[0] + 1), s[1] + 1), (n, jnp.zeros((), jnp.int32)))[1]


def agm(a, b):
    def body(s):
        a, b, n = s
        return (a + b) / 2, jnp.sqrt(a * b), n + 1
    a, b, n = lax.while_loop(lambda s: jnp.abs(s[0] - s[1]) > 1e-12 * s[0], body, (a, b, jnp.zeros((), jnp.int32)))
    return a, n


keep("collatz", jax.vmap(collatz)(jnp.array([1, 2, 3, 7, 27, 97], jnp.int32)))
big = jnp.array([1.0, 1.5, 24.0, 1e6])
keep("agm", jax.vmap(agm, (0, None))(big, 1.0))
keep("agm_jvp", jax.vmap(lambda a: jax.jvp(lambda a: agm(a, 1.0)[0], (a,), (1.0,))[1])(big))


# The Hessian of each example's loss by a vector of weights.
def example_loss(w, x, y):
    return jnp.log1p(jnp.exp(-y * jnp.tanh(x @ w))) + 0.05 * jnp.sum(w**4)


xs, ys = numbers(9, 6, 4), jnp.array([1.0, -1, 1, 1, -1, -1])
keep("hessians", jax.vmap(jax.hessian(example_loss), (None, 0, 0))(numbers(10, 4), xs, ys))


# A scan whose step takes one of two branches by its carry: gradient by the start, the inputs and what a branch captures.
def switching(x, w, ts):
    def step(c, t):
        c = lax.cond(c < 1.0, lambda c: c * t + x, lambda c: jnp.sin(w * c), c)
        return c, c * t
    c, out = lax.scan(step, x, ts)
    return c + jnp.sum(out**2)


ts = jnp.array([0.3, 0.9, 1.7, 0.4, 2.0, 1.1, 0.8, 1.9])
keep("scan_of_cond", jax.value_and_grad(switching, (0, 1, 2))(jnp.asarray(0.7), jnp.asarray(1.3), ts))
keep("scan_of_cond_each", jax.vmap(jax.grad(switching, (0, 1)), (0, None, None))(jnp.array([0.7, -0.3, 1.5]), jnp.asarray(1.3), ts))


# Quantiles of residuals by sorting, and the pinball loss of a linear model.
def quantile(x, q):
    s = jnp.sort(x)
    at = q * (x.shape[0] - 1)
    i = int(at)
    return s[i] + (at - i) * (s[i + 1] - s[i])


def quantile_loss(w, x, y):
    r = y - x @ w
    pinball = jnp.mean(jnp.maximum(0.8 * r, -0.2 * r))
    return pinball + (quantile(r, 0.75) - quantile(r, 0.25)) ** 2 + 0.1 * jnp.sum(jnp.sort(r)[-3:])


keep("quantile", jax.value_and_grad(quantile_loss, (0, 1, 2))(numbers(11, 3), numbers(12, 13, 3, scale=1 / 7), numbers(13, 13, scale=1 / 9)))


# A mixture density network with dropout under a fixed key.
def mixture(params, key, x, y):
    (w1, b1), (w2, b2) = params
    h = jnp.tanh(x @ w1 + b1)
    mask = random.bernoulli(key, jnp.float32(0.75), h.shape)
    h = jnp.where(mask, h / 0.75, 0)
    logits, means, scales = jnp.split(h @ w2 + b2, 3, axis=1)
    sigma = nn.softplus(scales) + 0.1
    z = (y[:, None] - means) / sigma
    parts = nn.log_softmax(logits) - 0.5 * z**2 - jnp.log(sigma) - 0.5 * jnp.log(2 * jnp.pi)
    return -jnp.mean(nn.logsumexp(parts, axis=1))


first, drop = random.split(random.key(0))
k1, k2 = random.split(first)
mixture_params = (random.normal(k1, (2, 16), jnp.float64), numbers(14, 16)), (0.25 * random.normal(k2, (16, 12), jnp.float64), numbers(15, 12))
keep("mixture", jax.value_and_grad(mixture)(mixture_params, drop, numbers(16, 10, 2), numbers(17, 10, scale=1 / 8)))
over_keys = lambda p, keys: jnp.mean(jax.vmap(lambda k: mixture(p, k, numbers(16, 10, 2), numbers(17, 10, scale=1 / 8)))(keys))
keep("mixture_over_keys", jax.value_and_grad(over_keys)(mixture_params, random.split(drop, 3)))
mixture_steps = mixture_params
for i in range(5):
    g = jax.grad(mixture)(mixture_steps, random.fold_in(drop, i), numbers(16, 10, 2), numbers(17, 10, scale=1 / 8))
    mixture_steps = jax.tree.map(lambda p, g: p - 0.1 * g, mixture_steps, g)
keep("mixture_trained", mixture_steps)


# A vision transformer: patches of 2 by 2, two layers, two heads of 4.
def layer_norm(x, scale, shift):
    m = jnp.mean(x, -1, keepdims=True)
    v = jnp.mean((x - m) ** 2, -1, keepdims=True)
    return (x - m) / jnp.sqrt(v + 1e-5) * scale + shift


def attention(q, k, v):
    p = nn.softmax(jnp.einsum("btnh,bsnh->bnts", q, k) / np.sqrt(q.shape[-1]))
    return jnp.einsum("bnts,bsnh->btnh", p, v)


def vit(params, images, labels):
    embed, place, layers, head_ = params
    b = images.shape[0]
    patches = images.reshape(b, 3, 2, 3, 2).transpose(0, 1, 3, 2, 4).reshape(b, 9, 4)
    x = patches @ embed + place
    for s1, o1, wq, wk, wv, wo, s2, o2, w1, c1, w2, c2 in layers:
        h = layer_norm(x, s1, o1)
        q, k, v = [(h @ w).reshape(b, 9, 2, 4) for w in (wq, wk, wv)]
        x = x + attention(q, k, v).reshape(b, 9, 8) @ wo
        h = layer_norm(x, s2, o2)
        x = x + nn.gelu(h @ w1 + c1) @ w2 + c2
    logits = jnp.mean(x, 1) @ head_
    return -jnp.mean(jnp.take_along_axis(nn.log_softmax(logits), labels[:, None], 1))


def vit_params():
    d, f = 8, 12
    def layer(s):
        return (1 + numbers(s, d, scale=1 / 64), numbers(s + 1, d, scale=1 / 64),
                *(numbers(s + 2 + i, d, d, scale=1 / 32) for i in range(4)),
                1 + numbers(s + 6, d, scale=1 / 64), numbers(s + 7, d, scale=1 / 64),
                numbers(s + 8, d, f, scale=1 / 32), numbers(s + 9, f, scale=1 / 64), numbers(s + 10, f, d, scale=1 / 32), numbers(s + 11, d, scale=1 / 64))
    return numbers(20, 4, d), numbers(21, 9, d, scale=1 / 64), (layer(30), layer(50)), numbers(22, d, 3)


keep("vit", jax.value_and_grad(vit)(vit_params(), numbers(23, 2, 6, 6, scale=1 / 8), jnp.array([2, 0])))


# Heat on a 6 by 7 plate with a coefficient in each cell; the edge is kept at its temperature.
def heat(u, k):
    inner = u[1:-1, 1:-1]
    flow = k[1:-1, 1:-1] * (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * inner) + 0.01 * inner**3
    return u.at[1:-1, 1:-1].add(0.2 * flow)


u, conduct = numbers(24, 6, 7), 1 + numbers(25, 6, 7, scale=1 / 32)
keep("heat", heat(u, conduct))
forward = np.asarray(jax.jacfwd(heat)(u, conduct)).reshape(42, 42)
keep("heat_jacobian", forward[:, ::5])
keep("heat_jacobian_k", jnp.sum(jax.jacfwd(heat, 1)(u, conduct), (2, 3)))
steps = lambda u, k: lax.fori_loop(0, 10, lambda i, u: heat(u, k), u)
keep("heat_steps_jvp", jax.jvp(lambda u: steps(u, conduct), (u,), (numbers(26, 6, 7),)))
keep("heat_steps_grad", jax.grad(lambda k: jnp.sum(steps(u, k) ** 2))(conduct))

text = head("programs.py", versions, "Small programs and their derivatives, from JAX in f64.")
text += """#include <vector>

namespace reference {

struct program {
  const char* name;
  std::vector<std::vector<double>> leaves;  // of the result, in order
};

inline std::vector<program> const& programs() {
  static std::vector<program> const all{
"""
row = lambda x: "{" + ", ".join(number(v) for v in x) + "}"
for name, leaves in results:
    text += f'    {{"{name}", {{{", ".join(map(row, leaves))}}}}},\n'
text += "  };\n  return all;\n}\n\n}  // namespace reference\n"
write("programs.inc.hpp", text)
