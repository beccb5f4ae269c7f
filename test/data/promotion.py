"""JAX's promotion of dtypes, as promotion.json and promotion.inc.hpp. Run: python promotion.py"""
import jax
import jax.numpy as jnp
import numpy as np

from writer import head, short, write, write_json

jax.config.update("jax_enable_x64", True)
DTYPES = [jnp.bool_, jnp.uint8, jnp.int32, jnp.uint32, jnp.int64, jnp.float32, jnp.float64]
WEAK = {"weak_bool": True, "weak_int": 1, "weak_float": 1.0}
versions = {"jax": jax.__version__, "numpy": np.__version__}


def promoted(a, b):
    # what an addition gives, bool included (jnp.where promotes and does nothing else)
    r = jnp.where(True, a, b)
    return short(r.dtype), bool(r.weak_type)


rows = []
for a in DTYPES:
    for b in DTYPES:
        result, weak = promoted(jnp.ones((), a), jnp.ones((), b))
        assert result == short(jnp.promote_types(a, b)) and not weak
        rows.append({"left": short(a), "right": short(b), "result": result, "weak": weak})
    for name, literal in WEAK.items():
        result, weak = promoted(jnp.ones((), a), literal)
        rows.append({"left": short(a), "right": name, "result": result, "weak": weak})

write_json("promotion.json", {"versions": versions, "jax_enable_x64": True}, {"promotion": rows})
text = head("promotion.py", versions, "JAX's promotion of dtypes (jax_enable_x64), weak types included.")
text += """namespace reference {

struct promotion {
  const char* left;
  const char* right;   // a dtype, weak_bool, weak_int or weak_float
  const char* result;
  bool weak;           // the result stays weak: one of JAX's default dtypes, i64 or f64
};

inline constexpr promotion promotions[] = {
"""
for r in rows:
    text += f'    {{"{r["left"]}", "{r["right"]}", "{r["result"]}", {str(r["weak"]).lower()}}},\n'
text += "};\n\n}  // namespace reference\n"
write("promotion.inc.hpp", text)
