# SPDX-License-Identifier: BSD-3-Clause
"""JAX side of bench/wide, part 3: NAME() gives the function and its arguments. Usage: python more.py NAME [SECONDS];
output and one core as in maps.py, inputs as in arrays.py."""
import sys
import time

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


def fill(k, *shape, scale=1.0):
    n = int(np.prod(shape))
    u = np.arange(n, dtype=np.uint32) * np.uint32(2654435761) + np.uint32(k * 40503)
    u ^= u >> np.uint32(16)
    u *= np.uint32(0x85EBCA6B)
    u ^= u >> np.uint32(13)
    u *= np.uint32(0xC2B2AE35)
    u ^= u >> np.uint32(16)
    return ((u / 4294967296.0 * 2 - 1) * scale).astype(np.float32).reshape(shape)


def fill_int(k, m, *shape):
    v = fill(k, *shape).astype(np.float64)
    return np.minimum(((v + 1) / 2 * m).astype(np.int32), m - 1)


def body():
    def turn(joint, q):
        c, s, one, zero = jnp.cos(q[joint]), jnp.sin(q[joint]), jnp.float32(1), jnp.float32(0)
        rows = [[[c, -s, zero], [s, c, zero], [zero, zero, one]], [[c, zero, s], [zero, one, zero], [-s, zero, c]],
                [[one, zero, zero], [zero, c, -s], [zero, s, c]]][joint % 3]
        return jnp.stack([jnp.stack(row) for row in rows])

    def energy(offsets, targets, q):
        def moved(joint, parent):
            r, p = parent
            return r @ turn(joint, q), p + r @ offsets[joint]

        trunk = moved(2, moved(1, moved(0, (jnp.eye(3), jnp.zeros(3)))))
        left, right = moved(4, moved(3, trunk)), moved(6, moved(5, trunk))
        tip = jnp.array([0.0, 0.0, 1.0])
        misses = [jnp.sum(jnp.square(p + r @ tip - t)) for (r, p), t in zip((left, right), targets)]
        return sum(misses) + 0.1 * jnp.sum(jnp.square(q))

    args = fill(1, 7, 3), fill(2, 2, 3), fill(3, 20000, 7, scale=3)
    return jax.vmap(jax.value_and_grad(energy, 2), (None, None, 0)), args


def tets():
    side = 15
    n = side + 1

    def element(x, inverse, volume):
        f = (x[1:] - x[0]).T @ inverse
        j = jnp.log(jnp.linalg.det(f))
        return volume * (0.5 * (jnp.sum(jnp.square(f)) - 3) - j + 5 * jnp.square(j))

    def energy(x, ids, inverses, volumes):
        return jnp.sum(jax.vmap(element)(x[ids], inverses, volumes))

    rest = np.stack(np.meshgrid(*[np.arange(n)] * 3, indexing="ij"), -1).reshape(-1, 3).astype(np.float32)
    base = np.arange(n**3).reshape(n, n, n)[:-1, :-1, :-1].reshape(-1, 1)
    steps = np.array([n * n, n, 1])
    orders = np.array([[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]])
    paths = np.concatenate([np.zeros((6, 1), int), np.cumsum(steps[orders], 1)], 1)
    paths[3:, 2:] = paths[3:, :1:-1]
    ids = (base[:, :, None] + paths).reshape(-1, 4).astype(np.int32)
    inverses = np.linalg.inv(np.swapaxes(rest[ids][:, 1:] - rest[ids][:, :1], 1, 2)).astype(np.float32)
    return jax.value_and_grad(energy), (rest + fill(1, *rest.shape, scale=0.1), ids, inverses,
                                        np.full(len(ids), 1 / 6, np.float32))


