"""Products of bf16 and f16 with sums in f32, and of f32 as two parts of bf16, in JAX, as products.inc.hpp.
Run: python products.py

Operands are small numbers of a formula, which test/unit/numpy/precision.cpp repeats.
"""
import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np

from formula import splitmix64
from writer import head, write

versions = {"jax": jax.__version__, "ml_dtypes": ml_dtypes.__version__, "numpy": np.__version__}


def numbers(shape, seed):
    """Numbers of f32 in [-1, 1), the fractions of 24 bits of a hash."""
    n = int(np.prod(shape))
    r = splitmix64(np.arange(n, dtype=np.uint64) + np.uint64(seed << 32))
    return ((r >> np.uint64(40)).astype(np.float32) * np.float32(2.0**-23) - np.float32(1)).reshape(shape)


def line(name, x):
    x = np.asarray(x).astype(np.float32).ravel()
    return f"inline constexpr float {name}[] = {{" + ", ".join(float(v).hex() + "f" for v in x) + "};\n"


x, y = numbers((5, 300), 1), numbers((300, 6), 2)
image, kernel = numbers((1, 3, 7, 6), 3), numbers((4, 3, 3, 3), 4)
text = head("products.py", versions, "Products of rounded operands, and of operands in two parts.")
text += "namespace reference {\n\n"
for name, t in (("bf16", jnp.bfloat16), ("f16", jnp.float16)):
    a, b = jnp.asarray(x).astype(t), jnp.asarray(y).astype(t)
    text += line(f"dot_{name}", jnp.matmul(a, b, preferred_element_type=jnp.float32))
    text += line(f"conv_{name}", jax.lax.conv_general_dilated(jnp.asarray(image).astype(t), jnp.asarray(kernel).astype(t),
                                                              (1, 1), "SAME", preferred_element_type=jnp.float32))
# JAX on a CPU computes DotAlgorithmPreset.BF16_BF16_F32_X3 in f32, so here are the three products that it stands for.
high = [jnp.asarray(v).astype(jnp.bfloat16) for v in (x, y)]
low = [(jnp.asarray(v) - h.astype(jnp.float32)).astype(jnp.bfloat16) for v, h in zip((x, y), high)]
product = lambda a, b: jnp.matmul(a, b, preferred_element_type=jnp.float32)
text += line("dot_bf16x3", product(low[0], high[1]) + product(high[0], low[1]) + product(high[0], high[1]))
text += "\n}  // namespace reference\n"
write("products.inc.hpp", text)
