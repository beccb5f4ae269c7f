"""JAX as a peer of the bench, see peer.py. Run: python jax_peer.py THREADS"""
import os
import sys

os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["XLA_FLAGS"] = f"{os.environ.get('XLA_FLAGS', '')} --xla_cpu_multi_thread_eigen={'true' if int(sys.argv[1]) > 1 else 'false'}".strip()

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import peer  # noqa: E402

sys.path.insert(0, str(peer.Path(__file__).resolve().parents[1] / "run"))
import operations  # noqa: E402
from peer import filled, formula, np, ramp  # noqa: E402


def of(f, *args, inner=1):
    f, args = jax.jit(f), [jax.device_put(a) for a in args]
    return lambda: jax.block_until_ready(f(*args)), lambda: jax.tree.leaves(f(*args)), inner


def trained(step, start, *batch, inner=1):
    """A step that updates what it is given: checked after two."""
    step, state = jax.jit(step, donate_argnums=0), [None]
    state[0] = start()

    def one():
        state[0], value = step(state[0], *batch)
        jax.block_until_ready(value)
        jax.block_until_ready(state[0])

    def check():
        state[0] = start()
        one()
        one()
        return jax.tree.leaves(state[0][0] if isinstance(state[0], tuple) else state[0])

    return one, check, inner


def chain(a):
    return jnp.exp(-a * a) * jnp.sin(a) + jnp.tanh(a / 2)


def layer_norm(x):
    c = x - x.mean(-1, keepdims=True)
    return c * jax.lax.rsqrt((c * c).mean(-1, keepdims=True) + 1e-5)


def runge_kutta(slope, h, start, length):
    def step(y, _):
        a = slope(y)
        b = slope(y + 0.5 * h * a)
        c = slope(y + 0.5 * h * b)
        d = slope(y + h * c)
        return y + h / 6 * (a + 2 * b + 2 * c + d), None

    return jax.lax.scan(step, start, None, length=length)[0]


def rk4(start, k):
    return jnp.sum(runge_kutta(lambda y: jnp.tanh(k * y) - 0.5 * y, 0.01, start, 1000) ** 2)


def heat(start):
    return runge_kutta(lambda y: jnp.pad(y[:-1], (1, 0)) - 2 * y + jnp.pad(y[1:], (0, 1)), 0.2, start, 10)


def predict(p, x):
    w1, b1, w2, b2 = p
    return jax.nn.relu(x @ w1 + b1) @ w2 + b2


def cross_entropy(z, y):
    return -jnp.take_along_axis(jax.nn.log_softmax(z), y[..., None], -1)[..., 0]


def sgd(p, x, y):
    value, g = jax.value_and_grad(lambda p: jnp.mean(cross_entropy(predict(p, x), y)))(p)
    return [w - np.float32(0.01) * d for w, d in zip(p, g)], value


def deep_loss(p, x):
    for w, b in p:
        x = jax.nn.relu(x @ w + b)
    return jnp.mean(x * x)


def adam(state, x):
    p, m, v, count = state
    value, g = jax.value_and_grad(deep_loss)(p, x)
    m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, m, g)
    v = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * (g * g), v, g)
    count = count + 1
    t = count.astype(jnp.float32)
    a, b = 1 - 0.9**t, 1 - 0.999**t
    p = jax.tree.map(lambda p, m, v: p - 0.001 * (m / a) / (jnp.sqrt(v / b) + 1e-8), p, m, v)
    return (p, m, v, count), value


def adam_start():
    p = jax.tree.map(jnp.array, peer.layers())
    return p, jax.tree.map(jnp.zeros_like, p), jax.tree.map(jnp.zeros_like, p), jnp.array(0)


def attention(gradient=False, shape=(8, 1024, 1, 64), **options):
    f = lambda *x: jax.nn.dot_product_attention(*x, **options)
    g = jax.grad(lambda *x: jnp.sum(f(*x) ** 2), (0, 1, 2))
    return of(g if gradient else f, filled(shape, 20, 4), filled(shape, 21, 4), filled(shape, 22, 2))


