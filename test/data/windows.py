"""Convolutions and pools with their gradients, from JAX and Flax's pools in float64. Run: python windows.py"""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from writer import head, number, numbers, weights, write

jax.config.update("jax_enable_x64", True)
versions = {"jax": jax.__version__, "numpy": np.__version__}


cases = []


def case(name, f, *shapes):
    """f of arrays of these shapes; the gradients of its elements' weighted sum; sums of the gradients of half the squares of these."""
    args = [jnp.asarray(numbers(*s)) + 0.125 * k for k, s in enumerate(shapes)]
    y = f(*args)
    of = tuple(range(len(args)))
    grads = jax.grad(lambda *a: jnp.sum(jnp.asarray(weights(y.shape)) * f(*a)), of)
    second = jax.grad(lambda *a: sum(jnp.sum(g * g) for g in grads(*a)) / 2, of)(*args)
    cases.append((name, y, grads(*args), [[jnp.sum(s), jnp.sum(s * weights(s.shape))] for s in second]))


def conv(name, x, k, **options):
    n = len(x) - 2
    options = {"window_strides": (1,) * n, "padding": "VALID", **options}
    case(name, lambda x, k: lax.conv_general_dilated(x, k, **options), x, k)


last = lambda n: ("NWC", "WIO", "NWC") if n == 1 else ("NHWC", "HWIO", "NHWC") if n == 2 else ("NDHWC", "DHWIO", "NDHWC")
conv("one_axis", (2, 3, 7), (4, 3, 3))
conv("one_axis_last", (2, 9, 3), (3, 3, 2), dimension_numbers=last(1), padding="SAME", window_strides=(2,))
conv("plain", (2, 3, 5, 6), (4, 3, 2, 3))
conv("last", (2, 5, 6, 3), (2, 3, 3, 4), dimension_numbers=last(2))
conv("same", (2, 5, 6, 3), (3, 2, 3, 4), dimension_numbers=last(2), padding="SAME")
conv("strides", (2, 7, 6, 2), (3, 3, 2, 3), dimension_numbers=last(2), window_strides=(2, 3), padding="SAME")
conv("padding", (1, 5, 6, 2), (3, 2, 2, 3), dimension_numbers=last(2), padding=((1, 2), (3, -1)))
conv("dilated_kernel", (2, 7, 8, 2), (3, 2, 2, 3), dimension_numbers=last(2), rhs_dilation=(2, 3), padding="SAME")
conv("dilated_input", (2, 4, 3, 2), (3, 2, 2, 3), dimension_numbers=last(2), lhs_dilation=(2, 3), padding=((2, 1), (0, 2)))
conv("all_at_once", (2, 5, 4, 2), (2, 3, 2, 3), dimension_numbers=last(2), lhs_dilation=(2, 1), rhs_dilation=(3, 2),
     window_strides=(2, 3), padding=((1, 0), (2, 3)))
conv("groups", (2, 5, 4, 6), (3, 2, 2, 9), dimension_numbers=last(2), feature_group_count=3, padding="SAME")
conv("groups_first", (2, 4, 5, 4), (6, 2, 3, 2), feature_group_count=2, window_strides=(2, 1))
conv("depthwise", (2, 5, 4, 3), (3, 2, 1, 6), dimension_numbers=last(2), feature_group_count=3)
conv("batch_groups", (4, 5, 4, 3), (2, 2, 3, 6), dimension_numbers=last(2), batch_group_count=2)
conv("one_element", (2, 5, 4, 3), (1, 1, 3, 2), dimension_numbers=last(2), window_strides=(2, 2))
conv("side_by_side", (2, 6, 5, 2), (3, 2, 2, 3), dimension_numbers=last(2), window_strides=(3, 2))
conv("gaps", (1, 8, 7, 2), (2, 2, 2, 3), dimension_numbers=last(2), window_strides=(3, 4))
conv("letters", (5, 2, 6, 3), (3, 4, 2, 3), dimension_numbers=("HNWC", "IOWH", "CWNH"), padding="SAME")
conv("three_axes", (1, 4, 5, 3, 2), (2, 3, 2, 2, 3), dimension_numbers=last(3), padding="SAME", window_strides=(1, 2, 1))
case("transposed_same", lambda x, k: lax.conv_transpose(x, k, (2, 2), "SAME"), (2, 3, 4, 2), (3, 3, 2, 3))
case("transposed_valid", lambda x, k: lax.conv_transpose(x, k, (3, 1), "VALID"), (2, 3, 4, 2), (2, 3, 2, 3))
case("transposed_dilated", lambda x, k: lax.conv_transpose(x, k, (2, 3), "SAME", rhs_dilation=(2, 1)), (1, 3, 4, 2), (2, 5, 2, 3))
case("transposed_padding", lambda x, k: lax.conv_transpose(x, k, (2, 1), ((1, 2), (0, 1))), (1, 3, 4, 2), (3, 2, 2, 3))
for mode in ("full", "same", "valid"):
    case("convolve_" + mode, lambda x, v: jnp.convolve(x, v, mode), (9,), (4,))
    case("convolve_swapped_" + mode, lambda x, v: jnp.convolve(x, v, mode), (3,), (8,))
    case("correlate_" + mode, lambda x, v: jnp.correlate(x, v, mode), (9,), (4,))
    case("correlate_swapped_" + mode, lambda x, v: jnp.correlate(x, v, mode), (3,), (8,))