def rays():
    def brightness(centres, radii, albedo, origin, direction):
        start = origin - centres
        b = start @ direction
        d = jnp.square(radii) - jnp.sum(jnp.square(start - b[:, None] * direction), 1)
        hit = d > 0
        root = jnp.sqrt(jnp.where(hit, d, 1))
        near, far = -b - root, -b + root
        t = jnp.where(near > 0, near, far)
        times = jnp.where(hit & (t > 0), t, 1e9)
        i, nearest = jnp.argmin(times), jnp.min(times)
        any_hit = nearest < 1e8
        at = origin + jnp.where(any_hit, nearest, 1) * direction
        normal = (at - centres[i]) / radii[i]
        light = jnp.array([0.48, 0.64, -0.6])
        facing = normal @ direction
        return jnp.where(any_hit, albedo[i] * jnp.square(facing) * (0.1 + jax.nn.relu(normal @ light)), 0)

    def picture(scene, origins, directions, seen):
        shades = jax.vmap(brightness, (None, None, None, 0, 0))(*scene, origins, directions)
        return jnp.sum(jnp.square(shades - seen))

    n = 10000
    scene = (fill(1, 64, 3, scale=3), 0.5 + 0.2 * fill(2, 64), 0.6 + 0.4 * fill(3, 64))
    origins = fill(4, n, 3, scale=0.5) + np.array([0, 0, -6], np.float32)
    directions = fill(5, n, 3, scale=0.5) + np.array([0, 0, 1], np.float32)
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    return jax.value_and_grad(picture), (scene, origins, directions, fill(6, n))


def poses():
    def hat(w):
        x, y, z, zero = w[0], w[1], w[2], jnp.zeros_like(w[0])
        return jnp.stack([jnp.stack([zero, -z, y]), jnp.stack([z, zero, -x]), jnp.stack([-y, x, zero])])

    def exp_map(w):
        squared = jnp.sum(w * w)
        small = squared < 1e-6
        safe = jnp.where(small, 1, squared)
        angle = jnp.sqrt(safe)
        a = jnp.where(small, 1 - squared / 6, jnp.sin(angle) / angle)
        b = jnp.where(small, 0.5 - squared / 24, (1 - jnp.cos(angle)) / safe)
        k = hat(w)
        return jnp.eye(3) + a * k + b * (k @ k)

    def log_map(r):
        axis = jnp.stack([r[2, 1] - r[1, 2], r[0, 2] - r[2, 0], r[1, 0] - r[0, 1]])
        squared = 0.25 * jnp.sum(axis * axis)
        small = squared < 1e-6
        sine = jnp.sqrt(jnp.where(small, 1, squared))
        angle = jnp.arctan2(sine, 0.5 * (jnp.trace(r) - 1))
        return jnp.where(small, 0.5 + squared / 12, 0.5 * angle / sine) * axis

    def residual(a, b, measured):
        turned = exp_map(a[:3])
        between = turned.T @ exp_map(b[:3])
        shift = turned.T @ (b[3:] - a[3:])
        return jnp.concatenate([log_map(exp_map(measured[:3]).T @ between), shift - measured[3:]])

    def energy(poses, ends, measured):
        return jnp.sum(jnp.square(jax.vmap(residual)(poses[ends[:, 0]], poses[ends[:, 1]], measured)))

    args = fill(1, 5000, 6, scale=0.5), fill_int(2, 5000, 20000, 2), fill(3, 20000, 6, scale=0.5)
    return jax.value_and_grad(energy), args


def boot():
    def statistics(x, picked):
        s = x[picked]
        m = jnp.mean(s, 0)
        d = s - m
        variance = jnp.mean(jnp.square(d), 0)
        skewness = jnp.mean(d * d * d, 0) / (variance * jnp.sqrt(variance))
        return m, variance, skewness, jnp.mean(d[:, 0] * d[:, 1]) / jnp.sqrt(variance[0] * variance[1])

    x = fill(1, 2000, 2)
    return jax.vmap(statistics, (None, 0)), (x * x + 0.5 * np.roll(x, 1, 1), fill_int(2, 2000, 1000, 2000))