def conv(x, w, stride=1):
    return jax.lax.conv_general_dilated(x, w, (stride, stride), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))


def cnn(p, x):
    pool = lambda x: jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
    h = pool(jax.nn.relu(conv(x, p[0]) + p[1]))
    h = pool(jax.nn.relu(conv(h, p[2]) + p[3]))
    return jax.nn.relu(h.reshape(64, -1) @ p[4] + p[5]) @ p[6] + p[7]


def resnet8(p, x):
    p = iter(p)

    def statistics(x):
        c = x - x.mean((0, 1, 2))
        return c * jax.lax.rsqrt((c * c).mean((0, 1, 2)) + 1e-5) * next(p) + next(p)

    h = jax.nn.relu(statistics(conv(x, next(p))))
    for stride in (1, 2, 2):
        r = jax.nn.relu(statistics(conv(h, next(p), stride)))
        r = statistics(conv(r, next(p)))
        across = next(p)
        h = jax.nn.relu(r + (conv(h, across, stride) if stride > 1 else h))
    return h.mean((1, 2)) @ next(p) + next(p)


def network(f, shapes, picture):
    def step(p, x, y):
        loss = lambda p: -jnp.take_along_axis(jax.nn.log_softmax(f(p, x)), y[:, None], 1).mean()
        value, g = jax.value_and_grad(loss)(p)
        return jax.tree.map(lambda w, d: w - np.float32(0.001) * d, p, g), value

    start = lambda: [jnp.asarray(filled(s, 300 + k, 0.25)) for k, s in enumerate(shapes)]
    return trained(step, start, jnp.asarray(filled((64, *picture), 17, 2)), jnp.arange(64) * 7 % 10)


def normed(x, scale, bias):
    return layer_norm(x) * scale + bias