def pool(x, op, init, window, strides=None, padding="VALID", dilation=None, base=None):
    """flax.linen.pooling.pool: windows of the axes of space, channels last."""
    at = x.ndim - 1 - len(window)
    wide = lambda s: (1,) * at + tuple(s or (1,) * len(window)) + (1,)
    if not isinstance(padding, str):
        padding = ((0, 0),) * at + tuple(padding) + ((0, 0),)
    return lax.reduce_window(x, init, op, wide(window), wide(strides), padding, wide(base), wide(dilation))


def elements(x, window, strides, dilation):
    """The elements of all windows of the last axes, as a last axis: for what lax has no derivative of."""
    at, parts = x.ndim - len(window), []
    count = [(x.shape[at + i] - (w - 1) * d - 1) // s + 1 for i, (w, s, d) in enumerate(zip(window, strides, dilation))]
    for q in np.ndindex(*window):
        block = [slice(k * d, k * d + (n - 1) * s + 1, s) for k, d, n, s in zip(q, dilation, count, strides)]
        parts.append(x[(..., *block)])
    return jnp.stack(parts, -1)


def dilated_max(x):
    """max_pool of windows (2, 2), 2 and 1 apart, with a row above and a column behind."""
    wide = jnp.pad(jnp.moveaxis(x, -1, 1), ((0, 0), (0, 0), (1, 0), (0, 1)), constant_values=-inf)
    all_of = elements(wide, (2, 2), (1, 1), (2, 1))
    y = jnp.moveaxis(jnp.take_along_axis(all_of, jnp.argmax(all_of, -1, keepdims=True), -1)[..., 0], 1, -1)
    assert (y == pool(x, lax.max, -inf, (2, 2), (1, 1), ((1, 0), (0, 1)), (2, 1))).all()
    return y


inf = jnp.inf
case("max_pool", lambda x: pool(x, lax.max, -inf, (2, 2), (2, 2)), (2, 5, 4, 3))
case("max_pool_overlap", lambda x: pool(x, lax.max, -inf, (3, 2), (2, 1), "SAME"), (2, 5, 4, 3))
case("max_pool_dilated", dilated_max, (1, 5, 4, 2))
case("min_pool", lambda x: pool(x, lax.min, inf, (3,), (2,), ((1, 1),)), (2, 7, 3))
case("max_pool_ties", lambda x: pool(jnp.floor(x), lax.max, -inf, (2, 3), (1, 1)) + pool(x * 0, lax.max, -inf, (2, 3), (1, 1)), (4, 5, 2))
case("avg_pool", lambda x: pool(x, lax.add, 0., (2, 2), (2, 2)) / 4, (2, 4, 6, 3))
case("avg_pool_same", lambda x: pool(x, lax.add, 0., (3, 2), (1, 2), "SAME") / 6, (2, 5, 5, 3))
case("avg_pool_counts", lambda x: pool(x, lax.add, 0., (3, 2), (1, 2), "SAME") / pool(jnp.ones_like(x), lax.add, 0., (3, 2), (1, 2), "SAME"), (2, 5, 5, 3))
case("avg_pool_3", lambda x: pool(x, lax.add, 0., (2, 2, 2), (2, 1, 2)) / 8, (1, 4, 3, 4, 2))
case("sum_window", lambda x: lax.reduce_window(x, 0., lax.add, (2, 3), (1, 2), ((1, 0), (2, 1)), (2, 1), (1, 2)), (4, 6))
case("product_window", lambda x: 2 * jnp.prod(elements(x, (2, 3), (2, 1), (1, 1)), -1), (4, 5))
view = lambda x, n: jnp.stack([x[..., i:x.shape[-1] - n + 1 + i] for i in range(n)], -1)
case("sliding", lambda x: view(x, 3), (2, 7))

out = head("windows.py", versions, "Convolutions, pools and their gradients, from JAX in f64.")
out += '#include "moving.inc.hpp"\n\nnamespace reference {\n\nstruct windowed : moved {\n'
out += "  std::vector<std::vector<double>> second;  // of half the squares of the gradients, the gradient's sum and its weighted sum\n};\n\n"
out += "inline std::vector<windowed> const& all_windowed() {\n  static std::vector<windowed> const all{\n"
lists = lambda xs: "{" + ", ".join("{" + ", ".join(number(v) for v in np.asarray(x).ravel()) + "}" for x in xs) + "}"
for name, y, grads, second in cases:
    shape = ", ".join(map(str, y.shape))
    out += f'    {{{{"{name}", {{{shape}}}, {lists([y])[1:-1]}, {lists(grads)}}}, {lists(second)}}},\n'
out += "  };\n  return all;\n}\n\n}  // namespace reference\n"
write("windows.inc.hpp", out)
