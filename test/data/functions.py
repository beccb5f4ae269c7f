"""Functions of one and two arguments from JAX and NumPy in float64, as functions.inc.hpp. Run: python functions.py

For each function: its values at x (and y), the derivative for each argument, and the second derivative in the first. Some of
nn's functions of several arguments follow: values and gradients of sum(f * cotangent).
"""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax, nn

from writer import formula, head, listed, write

jax.config.update("jax_enable_x64", True)
jax.config.update("jax_default_matmul_precision", "highest")
wide = np.array([-30, -7.5, -2.75, -1.25, -0.4, -1e-3, 1e-3, 0.3, 0.9, 2, 5.5, 40])
unit = np.array([-0.99, -0.7, -0.3, -0.01, 0.02, 0.5, 0.8, 0.95])
above = np.array([1e-3, 0.2, 0.9, 1.1, 3, 25, 1e4])

unary = {
    "gelu": (nn.gelu, wide), "gelu_exact": (lambda x: nn.gelu(x, approximate=False), wide), "silu": (nn.silu, wide),
    "softplus": (nn.softplus, np.append(wide, 0)), "log_sigmoid": (nn.log_sigmoid, np.append(wide, 0)), "elu": (nn.elu, wide),
    "elu_2": (lambda x: nn.elu(x, 2.0), wide), "leaky_relu": (nn.leaky_relu, wide), "selu": (nn.selu, wide), "celu": (lambda x: nn.celu(x, 1.5), wide),
    "relu6": (nn.relu6, wide), "hard_tanh": (nn.hard_tanh, wide), "hard_sigmoid": (nn.hard_sigmoid, wide), "hard_silu": (nn.hard_silu, wide),
    "soft_sign": (nn.soft_sign, wide), "mish": (nn.mish, wide),
    "tan": (jnp.tan, wide), "arcsin": (jnp.arcsin, unit), "arccos": (jnp.arccos, unit), "arctan": (jnp.arctan, wide), "sinh": (jnp.sinh, wide),
    "cosh": (jnp.cosh, wide), "arcsinh": (jnp.arcsinh, wide), "arccosh": (jnp.arccosh, above + 1), "arctanh": (jnp.arctanh, unit),
    "sinc": (jnp.sinc, np.append(unit, [0, 1.5, -3.25])), "degrees": (jnp.degrees, wide), "radians": (jnp.radians, wide),
    "exp2": (jnp.exp2, wide), "cbrt": (jnp.cbrt, wide), "log2": (jnp.log2, above), "log10": (jnp.log10, above), "reciprocal": (jnp.reciprocal, wide),
    "erfc": (lax.erfc, unit * 4), "erf_inv": (lax.erf_inv, unit), "floor": (jnp.floor, wide), "ceil": (jnp.ceil, wide), "trunc": (jnp.trunc, wide),
    "rint": (jnp.rint, np.array([-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 2.4999, 7.75])), "round_1": (lambda x: jnp.round(x, 1), np.array([0.25, 0.35, -1.05, 7.77])),
    "nan_to_num": (jnp.nan_to_num, np.array([np.nan, np.inf, -np.inf, 1.5])),
}
pairs = (np.repeat(np.array([-7.5, -2, -0.3, 0.9, 4, 11]), 5), np.tile(np.array([-3, -0.7, 0.375, 1.5, 6]), 6))
binary = {
    "arctan2": (jnp.arctan2, pairs), "logaddexp": (jnp.logaddexp, (np.append(pairs[0], [2, 800, -800]), np.append(pairs[1], [2, 799, -800]))),
    "logaddexp2": (jnp.logaddexp2, pairs), "hypot": (jnp.hypot, pairs),
    "remainder": (jnp.remainder, pairs), "fmod": (jnp.fmod, pairs), "floor_divide": (jnp.floor_divide, pairs),
}