def harmonics():
    def harmonics(v):
        x, y, z = v
        x2, y2, z2, xy, yz, zx, differ = x * x, y * y, z * z, x * y, y * z, z * x, x * x - y * y
        return jnp.stack([
            0.28209479 * jnp.ones_like(x), 0.48860251 * y, 0.48860251 * z, 0.48860251 * x, 1.0925484 * xy,
            1.0925484 * yz,
            0.31539157 * (3 * z2 - 1), 1.0925484 * zx, 0.54627422 * differ, 0.59004359 * y * (3 * x2 - y2),
            2.8906114 * xy * z, 0.4570458 * y * (5 * z2 - 1), 0.37317633 * z * (5 * z2 - 3),
            0.4570458 * x * (5 * z2 - 1),
            1.4453057 * z * differ, 0.59004359 * x * (x2 - 3 * y2), 2.5033429 * xy * differ,
            1.7701308 * yz * (3 * x2 - y2), 0.94617470 * xy * (7 * z2 - 1), 0.66904654 * yz * (7 * z2 - 3),
            0.10578555 * (35 * z2 * z2 - 30 * z2 + 3), 0.66904654 * zx * (7 * z2 - 3),
            0.47308735 * differ * (7 * z2 - 1), 1.7701308 * zx * (x2 - 3 * y2),
            0.62583574 * (x2 * (x2 - 3 * y2) - y2 * (3 * x2 - y2))])

    def weighted(v, weights):
        return harmonics(v) @ weights

    v = fill(1, 100000, 3)
    return lambda v, weights: (jax.vmap(harmonics)(v), jax.vmap(jax.grad(weighted))(v, weights)), (
        v / np.linalg.norm(v, axis=1, keepdims=True), fill(2, 100000, 25))


def stencil():
    def step(now, before, speed):
        u = now[1:-1, 1:-1]
        around = now[:-2, 1:-1] + now[2:, 1:-1] + now[1:-1, :-2] + now[1:-1, 2:]
        middle = 2 * u - before[1:-1, 1:-1] + speed[1:-1, 1:-1] * (around - 4 * u)
        c = jnp.sqrt(speed[1:-1, :1])
        left = now[1:-1, 1:2] + (c - 1) / (c + 1) * (middle[:, :1] - now[1:-1, :1])
        rows = jnp.concatenate([left, middle, now[1:-1, -1:]], 1)
        return jnp.concatenate([jnp.zeros((1, 512), jnp.float32), rows, rows[-1:]]), now

    def energy(first, speed):
        (last, _), _ = lax.scan(lambda w, _: (step(*w, speed), None), (first, first), None, length=10)
        return jnp.sum(jnp.square(last))

    return jax.value_and_grad(energy, (0, 1)), (fill(1, 512, 512), 0.25 + 0.2 * fill(2, 512, 512))


def automaton():
    def following(x):
        rows = jnp.roll(x, 1, 0) + x + jnp.roll(x, -1, 0)
        around = jnp.roll(rows, 1, 1) + rows + jnp.roll(rows, -1, 1) - x
        return ((around == 3) | ((around == 2) & (x == 1))).astype(jnp.uint8)

    return lambda x: lax.fori_loop(0, 20, lambda _, x: following(x), x), ((fill(1, 512, 512) > 0.3).astype(np.uint8),)


def mdn():
    def likelihood(p, x, y):
        w1, b1, w2, b2 = p
        logits, mean, log_scale = jnp.split(jnp.tanh(x @ w1 + b1) @ w2 + b2, 3)
        z = (y - mean) * jnp.exp(-log_scale)
        return jax.nn.logsumexp(jax.nn.log_softmax(logits) - 0.5 * jnp.square(z) - log_scale) - 0.91893853

    def loss(p, x, y):
        return -jnp.mean(jax.vmap(likelihood, (None, 0, 0))(p, x, y))

    p = (fill(1, 4, 32), fill(2, 32), fill(3, 32, 24, scale=0.3), fill(4, 24, scale=0.3))
    return jax.value_and_grad(loss), (p, fill(5, 8192, 4), fill(6, 8192, scale=2))


def elim():
    def energy(a, b):
        return jnp.sum(jnp.square(jnp.linalg.solve(a, b)))

    a = fill(1, 20000, 6, 6) + 4 * np.eye(6, dtype=np.float32)
    return jax.vmap(jax.grad(energy, (0, 1))), (a, fill(2, 20000, 6))