def blocks(x, p, count, heads, causal=False):
    """Transformer blocks; p is an iterator over their parameters."""
    for _ in range(count):
        b, t, width = x.shape
        h = normed(x, next(p), next(p)) @ next(p) + next(p)
        q, k, v = jnp.moveaxis(h.reshape(b, t, 3, heads, width // heads), 2, 0)
        x = x + jax.nn.dot_product_attention(q, k, v, is_causal=causal).reshape(b, t, width) @ next(p) + next(p)
        x = x + jax.nn.gelu(normed(x, next(p), next(p)) @ next(p) + next(p)) @ next(p) + next(p)
    return x


def vit(net, p, x):
    p, (n, a, s) = iter(p), (net.images, net.across, net.patch)
    cut = x.reshape(n, a, s, a, s, net.channels).transpose(0, 1, 3, 2, 4, 5).reshape(n, a * a, -1) @ next(p) + next(p)
    h = jnp.concatenate([jnp.broadcast_to(next(p), (n, 1, net.width)), cut], 1) + next(p)
    h = blocks(h, p, net.blocks, net.heads)
    return normed(h[:, 0], next(p), next(p)) @ next(p) + next(p)


def gpt2(net, p, x):
    p = iter(p)
    words = next(p)
    h = blocks(words[x] + next(p)[: net.tokens], p, net.blocks, net.heads, True)
    return normed(h, next(p), next(p)) @ words.T


def by_sgd(net, f, compute=jnp.float32):
    def step(p, x, y):
        loss = lambda p: cross_entropy(f(net, [w.astype(compute) for w in p], x.astype(compute)).astype(jnp.float32), y).mean()
        value, g = jax.value_and_grad(loss)(p)
        return [w - np.float32(0.001) * d for w, d in zip(p, g)], value

    return trained(step, lambda: [jnp.asarray(w) for w in net.parameters()], *map(jnp.asarray, net.batch()))


def by_adamw(net, f, decay):
    def step(state, x, y):
        p, m, v, count = state
        value, g = jax.value_and_grad(lambda p: cross_entropy(f(net, p, x), y).mean())(p)
        m = [0.9 * m + 0.1 * g for m, g in zip(m, g)]
        v = [0.999 * v + 0.001 * (g * g) for v, g in zip(v, g)]
        count = count + 1
        t = count.astype(jnp.float32)
        a, b = 1 - 0.9**t, 1 - 0.999**t
        return ([w - 0.001 * (m / a) / (jnp.sqrt(v / b) + 1e-8) - 0.001 * decay * w for w, m, v in zip(p, m, v)], m, v, count), value

    def start():
        p = [jnp.asarray(w) for w in net.parameters()]
        return p, [jnp.zeros_like(w) for w in p], [jnp.zeros_like(w) for w in p], jnp.array(0)

    return trained(step, start, *map(jnp.asarray, net.batch()))


def narrow(stream):
    return jnp.asarray(filled((1024, 1024), stream, 2), jnp.bfloat16)


parameters = lambda: [jnp.array(w) for w in formula.parameters(np.float32)]
four = np.array([1, 2, 3, 4], np.float32)
rows = lambda: filled((8192, 1024), 10, 8)
peer.serve(operations.for_jax(of, jax, jnp, filled) | {
    "grad4": lambda: of(jax.grad(lambda x: jnp.sum(x * x)), four, inner=100),
    "hvp4": lambda: of(lambda x, v: jax.jvp(jax.grad(lambda y: jnp.sum(y * y * y)), (x,), (v,))[1], four, four[::-1].copy(), inner=100),
    "mlp_step": lambda: trained(sgd, parameters, *map(jnp.asarray, formula.batch(0, np.float32)), inner=10),
    "per_example": lambda: of(jax.vmap(jax.grad(lambda p, x, y: cross_entropy(predict(p, x), y)), (None, 0, 0)), parameters(), *formula.batch(0, np.float32)),
    "chain": lambda: of(chain, ramp(1 << 24)),
    "chain_grad": lambda: of(jax.grad(lambda a: jnp.sum(chain(a))), ramp(1 << 24)),
    "softmax": lambda: of(jax.nn.softmax, rows()),
    "layer_norm": lambda: of(layer_norm, rows()),
    "layer_norm_grad": lambda: of(jax.grad(lambda x: jnp.sum(layer_norm(x) ** 3)), rows()),
    "lse_grad": lambda: of(jax.grad(jax.nn.logsumexp), filled((1 << 24,), 11, 8)),
    "dot": lambda: of(jnp.dot, filled((1 << 16,), 16, 2, 1), filled((1 << 16,), 17, 2, 1), inner=10),
    "matvec": lambda: of(jnp.dot, filled((1024, 1024), 18, 2, 1), filled((1024,), 19, 2, 1)),
    "vecmat": lambda: of(jnp.dot, filled((1024,), 19, 2, 1), filled((1024, 1024), 18, 2, 1)),
    "column_sums": lambda: of(lambda a: a.sum(0), filled((8192, 1024), 10, 2, 1)),
    "cnn": lambda: network(cnn, peer.CNN, (28, 28, 1)),
    "resnet8": lambda: network(resnet8, peer.RESNET8, (32, 32, 3)),
    "vit_small": lambda: by_adamw(peer.Vit(*peer.VIT_SMALL), vit, 0),
    "vit_b16": lambda: by_sgd(peer.Vit(*peer.VIT_B16), vit),
    "vit_b16_bf16": lambda: by_sgd(peer.Vit(*peer.VIT_B16), vit, jnp.bfloat16),
    "gpt2": lambda: by_adamw(peer.Gpt2(), gpt2, 0.1),
    "dot_bf16": lambda: of(jnp.dot, narrow(18), narrow(19)),
    "attention": attention,
    "attention_grad": lambda: attention(True),
    "attention_causal_grad": lambda: attention(True, (1, 4096, 1, 64), is_causal=True),
    "rk4": lambda: of(jax.grad(rk4), filled((16,), 12, 2), filled((16,), 13, 2, 1)),
    "heat": lambda: of(heat, filled((1000000,), 15, 2)),
    "heat_grad": lambda: of(jax.grad(lambda y: jnp.sum(heat(y) ** 2)), filled((1000000,), 15, 2)),
    "adam90": lambda: trained(adam, adam_start, jnp.asarray(filled((64, 256), 14, 2))),
})