text = head("functions.py", {"jax": jax.__version__, "numpy": np.__version__}, "Functions of one and two arguments, and of nn, in float64.")
text += "#include <limits>\n#include <vector>\n\nnamespace reference {\n\nusing numbers = std::vector<double>;\ninline constexpr double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();\n"
text += "struct function {\n  const char* name;\n  numbers x, y, out, dx, dy, dxx;  // y and dy are empty of one argument\n};\n\n"
text += "inline std::vector<function> functions() {\n  return {\n"
for name, (f, x) in unary.items():
    d = jax.vmap(jax.grad(f))(x)
    dd = jax.vmap(jax.grad(jax.grad(f)))(x)
    text += f'      {{"{name}", {listed(x)}, {{}}, {listed(f(x))}, {listed(d)}, {{}}, {listed(dd)}}},\n'
for name, (f, (x, y)) in binary.items():
    dx, dy = jax.vmap(jax.grad(f, (0, 1)))(x, y)
    dxx = jax.vmap(jax.grad(jax.grad(f)))(x, y)
    text += f'      {{"{name}", {listed(x)}, {listed(y)}, {listed(f(x, y))}, {listed(dx)}, {listed(dy)}, {listed(dxx)}}},\n'
text += "  };\n}\n"


def attention(q, k, v, bias=None, mask=None, scale=None, causal=False):
    """jax.nn.dot_product_attention with its softmax in float64 as well."""
    group = q.shape[-2] // k.shape[-2]
    k, v = jnp.repeat(k, group, -2), jnp.repeat(v, group, -2)
    logits = jnp.einsum("btnh,bsnh->bnts", q, k) * (q.shape[-1] ** -0.5 if scale is None else scale)
    if bias is not None:
        logits = logits + bias
    seen = jnp.ones(logits.shape, bool) if mask is None else jnp.broadcast_to(mask, logits.shape)
    if causal:
        seen = seen & jnp.tril(jnp.ones(logits.shape[-2:], bool))
    return jnp.einsum("bnts,bsnh->btnh", nn.softmax(jnp.where(seen, logits, -1e38), -1), v)


def layer_norm(x, scale, shift):
    return nn.standardize(x, epsilon=1e-5) * scale + shift


def rms_norm(x, scale):
    return x * lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-6) * scale


q, k, v, kg, vg = (formula(s, i + 1) for i, s in enumerate([(2, 5, 4, 3), (2, 6, 4, 3), (2, 6, 4, 3), (2, 6, 2, 3), (2, 6, 2, 3)]))
bias, mask = formula((4, 5, 6), 6), formula((2, 1, 5, 6), 7) > -0.5
for a in (dict(), dict(bias=bias, mask=mask), dict(is_causal=True, scale=0.25)):  # the formula above is JAX's function
    mine = {("causal" if n == "is_causal" else n): e for n, e in a.items()}
    assert np.allclose(nn.dot_product_attention(q, k, v, **a), attention(q, k, v, **mine), atol=2e-6)
    assert np.allclose(nn.dot_product_attention(q, kg, vg, **a), attention(q, kg, vg, **mine), atol=2e-6)
cases = {
    "layer_norm": (layer_norm, (formula((3, 7), 1), formula((7,), 2), formula((7,), 3))), "rms_norm": (rms_norm, (formula((3, 7), 1), formula((7,), 2))),
    "attention": (attention, (q, k, v)), "attention_masked": (lambda q, k, v, b: attention(q, k, v, b, mask), (q, k, v, bias)),
    "attention_causal": (lambda q, k, v: attention(q, k, v, scale=0.25, causal=True), (q, k, v)), "attention_grouped": (attention, (q, kg, vg)),
}
for name, (f, args) in cases.items():
    out, pull = jax.vjp(f, *map(jnp.asarray, args))
    grads = pull(jnp.asarray(formula(out.shape, 9)))
    text += f"inline numbers const {name}{listed(out)};\n"
    text += f"inline numbers const grad_of_{name}[]{{{', '.join(listed(g) for g in grads)}}};\n"
text += "\n}  // namespace reference\n"
write("functions.inc.hpp", text)