def kalman():
    def filtered(noise, zs):
        move = jnp.eye(4) + 0.1 * jnp.array([[0, 0, 1, 0], [0, 0, 0, 1], [0, 0, 0, 0], [0, 0, 0, 0]], jnp.float32)

        def step(state, z):
            x, p, likelihood = state
            x, p = move @ x, move @ p @ move.T + jnp.exp(noise[0]) * jnp.eye(4)
            y, s = z - x[:2], p[:2, :2] + jnp.exp(noise[1]) * jnp.eye(2)
            det = s[0, 0] * s[1, 1] - s[0, 1] * s[1, 0]
            inverse = jnp.array([[s[1, 1], -s[0, 1]], [-s[1, 0], s[0, 0]]]) / det
            gain = p[:, :2] @ inverse
            return (x + gain @ y, p - gain @ p[:2], likelihood - 0.5 * (y @ (inverse @ y) + jnp.log(det))), None

        return jax.lax.scan(step, (jnp.zeros(4), jnp.eye(4), jnp.float32(0)), zs)[0][2]

    def loss(noise, zs):
        return jnp.mean(jax.vmap(filtered, (None, 0))(noise, zs))

    return jax.value_and_grad(loss), ((fill(1, 1)[0], fill(2, 1)[0]), fill(3, 1024, 100, 2))


def lstm():
    def last(p, x):
        wx, wh, b, wo = p

        def step(state, now):
            h, c = state
            i, f, g, o = jnp.split(now @ wx + h @ wh + b, 4)
            c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
            return (jax.nn.sigmoid(o) * jnp.tanh(c), c), None

        return jax.lax.scan(step, (jnp.zeros(16), jnp.zeros(16)), x)[0][0] @ wo

    def loss(p, x, y):
        return jnp.mean(jnp.square(jax.vmap(last, (None, 0))(p, x) - y))

    p = (fill(1, 8, 64, scale=0.3), fill(2, 16, 64, scale=0.3), fill(3, 64), fill(4, 16))
    return jax.value_and_grad(loss), (p, fill(5, 128, 50, 8), fill(6, 128))


def embed():
    def loss(m, k, x, y):
        a, b, bias, w = m
        t = jnp.sum(a[k[:, 0]] * b[k[:, 1]], 1) + bias[k[:, 2]] + x @ w
        return jnp.mean(jnp.logaddexp(0.0, t) - y * t)

    m = (fill(1, 1000, 8), fill(2, 200, 8), fill(3, 50), fill(4, 16))
    ids = fill_int(5, 1000, 50000, 3) % np.array([1000, 200, 50], np.int32)
    return jax.value_and_grad(loss), (m, ids, fill(6, 50000, 16), fill(7, 50000))


def text():
    def loss(m, t, y):
        vectors, w, b = m
        logits = jnp.tanh(jnp.mean(vectors[t], 1)) @ w + b
        return jnp.mean(jax.nn.logsumexp(logits, 1) - jnp.take_along_axis(logits, y[:, None], 1)[:, 0])

    m = (fill(1, 5000, 16), fill(2, 16, 10), fill(3, 10))
    return jax.value_and_grad(loss), (m, fill_int(4, 5000, 1024, 32), fill_int(5, 10, 1024))


if __name__ == "__main__":
    name, seconds = sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else 1.0
    f, args = globals()[name]()
    f, args = jax.jit(f), jax.device_put(args)
    begin = time.time()
    results = jax.block_until_ready(f(*args))
    print(f"# compile {time.time() - begin:.2f} s")
    for i, r in enumerate(jax.tree.leaves(results)):
        v = np.asarray(r, np.float64).ravel()
        print(f"R {i} {v.sum():.15g} {np.abs(v).sum():.15g} {v[0]:.15g} {v[v.size // 2]:.15g} {v[-1]:.15g}")
    if seconds > 0:
        for _ in range(2):
            jax.block_until_ready(f(*args))
        wall, cpu, begin = [], [], time.time()
        while len(wall) < 9 or time.time() - begin < seconds:
            p, q = time.perf_counter(), time.process_time()
            jax.block_until_ready(f(*args))
            wall.append(time.perf_counter() - p)
            cpu.append(time.process_time() - q)
        print(f"T {np.median(wall) * 1e3:.4f} {min(wall) * 1e3:.4f} {np.median(cpu) * 1e3:.4f} {len(wall)}")
