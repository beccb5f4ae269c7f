"""100,000 numbers of f32 as bf16 and f16, and all of these as f32, in JAX, as narrow.inc.hpp. Run: python narrow.py

The numbers are those of a formula, which test/unit/array/narrow.cpp repeats: 5 blocks of 20,000. ml_dtypes and NumPy
give the same bits, but for NaNs of f16, which NumPy leaves signalling and JAX, as the processor, makes quiet.
"""
import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np

from formula import splitmix64
from writer import fnv, head, short, write

jax.config.update("jax_enable_x64", True)
versions = {"jax": jax.__version__, "ml_dtypes": ml_dtypes.__version__, "numpy": np.__version__}
BLOCK = 20000


def floats(block):
    """The bits of a block: all exponents; ties of bf16 and their neighbours; ties of f16's normal numbers, also that
    behind the greatest; those of its subnormal numbers; subnormal numbers of f32, and NaNs with payloads."""
    i = np.arange(BLOCK * block, BLOCK * (block + 1), dtype=np.uint64)
    r = splitmix64(i)
    high, low = (r >> np.uint64(32)).astype(np.uint32), (r & np.uint64(0xFFFFFFFF)).astype(np.uint32)
    sign, digits = high & np.uint32(0x80000000), high & np.uint32(0x807FFFFF)
    near = (i % np.uint64(3)).astype(np.uint32) - np.uint32(1)  # before a tie, the tie, behind it
    fraction = low >> np.uint32(8) & np.uint32(0x3FF)
    match block:
        case 0: return high
        case 1: return (low << np.uint32(16) | np.uint32(0x8000)) + near
        case 2: return (sign | (np.uint32(113) + low % np.uint32(31)) << np.uint32(23) | fraction << np.uint32(13)
                        | np.uint32(0x1000)) + near
        case 3:
            tie = (2 * fraction.astype(np.float32) + np.float32(1)) * np.float32(2.0**-25)
            return sign | tie.view(np.uint32) + near
        case _: return np.where(i % np.uint64(2) == 0, digits, digits | np.uint32(0x7F800000))


def bits(x, to, of):
    return jax.lax.bitcast_convert_type(jax.lax.bitcast_convert_type(jnp.asarray(x), of).astype(to),
                                        jnp.uint16 if jnp.dtype(to).itemsize == 2 else jnp.uint32)


np.seterr(all="ignore")
text = head("narrow.py", versions, "Numbers of f32 as bf16 and f16, and the other way: hashes of JAX's bits.")
text += "#include <cstdint>\n\nnamespace reference {\n\n"
for t in (ml_dtypes.bfloat16, np.float16):
    hashes = []
    for block in range(5):
        x = floats(block)
        jax_bits = np.asarray(bits(x, t, jnp.float32))
        number = ~np.isnan(x.view(np.float32))
        nan = np.uint32(0x7E00) | x >> np.uint32(13) & np.uint32(0x3FF) if t is np.float16 else np.uint32(0x7FC0)
        nan = (x >> np.uint32(16) & np.uint32(0x8000) | nan).astype(np.uint16)
        assert (jax_bits == np.where(number, x.view(np.float32).astype(t).view(np.uint16), nan)).all(), (t, block)
        hashes.append(fnv(jax_bits.astype("<u2").tobytes()))
    text += f"// five blocks of f32 as {short(t)}\ninline constexpr std::uint64_t to_{short(t)}[] = {{"
    text += ", ".join(f"{h:#018x}" for h in hashes) + "};\n"
    every = np.asarray(bits(np.arange(65536, dtype=np.uint16), jnp.float32, t))
    text += f"// all 65536 of them as f32\ninline constexpr std::uint64_t from_{short(t)} = {fnv(every.astype('<u4').tobytes()):#018x};\n"
text += "\n}  // namespace reference\n"
write("narrow.inc.hpp", text)
