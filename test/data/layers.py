"""Layers of flax.linen and initializers of jax.nn in float64, as layers.inc.hpp. Run: python layers.py

Parameter number k of a layer is formula(shape, k), counted in the order of etna's struct, x is formula(shape, 50), and the
cotangent of the result formula(shape, 90). Of each layer: the result, and the gradients of sum(result * cotangent) for all
parameters and x, one after the other.
"""
import flax
import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
from jax.nn import initializers as init

from writer import formula, head, listed, write

jax.config.update("jax_enable_x64", True)
jax.config.update("jax_default_matmul_precision", "highest")
f64 = {"dtype": jnp.float64, "param_dtype": jnp.float64}


def fill(shapes, paths):
    """Parameters by the formula, in the order of the paths."""
    flat = flax.traverse_util.flatten_dict(shapes, sep=".")
    assert set(flat) == set(paths), (sorted(flat), sorted(paths))
    return flax.traverse_util.unflatten_dict({p: formula(flat[p].shape, k + 1) for k, p in enumerate(paths)}, sep=".")


def both(f, params, paths, *x):
    """The result, and the gradients in order, as one list."""
    y, pull = jax.vjp(f, params, *x)
    grads = pull(jnp.asarray(formula(y.shape, 90)))
    flat = flax.traverse_util.flatten_dict(grads[0], sep=".")
    whole = [g for g in grads[1:] if g.dtype == jnp.float64]
    return [np.asarray(v) for v in [y, *(flat[p] for p in paths), *whole]]


def layer(module, paths, *x, **call):
    shapes = jax.eval_shape(lambda: module.init(jax.random.key(0), *x, **call))["params"]
    return both(lambda p, *x: module.apply({"params": p}, *x, **call), fill(shapes, paths), paths, *x)


def x_of(*shape):
    return jnp.asarray(formula(shape, 50))


pair = lambda *names: [f"{n}.{leaf}" for n in names for leaf in ("kernel", "bias")]
heads = pair("query", "key", "value", "out")
lstm = [f"{n}.kernel" for n in ("ii", "if", "ig", "io")] + pair("hi", "hf", "hg", "ho")
gru = pair("ir", "iz", "in") + ["hr.kernel", "hz.kernel"] + pair("hn")
simple = pair("i") + ["h.kernel"]
causal = jnp.tril(jnp.ones((5, 5), bool))[None, None]
ids = jnp.asarray([[0, 3], [6, 3]])
inside = lambda names: [f"cell.{n}" for n in names]
attention = lambda **more: nn.MultiHeadDotProductAttention(num_heads=4, qkv_features=8, out_features=8, **more, **f64)
cell = lambda c: nn.RNN(c(features=5, **f64))

layers = {
    "dense": layer(nn.Dense(5, **f64), ["kernel", "bias"], x_of(2, 3, 4)),
    "dense_without_bias": layer(nn.Dense(5, use_bias=False, **f64), ["kernel"], x_of(3, 4)),
    "dense_general": layer(nn.DenseGeneral((3, 2), **f64), ["kernel", "bias"], x_of(2, 3, 4)),
    "dense_general_joins": layer(nn.DenseGeneral(4, axis=(-2, -1), **f64), ["kernel", "bias"], x_of(5, 3, 2)),
    "embed": layer(nn.Embed(7, 3, **f64), ["embedding"], ids),
    "conv": layer(nn.Conv(4, (3, 2), **f64), ["kernel", "bias"], x_of(2, 4, 5, 3)),
    "conv_strides": layer(nn.Conv(4, (3, 3), strides=(2, 1), padding=((1, 1), (0, 2)), use_bias=False, **f64), ["kernel"],
                          x_of(2, 4, 5, 3)),
    "conv_groups": layer(nn.Conv(6, (2, 2), feature_group_count=3, kernel_dilation=(1, 2), padding="VALID", **f64),
                         ["kernel", "bias"], x_of(2, 4, 5, 3)),
    "conv_one_axis": layer(nn.Conv(4, (3,), **f64), ["kernel", "bias"], x_of(2, 5, 3)),
    "conv_transpose": layer(nn.ConvTranspose(4, (3, 2), strides=(2, 2), **f64), ["kernel", "bias"], x_of(2, 3, 4, 3)),
    "layer_norm": layer(nn.LayerNorm(**f64), ["scale", "bias"], x_of(3, 7)),
    "rms_norm": layer(nn.RMSNorm(**f64), ["scale"], x_of(3, 7)),
    "group_norm": layer(nn.GroupNorm(num_groups=3, **f64), ["scale", "bias"], x_of(2, 4, 3, 6)),
    "attention": layer(attention(), heads, x_of(2, 5, 8)),
    "attention_causal": layer(attention(), heads, x_of(2, 5, 8), mask=causal),
    "lstm": layer(cell(nn.LSTMCell), inside(lstm), x_of(2, 4, 3)),
    "gru": layer(cell(nn.GRUCell), inside(gru), x_of(2, 4, 3)),
    "simple": layer(cell(nn.SimpleCell), inside(simple), x_of(2, 4, 3)),
}


