# SPDX-License-Identifier: BSD-3-Clause
"""What three_ways.cpp does, by JAX with two devices of one host: milliseconds a step, and losses. Run through run.sh."""
import os
import statistics
import sys
import time
from pathlib import Path

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=2"
import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
from jax.sharding import NamedSharding, PartitionSpec  # noqa: E402

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "test/data"))
from formula import value  # noqa: E402

EXAMPLES, INPUTS, WIDTH, DEPTH, OUTPUTS, STEPS = 512, 128, 256, 90, 10, 10


def filled(shape, stream, scale):
    return value(0, int(np.prod(shape)), stream, scale).astype(np.float32).reshape(shape)


sizes = [INPUTS] + [WIDTH] * DEPTH + [OUTPUTS]
start = [(filled((a, b), k + 1, 2 * (6 / a) ** 0.5), np.zeros(b, np.float32)) for k, (a, b) in enumerate(zip(sizes, sizes[1:]))]
x, y = filled((EXAMPLES, INPUTS), 1000, 2), filled((EXAMPLES, OUTPUTS), 1001, 2)
RATE, B1, B2, EPSILON = 1e-4, 0.9, 0.999, 1e-8


def loss(p, x, y):
    for w, b in p[:-1]:
        x = jax.nn.relu(x @ w + b)
    return jnp.mean((x @ p[-1][0] + p[-1][1] - y) ** 2)


def step(p, s, x, y, mean=lambda t: t):
    v, g = mean(jax.value_and_grad(loss)(p, x, y))
    count, m, n = s[0] + 1, *(jax.tree.map(lambda a, d, b=b, k=k: b * a + (1 - b) * d**k, t, g) for b, k, t in ((B1, 1, s[1]), (B2, 2, s[2])))
    p = jax.tree.map(lambda a, m, n: a - RATE * (m / (1 - B1**count)) / (jnp.sqrt(n / (1 - B2**count)) + EPSILON), p, m, n)
    return p, (count, m, n), v


def train(way, step, place, x, y):
    for turn in range(2):
        p = place(start)
        s = place((np.float32(0), *(jax.tree.map(np.zeros_like, start) for _ in range(2))))
        seconds, losses = [], []
        for _ in range(STEPS):
            begin = time.perf_counter()
            p, s, v = jax.block_until_ready(step(p, s, x, y))
            seconds.append(time.perf_counter() - begin)
            losses.append(float(np.ravel(v)[0]))
    print(f"{way:34} {statistics.median(seconds) * 1e3:6.0f} ms  loss {losses[0]:.6f}, {losses[-1]:.6f}", flush=True)


mesh = jax.make_mesh((2,), ("data",))
whole, cut = NamedSharding(mesh, PartitionSpec()), NamedSharding(mesh, PartitionSpec("data"))
train("JAX, one device", jax.jit(step, donate_argnums=(0, 1)), lambda t: jax.device_put(t, jax.devices()[0]), x, y)
train("JAX, two, a batch that is cut", jax.jit(step, donate_argnums=(0, 1)), lambda t: jax.device_put(t, whole), jax.device_put(x, cut), jax.device_put(y, cut))
both = jax.pmap(lambda *a: step(*a, mean=lambda t: jax.lax.pmean(t, "i")), axis_name="i", donate_argnums=(0, 1))
train("JAX, two, pmap", both, lambda t: jax.device_put_replicated(t, jax.devices()) if hasattr(jax, "device_put_replicated") else jax.tree.map(lambda a: jnp.stack([a] * 2), t),
      x.reshape(2, -1, INPUTS), y.reshape(2, -1, OUTPUTS))
