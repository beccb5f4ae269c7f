"""Programs over a mesh of 8 devices, and their derivatives, from JAX in float64. Run: python shard_map.py

test/ranks/mesh_programs.cpp holds the same programs in C++, on 8 ranks. check_vma is off: psum's transpose is psum inside of a
function, as under vmap and pmap. Derivatives from outside are those of the whole function.
"""
import os

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"
os.environ["JAX_PLATFORMS"] = "cpu"
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import PartitionSpec as P

from writer import head, number, write

jax.config.update("jax_enable_x64", True)
versions = {"jax": jax.__version__, "numpy": np.__version__}
mesh = jax.make_mesh((4, 2), ("data", "model"), axis_types=(jax.sharding.AxisType.Auto,) * 2)
results = []


def numbers(seed, *shape):
    i = np.arange(int(np.prod(shape)))
    return jnp.asarray(((i * 37 + seed * 11) % 29 - 14).reshape(shape) / 16)


def keep(name, tree):
    """The leaves of a result, in order."""
    results.append((name, [np.asarray(x, np.float64).ravel() for x in jax.tree.leaves(tree)]))


def over_mesh(f, ins, outs):
    return jax.jit(jax.shard_map(f, mesh=mesh, in_specs=ins, out_specs=outs, check_vma=False))


both, by_data, by_model, whole = P("data", "model"), P("data"), P("model"), P()
x, w, b = numbers(1, 8, 4), numbers(2, 4, 6), numbers(3, 6)
parts = numbers(4, 32, 2)  # 8 rows on each of "data"

# Collectives.
keep("sums", over_mesh(lambda x: (lax.psum(x, "data"), lax.psum(jnp.sum(x * x), ("data", "model")), lax.pmean(x, "model")),
                       both, (P(None, "model"), whole, by_data))(x))
keep("extremes", over_mesh(lambda x: (lax.pmax(x, "data"), lax.pmin(jnp.sin(x), "model")), both, (P(None, "model"), by_data))(x))
keep("gathered", over_mesh(lambda x: lax.all_gather(x, "data"), both, P(None, None, "model"))(x))
keep("permuted", over_mesh(lambda x: (lax.ppermute(x, "data", [(0, 2), (1, 0), (3, 1)]),
                                      lax.ppermute(x, "data", [(0, 1), (1, 2), (2, 3), (3, 0)])), both, (both, both))(x))
keep("scattered", over_mesh(lambda p: lax.psum_scatter(p.reshape(4, 2, 2), "data"), by_data, by_data)(parts))
keep("exchanged", over_mesh(lambda p: lax.all_to_all(p.reshape(4, 2, 2), "data", 0, 0), by_data, by_data)(parts))
keep("places", over_mesh(lambda x: x + 10 * lax.axis_index("data") + 100 * lax.axis_index("model"), both, both)(x))


# A dense layer with rows of the batch along "data" and contracted columns along "model"; its gradients inside.
def layer(x, w, b):
    return jnp.tanh(lax.psum(x @ w, "model") + b)


def squares(w, b, x):
    return jnp.sum(layer(x, w, b) ** 2)


def inside(w, b, x):
    value, (gw, gb) = jax.value_and_grad(squares, (0, 1))(w, b, x)
    return lax.psum(value, "data"), lax.psum(gw, "data"), lax.psum(gb, ("data", "model"))


keep("inside", over_mesh(inside, (by_model, whole, both), (whole, by_model, whole))(w, b, x))

# From outside: what is not named in a spec is one array.
loss = over_mesh(lambda w, b, x: lax.psum(squares(w, b, x), "data"), (by_model, whole, both), whole)
keep("outside", jax.value_and_grad(loss, (0, 1, 2))(w, b, x))
# ... of a loss that each device computes alone, of what all have
alone = over_mesh(lambda w, b: jnp.sum(jnp.sin(w @ b)), (whole, whole), whole)
keep("alone", jax.value_and_grad(alone, (0, 1))(w, b))
# ... along one axis the results are named, along the other not; and the same gradient by a reduction between two such functions
rows = over_mesh(layer, (both, by_model, whole), by_data)
add_up = over_mesh(lambda y: lax.pmean(jnp.sum(y**3), "data"), (by_data,), whole)
keep("two", jax.value_and_grad(lambda w, b, x: add_up(rows(x, w, b)), (0, 1, 2))(w, b, x))
# ... forward
keep("forward", jax.jvp(loss, (w, b, x), (numbers(5, 4, 6), numbers(6, 6), numbers(7, 8, 4))))


# The reference's reference: without a mesh.
def plainly(w, b, x):
    return jnp.sum(jnp.tanh(x @ w + b) ** 2)


value, slopes = jax.value_and_grad(plainly, (0, 1, 2))(w, b, x)
kept = dict(results)
assert all(np.allclose(k, np.ravel(s)) for k, s in zip(kept["outside"], (value, *slopes)))
# inside, what two devices have alike behind a psum over "model" is counted twice
assert all(np.allclose(k, 2 * np.ravel(s)) for k, s in zip(kept["inside"][1:], slopes))

# pmap of 8: each has a row of x.
mapped = partial(jax.pmap, axis_name="i")
keep("pmap_sums", mapped(lambda r: (lax.psum(r * r, "i"), lax.pmean(r, "i"), lax.pmax(r, "i")))(x))
keep("pmap_moved", mapped(lambda r: (lax.ppermute(r, "i", [(k, (k + 1) % 8) for k in range(8)]),
                                     lax.all_gather(jnp.sum(r), "i")))(x))
keep("pmap_parts", mapped(lambda r: (lax.psum_scatter(r, "i"), lax.all_to_all(r, "i", 0, 0)))(numbers(8, 8, 8, 2)))
keep("pmap_gradient", mapped(jax.grad(lambda r: jnp.sum(lax.psum(r * r, "i") * jnp.sin(r))))(x))


def step(r, w):
    value, g = jax.value_and_grad(lambda w: jnp.mean(jnp.tanh(r @ w) ** 2))(w)
    return lax.pmean(value, "i"), w - 0.1 * lax.pmean(g, "i")


keep("pmap_step", mapped(step, in_axes=(0, None))(x, w))

text = head("shard_map.py", versions, "Programs over a mesh of 4 x 2 devices, and over 8.")
text += "#include <string_view>\n#include <vector>\n\nnamespace reference {\n"
text += "struct mesh_result {\n  std::string_view name;\n  std::vector<std::vector<double>> leaves;\n};\n"
text += "inline std::vector<mesh_result> const& mesh_results() {\n  static std::vector<mesh_result> const all{\n"
for name, leaves in results:
    text += f'      {{"{name}",\n       {{' + ",\n        ".join("{" + ", ".join(number(v) for v in leaf) + "}" for leaf in leaves) + "}},\n"
text += "  };\n  return all;\n}\n}  // namespace reference\n"
write("shard_map.inc.hpp", text)