def attend():
    module, params = nn.Embed(7, 3, **f64), {"embedding": formula((7, 3), 1)}
    return both(lambda p, x: module.apply({"params": p}, x, method=module.attend), params, ["embedding"], x_of(2, 3))


def batch_norm(x, training):
    module, paths = nn.BatchNorm(use_running_average=not training, **f64), ["scale", "bias"]
    c = x.shape[-1]
    stats = {"mean": jnp.asarray(formula((c,), 30)), "var": 2 + jnp.asarray(formula((c,), 31))}
    params = {"scale": formula((c,), 1), "bias": formula((c,), 2)}
    run = lambda p, x: module.apply({"params": p, "batch_stats": stats}, x, mutable=["batch_stats"])
    after = run(params, x)[1]["batch_stats"]
    return both(lambda p, x: run(p, x)[0], params, paths, x) + [np.asarray(after["mean"]), np.asarray(after["var"])]


def across():
    module, x, memory = attention(), x_of(2, 5, 8), jnp.asarray(formula((2, 6, 8), 51))
    shapes = jax.eval_shape(lambda: module.init(jax.random.key(0), x, memory))["params"]
    return both(lambda p, x, m: module.apply({"params": p}, x, m), fill(shapes, heads), heads, x, memory)


layers |= {"embed_attend": attend(), "batch_norm": batch_norm(x_of(5, 3), True), "attention_across": across(),
           "batch_norm_of_pictures": batch_norm(x_of(2, 3, 2, 4), True), "batch_norm_evaluates": batch_norm(x_of(5, 3), False)}

made = {
    "zeros": init.zeros, "ones": init.ones, "constant": init.constant(0.7), "normal": init.normal(0.02), "uniform": init.uniform(0.3),
    "truncated_normal": init.truncated_normal(0.5, lower=-1.0, upper=3.0), "lecun_normal": init.lecun_normal(), "lecun_uniform": init.lecun_uniform(),
    "glorot_normal": init.glorot_normal(), "glorot_uniform": init.glorot_uniform(), "he_normal": init.he_normal(),
    "he_uniform": init.he_uniform(), "scaled_out": init.variance_scaling(0.5, "fan_out", "normal"),
    "scaled_geo": init.variance_scaling(3.0, "fan_geo_avg", "uniform", in_axis=0, out_axis=1), "orthogonal": init.orthogonal(1.5),
}
assert (init.xavier_normal, init.xavier_uniform, init.kaiming_normal, init.kaiming_uniform) == (
    init.glorot_normal, init.glorot_uniform, init.he_normal, init.he_uniform)
key = jax.random.key(7)
text = head("layers.py", {"jax": jax.__version__, "flax": flax.__version__}, "Layers of flax and initializers of jax.nn.")
text += "#include <vector>\n\nnamespace reference {\n\nusing numbers = std::vector<double>;\n// The result, then gradients.\n"
for name, arrays in layers.items():
    text += f"inline std::vector<numbers> const layer_{name}{{{', '.join(listed(a) for a in arrays)}}};\n"
text += "\nstruct initialized {\n  const char* name;\n  numbers matrix, kernel, matrix_f32;  // of [3, 4] and [2, 3, 3, 4], and of [4, 3] in f32\n};\n"
text += "inline std::vector<initialized> const initializers{\n"
for name, f in made.items():
    arrays = f(key, (3, 4), jnp.float64), f(key, (2, 3, 3, 4), jnp.float64), f(key, (4, 3), jnp.float32)
    text += f'    {{"{name}", {", ".join(listed(a) for a in arrays)}}},\n'
text += "};\n"
for shape in ((3, 2, 3), (3, 4, 2, 3), (1, 2, 3, 2, 2)):
    text += f"inline numbers const delta_orthogonal_{len(shape)}{listed(init.delta_orthogonal(2.0)(key, shape, jnp.float64))};\n"
text += "\n}  // namespace reference\n"
write("layers.inc.hpp", text)
