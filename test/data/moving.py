"""What moves elements (slices, joins, sorts, running sums) and its gradients, from JAX in float64. Run: python moving.py"""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from writer import head, number, numbers, weights, write

jax.config.update("jax_enable_x64", True)
versions = {"jax": jax.__version__, "numpy": np.__version__}


cases = []


def case(name, f, *shapes):
    """f of arrays of these shapes, and the gradients of its elements' weighted sum."""
    args = [jnp.asarray(numbers(*s)) + 0.125 * k for k, s in enumerate(shapes)]
    y = f(*args)
    loss = lambda *a: jnp.sum(jnp.asarray(weights(y.shape)) * f(*a))
    floating = jnp.issubdtype(y.dtype, jnp.floating)
    grads = jax.grad(loss, tuple(range(len(args))))(*args) if floating else []
    cases.append((name, y, grads))


s3, s2, s1 = (3, 4, 5), (4, 6), (7,)
case("slice", lambda x: x[1, 0:3, ::2], s3)
case("slice_back", lambda x: x[::-1, 3:0:-2, -4:], s3)
case("slice_new", lambda x: x[:, None, -1], s2)
case("slice_empty", lambda x: x[:, 4:2], s2)
case("slice_twice", lambda x: x[1:, ::-1][::2, 1:4][:, ::-1], s2)
case("stencil", lambda x: x[2:] - 2 * x[1:-1] + x[:-2], s1)
case("sum_of_slice", lambda x: jnp.sum(x[:, 1:3, ::-1] * x[:, :2], 1), s3)
case("dot_of_slices", lambda x: x[::-1, :4] @ x[:, 2:], s2)
case("transpose_slice", lambda x: x.T[1:5, ::-1].reshape(2, 8) * 2, s2)
case("flip", lambda x: jnp.flip(x), s3)
case("flip_axis", lambda x: jnp.flip(x, 1) * x, s3)
case("pad", lambda x: jnp.pad(x, ((1, 0), (2, 3)), constant_values=1.5), s2)
case("pad_all", lambda x: jnp.pad(x, 2), s1)
case("pad_pair", lambda x: jnp.pad(x, (1, 2)), s2)
case("concatenate", lambda x, y, z: jnp.concatenate([x, y * 2, z], 1), (2, 3), (2, 1), (2, 4))
case("concatenate_same", lambda x: jnp.concatenate([x, x, -x]), s2)
case("stack", lambda x, y: jnp.stack([x, y, x], 1), s2, s2)
case("stack_last", lambda x, y: jnp.stack([x, y], -1), s1, s1)
case("hstack", lambda x, y: jnp.hstack([x, y]), (2, 3), (2, 1))
case("hstack_1", lambda x, y: jnp.hstack([x, y]), (2,), (3,))
case("vstack", lambda x, y: jnp.vstack([x, y]), (3,), (2, 3))
case("split", lambda x: (lambda p: p[0] * p[1] - p[2])(jnp.split(x, 3, 1)), s2)
case("unstack", lambda x: (lambda p: p[3] * p[0] + p[1])([x[:, i] for i in range(4)]), s3)
case("roll", lambda x: jnp.roll(x, 2, 1), s2)
case("roll_back", lambda x: jnp.roll(x, -5, 0), s2)
case("diff", lambda x: jnp.diff(x), s2)
case("diff_twice", lambda x: jnp.diff(x, 2, 0) * 3, s2)
case("diff_too_often", lambda x: jnp.diff(x, 7) + jnp.sum(x), s1)
case("expand_dims", lambda x: jnp.expand_dims(x, (0, 2, -1)) * x[:, None, :, None], s2)
case("tile", lambda x: jnp.tile(x, (2, 1, 3)), s2)
case("tile_last", lambda x: jnp.tile(x, 2), s2)
case("repeat", lambda x: jnp.repeat(x, 3, 1), s2)
case("at_set", lambda x, y: x.at[1:3, ::-2].set(y), s2, (2, 3))
case("at_set_row", lambda x, y: x.at[2].set(y), s2, (6,))
case("at_add", lambda x: x.at[:, 1].add(x[:, 0] * 3), s2)
case("at_multiply", lambda x: x.at[1:, 2:4].multiply(2.5), s2)
case("at_min", lambda x: x.at[0].min(0.3).at[1].max(-0.2), s2)
case("dynamic_slice", lambda x: lax.dynamic_slice(x, (2, 3), (2, 4)), s2)
case("dynamic_slice_inside", lambda x: lax.dynamic_slice(x, (1, 0, 2), (1, 4, 2)), s3)
case("dynamic_update_slice", lambda x, y: lax.dynamic_update_slice(x, y, (3, 1)), s2, (2, 3))
for name in ["cumsum", "cumprod"]:
    f = getattr(jnp, name)
    case(name, lambda x: f(x, 0), s2)
    case(name + "_mid", lambda x: f(x, 1), s3)
    case(name + "_flat", lambda x: f(x), s2)
case("cummax", lambda x: lax.cummax(x, 1), s3)
case("cummin", lambda x: lax.cummin(x, 0, reverse=True), s2)
case("sort", lambda x: jnp.sort(x, -1), s2)
case("sort_mid", lambda x: jnp.sort(x, 1), s3)
case("sort_descending", lambda x: jnp.sort(x, 0, descending=True), s2)
case("argsort", lambda x: jnp.argsort(x, 1, stable=True), s3)
case("argsort_ties", lambda x: jnp.argsort(jnp.floor(x), 0, stable=True), s2)
case("argsort_descending", lambda x: jnp.argsort(jnp.floor(x), 1, stable=True, descending=True), s2)
case("quantile", lambda x: jnp.sort(x.ravel() ** 2)[::3], s2)

text = head("moving.py", versions, "Movement and its gradients, from JAX in f64.")
text += """#include <vector>

namespace reference {

struct moved {
  const char* name;
  std::vector<long> shape;
  std::vector<double> value;
  std::vector<std::vector<double>> grads;  // of sum(weights * value), an argument each
};

inline std::vector<moved> const& all_moved() {
  static std::vector<moved> const all{
"""
row = lambda x: "{" + ", ".join(number(v) for v in np.asarray(x).ravel()) + "}"
for name, y, grads in cases:
    shape = "{" + ", ".join(map(str, y.shape)) + "}"
    text += f'    {{"{name}", {shape}, {row(y)}, {{{", ".join(map(row, grads))}}}}},\n'
text += "  };\n  return all;\n}\n\n}  // namespace reference\n"
write("moving.inc.hpp", text)
