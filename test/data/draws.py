"""Draws of JAX's default generator for 1,000 keys, as draws.inc.hpp. Run: python draws.py

For each key of split(key(2026), 1000): a hash (FNV-1a over 32-bit words) of what must be equal bit for bit, and one normal
number of f32 and one of f64. The samplers of distribution.hpp are drawn from the first keys, as decimals.
"""
import jax
import jax.numpy as jnp
import numpy as np

from writer import head, number, write

jax.config.update("jax_enable_x64", True)
assert jax.config.jax_threefry_partitionable
r = jax.random
shape = (3, 5)


def exact(key):
    """Arrays that must agree to the bit, in the order in which they are hashed."""
    return (r.key_data(r.split(key, 3)), r.key_data(r.fold_in(key, 12345)), r.bits(key, shape, jnp.uint32),
            r.bits(key, shape, jnp.uint8), r.uniform(key, shape, jnp.float32), r.uniform(key, shape, jnp.float64),
            r.bernoulli(key, jnp.float32(0.3), shape), r.randint(key, shape, -7, 1000003, jnp.int32),
            r.randint(key, shape, 0, 256, jnp.uint8), r.randint(key, shape, -2**31, 2**31 - 1, jnp.int32),
            r.randint(key, shape, -7, 1000003, jnp.int64), r.randint(key, shape, -2**63, 2**63 - 1, jnp.int64),
            r.randint(key, shape, -2**62, 2**62 + 12345, jnp.int64), r.permutation(key, 13).astype(jnp.int32),
            r.bits(key, shape, jnp.uint16), r.bits(key, shape, jnp.uint64), r.uniform(key, shape, jnp.bfloat16),
            r.uniform(key, shape, jnp.float16, -2, 3), r.normal(key, shape, jnp.bfloat16), r.normal(key, shape, jnp.float16),
            r.randint(key, shape, -100, 100, jnp.int8), r.randint(key, shape, 5, 60000, jnp.uint16),
            r.randint(key, shape, jnp.uint64(5), jnp.uint64(2**64 - 10), jnp.uint64))


def words(x):
    x = np.asarray(x)
    if x.dtype in (np.float64, np.int64, np.uint64):
        bits = x.ravel().view(np.uint64)  # the lower word first
        return np.stack([bits & 0xFFFFFFFF, bits >> 32], -1).ravel().astype(np.uint32)
    if x.dtype in (jnp.bfloat16, np.float16):
        x = x.view(np.uint16)
    return x.ravel().view(np.uint32) if x.dtype == np.float32 else x.ravel().astype(np.int64).astype(np.uint32)


def fnv(rows):
    """One hash for each row of words."""
    h = np.full(rows.shape[0], 2166136261, np.uint32)
    for w in rows.T:
        h = (h ^ w) * np.uint32(16777619)
    return h


keys = r.split(r.key(2026), 1000)
drawn = jax.vmap(exact)(keys)
hashes = fnv(np.stack([np.concatenate([words(x[i]) for x in drawn]) for i in range(1000)]))
pick = np.arange(1000) % 15  # another element of each draw
normal = [np.asarray(jax.vmap(lambda k: r.normal(k, shape, t).ravel())(keys))[np.arange(1000), pick] for t in (jnp.float32, jnp.float64)]

logits = jnp.array([[0.5, -1, 2, 0], [3, 0.25, -0.5, 1]], jnp.float64)
low, high = jnp.array([-3, 0, 100], jnp.int32), jnp.array([3, 0, 2**31 - 1], jnp.int32)
rows = jnp.arange(15, dtype=jnp.float64).reshape(5, 3)
weights = jnp.array([1.0, 0.5, 4, 0.25, 2])
samplers = {  # name: f(key), f64 where it is real
    "uniform": lambda k: r.uniform(k, shape, jnp.float64, -2.5, 7),
    "randint_of_arrays": lambda k: r.randint(k, (5, 3), low, high, jnp.int32),
    "bernoulli_of_array": lambda k: r.bernoulli(k, jnp.array([0.0, 0.25, 0.5, 1.0])),
    "truncated_normal": lambda k: r.truncated_normal(k, -1.5, 0.25, shape, jnp.float64),
    "exponential": lambda k: r.exponential(k, shape, jnp.float64),
    "gumbel": lambda k: r.gumbel(k, shape, jnp.float64),
    "laplace": lambda k: r.laplace(k, shape, jnp.float64),
    "logistic": lambda k: r.logistic(k, shape, jnp.float64),
    "cauchy": lambda k: r.cauchy(k, shape, jnp.float64),
    "rademacher": lambda k: 2 * r.bernoulli(k, jnp.float32(0.5), shape).astype(jnp.int32) - 1,  # as without x64
    "categorical": lambda k: r.categorical(k, logits),
    "choice": lambda k: 10 + r.randint(k, (7,), 0, 10, jnp.int32),  # choice of arange(10, 20) without x64
    "choice_by_weight": lambda k: r.choice(k, rows, (6,), p=weights),
    "choice_once": lambda k: r.choice(k, rows, (2, 2), replace=False),
    "choice_once_by_weight": lambda k: r.choice(k, rows, (4,), replace=False, p=weights),
    "permuted": lambda k: r.permutation(k, rows),
    "permuted_columns": lambda k: r.permutation(k, rows, 1),
    "permuted_each": lambda k: r.permutation(k, rows, 1, independent=True),
    # from all pieces that a large draw is made of, outside jit
    "large_bits": lambda k: r.bits(k, (70001,), jnp.uint32)[::6999],
    "large_uniform": lambda k: r.uniform(k, (70001,), jnp.float32)[::6999],
    "large_uniform_f64": lambda k: r.uniform(k, (70001,), jnp.float64, -3, 5)[::6999],
    "large_bernoulli": lambda k: r.bernoulli(k, jnp.float32(0.3), (70001,))[::6999],
    "large_normal": lambda k: r.normal(k, (70001,), jnp.float32)[::6999],
    "large_truncated": lambda k: r.truncated_normal(k, -2, 2, (70001,), jnp.float64)[::6999],
    "large_gumbel": lambda k: r.gumbel(k, (70001,), jnp.float64)[::6999],
    "permuted_twice": lambda k: r.permutation(k, 1700)[::100],  # from 1626 elements on there are two rounds
}

text = head("draws.py", {"jax": jax.__version__, "numpy": np.__version__}, "Draws of JAX's default generator for 1,000 keys.")
text += """#include <cstdint>

namespace reference {

struct draw {
  std::uint32_t hash;    // of what must agree to the bit
  std::uint32_t normal;  // bits of element i % 15 of normal<float, 3, 5>
  std::uint64_t normal_f64;
};

inline constexpr draw draws[] = {
"""
for h, a, b in zip(hashes, normal[0].view(np.uint32), normal[1].view(np.uint64)):
    text += f"    {{0x{h:08x}, 0x{a:08x}, 0x{b:016x}}},\n"
text += "};\n\n// The samplers of the first two keys, one after the other.\n"
for name, f in samplers.items():
    values = np.concatenate([np.asarray(f(keys[i]), np.float64).ravel() for i in range(2)])
    text += f"inline constexpr double {name}[] = {{{', '.join(map(number, values))}}};\n"
text += "\n}  // namespace reference\n"
write("draws.inc.hpp", text)
