# SPDX-License-Identifier: BSD-3-Clause
"""JAX side of bench/wide, part 4: single functions (narrow.cpp, moves.cpp). Usage: python single.py NAME [SECONDS]; output and
one core as in maps.py, inputs as in arrays.py."""
import statistics
import sys
import time

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)


def fill(k, *shape, dtype=np.float32):
    with np.errstate(over="ignore"):
        u = np.arange(int(np.prod(shape)), dtype=np.uint32) * np.uint32(2654435761) + np.uint32(k) * np.uint32(40503)
        u ^= u >> np.uint32(16)
        u *= np.uint32(0x85EBCA6B)
        u ^= u >> np.uint32(13)
        u *= np.uint32(0xC2B2AE35)
        u ^= u >> np.uint32(16)
    return jnp.asarray(u / 4294967296.0 * 2 - 1, dtype=dtype).reshape(shape)


def fill_int(k, n, m):
    v = np.asarray(fill(k, n), dtype=np.float64)
    return jnp.asarray(np.minimum(((v + 1) / 2 * m).astype(np.int32), m - 1))


def gate(h, c):
    g = jnp.where(h > 0, c, 0.0)
    return g, g.sum(0)


def pool(x):
    return x.reshape(16, 32, 2, 32, 2, 8).mean((2, 4))


def weighed(ct, *x):
    return jnp.sum(ct * jnp.concatenate(x, 1))


F64 = np.float64
ALL = {
    **{f"gate{w}": (gate, lambda w=w: (fill(1, 65536, w), fill(2, 65536, w))) for w in (8, 12, 20, 24, 40, 72)},
    **{f"times{w}": (jnp.dot, lambda w=w: (fill(1, 65536, w), fill(2, w))) for w in (8, 12, 20, 32)},
    **{f"left{w}": (jnp.dot, lambda w=w: (fill(2, 65536), fill(1, 65536, w))) for w in (8, 20, 32)},
    "times10_f64": (jnp.dot, lambda: (fill(1, 20000, 10, dtype=F64), fill(2, 10, dtype=F64))),
    "left10_f64": (jnp.dot, lambda: (fill(2, 20000, dtype=F64), fill(1, 20000, 10, dtype=F64))),
    "take": (lambda x, i: jnp.take(x, i, axis=1), lambda: (fill(1, 20000, 63), fill_int(2, 64, 63))),
    "pool": (pool, lambda: (fill(1, 16, 64, 64, 8),)),
    "pool_grad": (lambda x, c: jax.vjp(pool, x)[1](c)[0], lambda: (fill(1, 16, 64, 64, 8), fill(2, 16, 32, 32, 8))),
    "repeat": (lambda x: jnp.repeat(jnp.repeat(x, 2, 1), 2, 2), lambda: (fill(1, 16, 32, 32, 8),)),
    "interleave": (lambda a, b: jnp.stack([a, b], 2).reshape(20000, 64), lambda: (fill(1, 20000, 32), fill(2, 20000, 32))),
    "turn33": (lambda x: x.transpose(0, 2, 1), lambda: (fill(1, 100000, 3, 3),)),
    "turn3n3": (lambda x: x.transpose(1, 0, 2), lambda: (fill(1, 3, 100000, 3),)),
    "turnn3": (lambda x: x.T, lambda: (fill(1, 100000, 3),)),
    "product44": (lambda a, b: (a[:, :, :, None] * b[:, None]).sum(2), lambda: (fill(1, 50000, 4, 4), fill(2, 50000, 4, 4))),
    "pieces_grad": (jax.grad(weighed, tuple(range(1, 8))),
                    lambda: (fill(9, 16384, 112), *(fill(k, 16384, 16) for k in range(1, 8)))),
}

if __name__ == "__main__":
    function, inputs = ALL[sys.argv[1]]
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 1
    f, x = jax.jit(function), inputs()
    for k, r in enumerate(jax.tree_util.tree_leaves(f(*x))):
        r = np.asarray(r, np.float64).ravel()
        print("R", k, r.sum(), abs(r).sum(), r[0], r[r.size // 2], r[-1])
    times, begin = [], time.time()
    while len(times) < 9 or time.time() - begin < seconds:
        before = time.perf_counter()
        jax.block_until_ready(f(*x))
        times.append((time.perf_counter() - before) * 1e3)
    print("T", statistics.median(times), min(times), len(times))
