"""JAX on three jobs; prints one JSON object with median microseconds. Run: python jax_bench.py --threads 1"""
import json
import os

import measure

args = measure.arguments(__doc__)
os.environ["XLA_FLAGS"] = " ".join([os.environ.get("XLA_FLAGS", ""), "--xla_cpu_multi_thread_eigen=" + ("true" if args.threads > 1 else "false")]).strip()
os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import jax.numpy as jnp
import numpy as np

formula = measure.formula()


def loss(p, x, y):
    w1, b1, w2, b2 = p
    z = jax.nn.relu(x @ w1 + b1) @ w2 + b2
    return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(z), y[:, None], 1))


def update(p, x, y):
    value, g = jax.value_and_grad(loss)(p, x, y)
    return [w - np.float32(formula.RATE) * d for w, d in zip(p, g)], value


times, checks = {}, {}

grad = jax.jit(jax.grad(lambda x: jnp.sum(x * x)))
x4 = jnp.asarray(np.array([1, 2, 3, 4], np.float32))
checks["grad4"] = np.asarray(grad(x4)).tolist()
times["grad4"] = measure.median(lambda: grad(x4).block_until_ready(), args.seconds, 100)

step = jax.jit(update, donate_argnums=0)
p = [jnp.array(w, copy=True) for w in formula.parameters(np.float32)]
x, y = map(jnp.asarray, formula.batch(0, np.float32))
p, value = step(p, x, y)
checks["loss_step_1"] = float(value)
checks["loss_after_step_1"] = float(loss(p, x, y))  # on the same batch


def train():
    global p
    p, value = step(p, x, y)
    jax.block_until_ready((p, value))


times["mlp_step"] = measure.median(train, args.seconds, 10)

chain = jax.jit(lambda a: jnp.exp(-a * a) * jnp.sin(a) + jnp.tanh(a / 2))
a = jnp.asarray(measure.chain_input())
checks |= measure.chain_checks(chain(a))
times["chain"] = measure.median(lambda: chain(a).block_until_ready(), args.seconds)

print(json.dumps({"peer": "jax", "threads": args.threads, "versions": {"jax": jax.__version__, "numpy": np.__version__},
                  "microseconds": times, "checks": checks}))
