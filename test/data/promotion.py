"""JAX's promotion of dtypes, as promotion.json and promotion.inc.hpp. Run: python promotion.py"""
import jax
import jax.numpy as jnp
import numpy as np

from writer import head, short, write, write_json

jax.config.update("jax_enable_x64", True)
DTYPES = [jnp.bool_, jnp.uint8, jnp.uint16, jnp.uint32, jnp.uint64, jnp.int8, jnp.int16, jnp.int32, jnp.int64,
          jnp.bfloat16, jnp.float16, jnp.float32, jnp.float64]
WEAK = {"weak_bool": True, "weak_int": 1, "weak_float": 1.0}
versions = {"jax": jax.__version__, "numpy": np.__version__}


def promoted(a, b):
    # what an addition gives, bool included (jnp.where promotes and does nothing else)
    r = jnp.where(True, a, b)
    return short(r.dtype), bool(r.weak_type)


def total(t):
    """The type of a sum. With 64 bits JAX counts all integers in 64; without, in 32, where etna counts."""
    with jax.enable_x64(np.dtype(t).itemsize == 8):
        return short(jnp.sum(jnp.ones((2,), t)).dtype)


def etna(left, right, result, weak):
    """What etna gives on purpose where it is not JAX's result."""
    if "u64" in (left, right) and {left, right} & {"i8", "i16", "i32", "i64"}:
        # No type of integers holds both. JAX makes f64 of them, which loses the last digits; etna asks which are meant.
        return "E136"
    if weak:
        # Beside bool a C++ int is i32, beside bool and integers a C++ double is f32, as they are in JAX without 64 bits:
        # with them JAX takes its default types, i64 and f64, for what has no type of its own.
        return {"i64": "i32", "f64": "f32"}[result]
    return result


rows = []


def add(left, right, result, weak=False):
    rows.append({"left": left, "right": right, "result": result, "weak": weak, "etna": etna(left, right, result, weak)})


for a in DTYPES:
    for b in DTYPES:
        result, weak = promoted(jnp.ones((), a), jnp.ones((), b))
        assert result == short(jnp.promote_types(a, b))
        add(short(a), short(b), result, weak)
    for name, literal in WEAK.items():
        add(short(a), name, *promoted(jnp.ones((), a), literal))
    add(short(a), "sin", short(jnp.sin(jnp.ones((), a)).dtype))
    add(short(a), "sum", total(a))

write_json("promotion.json", {"versions": versions, "jax_enable_x64": True}, {"promotion": rows})
text = head("promotion.py", versions, "JAX's promotion of dtypes (jax_enable_x64), weak types included.")
text += """namespace reference {

struct promotion {
  const char* left;
  const char* right;   // a dtype, weak_bool, weak_int or weak_float; sin and sum: the result's type, of left alone
  const char* result;
  bool weak;           // the result stays weak: one of JAX's default dtypes, i64 or f64
  const char* etna;    // etna's result: where it is another one, promotion.py says why
};

inline constexpr promotion promotions[] = {
"""
for r in rows:
    text += f'    {{"{r["left"]}", "{r["right"]}", "{r["result"]}", {str(r["weak"]).lower()}, "{r["etna"]}"}},\n'
text += "};\n\n}  // namespace reference\n"
write("promotion.inc.hpp", text)
