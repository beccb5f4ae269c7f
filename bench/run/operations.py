"""Single operations, as users write them by the hundred: each in etna and in JAX. One table for both; run as a program it
writes the C++ of all into a folder, a few in each file. Run: python operations.py FOLDER FILES"""
import sys
from pathlib import Path

M, C, ROWS, N3, LOGITS = "f 1024 1024", "f 1024", "f 8192 1024", "f 100000 3", "f 65536 10"
IMAGES = "f 32 28 28 16"
CROSS = "stack<1>(" + ", ".join(f"slice<every, {i}>(a) * slice<every, {j}>(b) - slice<every, {j}>(a) * slice<every, {i}>(b)" for i, j in ((1, 2), (2, 0), (0, 1))) + ")"
CHOICE, TYPES = ("where(a > b, a * b + 0.5f, a - b * 0.25f)", "jnp.where(a > b, a * b + 0.5, a - b * 0.25)"), {"f32": "f", "bf16": "b", "f16": "h"}
# name: arguments (f f32, d f64, b bf16, h f16, i i32 from 0 to 49, u u8; sizes), etna, JAX
OPERATIONS = {
    "op_transpose": ([M], "transpose(a) + 1.f", "a.T + 1"),
    "op_add_transpose": ([M], "a + transpose(a)", "a + a.T"),
    "op_transpose_3d": (["f 64 128 256"], "transpose<0, 2, 1>(a) * 2.f", "a.transpose(0, 2, 1) * 2"),
    "op_heads": (["f 32 128 8 32"], "transpose<0, 2, 1, 3>(a) * 2.f", "a.transpose(0, 2, 1, 3) * 2"),
    "op_flip": ([M], "flip<1>(a) + 1.f", "jnp.flip(a, 1) + 1"),
    "op_every_second": ([M], "slice<every, range{0, 1024, 2}>(a) + 1.f", "a[:, ::2] + 1"),
    "op_stack_last": ([M, M], "stack<2>(a, b)", "jnp.stack([a, b], 2)"),
    "op_concatenate": ([M, M], "concatenate<1>(a, b)", "jnp.concatenate([a, b], 1)"),
    "op_pad": ([M], "pad<1, 1, 1, 1>(a, 0.f)", "jnp.pad(a, 1)"),
    "op_roll": ([M], "roll<3, 1>(a)", "jnp.roll(a, 3, 1)"),
    "op_repeat": (["f 1024 128"], "repeat<8, 1>(a)", "jnp.repeat(a, 8, 1)"),
    "op_sum": ([ROWS], "sum(a)", "a.sum()"),
    "op_sum_columns": ([ROWS], "sum<0>(a)", "a.sum(0)"),
    "op_sum_rows": ([ROWS], "sum<1>(a)", "a.sum(1)"),
    "op_sum_middle": (["f 64 128 256"], "sum<1>(a)", "a.sum(1)"),
    "op_max_rows": ([M], "max<1>(a)", "a.max(1)"),
    "op_max_columns": ([M], "max<0>(a)", "a.max(0)"),
    "op_argmax_rows": ([M], "argmax<1>(a)", "a.argmax(1)"),
    "op_argmax_of_10": ([LOGITS], "argmax<1>(a)", "a.argmax(1)"),
    "op_var_rows": ([M], "var<1>(a)", "a.var(1)"),
    "op_standardize": ([M], "(a - mean<0>(a)) / sqrt(var<0>(a) + 1e-5f)", "(a - a.mean(0)) / jnp.sqrt(a.var(0) + 1e-5)"),
    "op_batch_norm": ([IMAGES], "(a - mean<0, 1, 2>(a)) / sqrt(var<0, 1, 2>(a) + 1e-5f)", "(a - a.mean((0, 1, 2))) / jnp.sqrt(a.var((0, 1, 2)) + 1e-5)"),
    "op_average_pool": ([IMAGES], "mean<2, 4>(reshape<32, 14, 2, 14, 2, 16>(a))", "a.reshape(32, 14, 2, 14, 2, 16).mean((2, 4))"),
    "op_max_pool": (["f 32 16 28 28"], "max<3, 5>(reshape<32, 16, 14, 2, 14, 2>(a))", "a.reshape(32, 16, 14, 2, 14, 2).max((3, 5))"),
    "op_softmax_of_10": ([LOGITS], "softmax<1>(a)", "jax.nn.softmax(a, 1)"),
    "op_softmax_columns": ([M], "softmax<0>(a)", "jax.nn.softmax(a, 0)"),
    "op_bias_of_10": ([LOGITS, "f 10"], "relu(a + b)", "jax.nn.relu(a + b)"),
    "op_cumsum_rows": ([M], "cumsum<1>(a)", "a.cumsum(1)"),
    "op_cumsum_columns": ([M], "cumsum<0>(a)", "a.cumsum(0)"),
    "op_sort_rows": ([M], "sort<1>(a)", "jnp.sort(a, 1)"),
    "op_sort": (["f 1048576"], "sort<0>(a)", "jnp.sort(a)"),
    "op_top_8": ([M], "top_k<8>(a).first", "jax.lax.top_k(a, 8)[0]"),
    "op_take_rows": ([M, "i 4096"], "take<0>(a, b)", "jnp.take(a, b, 0)"),
    "op_scatter_add": ([M, "i 4096", "f 4096 1024"], "a.at(b).add(c)", "a.at[b].add(c)"),
    "op_where": ([M, M], "where(a > b, a, b * 2.f)", "jnp.where(a > b, a, b * 2)"),
    "op_tril": ([M], "where(expand_dims<1>(arange<int, 1024>()) >= arange<int, 1024>(), a, 0.f)", "jnp.tril(a)"),
    "op_outer": ([C, C], "outer(a, b)", "jnp.outer(a, b)"),
    "op_laplacian": ([M], "roll<1, 0>(a) + roll<-1, 0>(a) + roll<1, 1>(a) + roll<-1, 1>(a) - 4.f * a",
                     "jnp.roll(a, 1, 0) + jnp.roll(a, -1, 0) + jnp.roll(a, 1, 1) + jnp.roll(a, -1, 1) - 4 * a"),
    "op_distances": (["f 512 16", "f 512 16"], "sum<2>(square(expand_dims<1>(a) - expand_dims<0>(b)))", "jnp.square(a[:, None] - b[None]).sum(2)"),
    "op_distances_3d": (["f 1024 3"], "sum<2>(square(expand_dims<1>(a) - expand_dims<0>(a)))", "jnp.square(a[:, None] - a[None]).sum(2)"),
    "op_unit_vectors": ([N3], "a / sqrt(sum<1>(a * a, keepdims))", "a / jnp.sqrt((a * a).sum(1, keepdims=True))"),
    "op_cross": ([N3, N3], CROSS, "jnp.cross(a, b)"),
    "op_third": ([N3], "sin(slice<every, 1>(a))", "jnp.sin(a[:, 1])"),
    "op_small_products": (["f 4096 4 4", "f 4096 4 4"], "matmul(a, b)", "a @ b"),
    "op_small_products_6": (["d 4096 6 6", "d 4096 6 6"], "matmul(a, b)", "a @ b"),
    "op_gram": (["f 65536 16"], "dot(transpose(a), a)", "a.T @ a"),
    "op_remainder": (["i 1024 1024"], "(a * 3 + 7) % 5", "(a * 3 + 7) % 5"),
    "op_sum_of_bytes": (["u 1024 1024"], "sum(astype<float>(a))", 'a.astype("f4").sum()'),
    "op_images": (["u 128 32 32 3"], "(astype<float>(a) / 255.f - 0.5f) * 4.f", '(a.astype("f4") / 255 - 0.5) * 4'),
    "op_images_by_channel": (["u 128 32 32 3", "f 3", "f 3"], "(astype<float>(a) / 255.f - b) * c", '(a.astype("f4") / 255 - b) * c'),
    "op_to_bytes": ([M], "astype<std::uint8_t>(clip(a, 0.f, 1.f) * 255.f)", '(jnp.clip(a, 0, 1) * 255).astype("u1")'),
    "op_threshold": (["u 1024 1024", M], "where(a > std::uint8_t(20), b, 0.f)", "jnp.where(a > 20, b, 0)"),
    "op_to_integers": ([M], "astype<int>(a * 100.f)", '(a * 100).astype("i4")'),
    "op_sum_in_f64": ([M], "sum(astype<double>(a))", 'jnp.sum(a, dtype="f8")'),
    "op_tril_f64": (["d 1024 1024"], "where(expand_dims<1>(arange<int, 1024>()) >= arange<int, 1024>(), a, 0.0)", "jnp.tril(a)"),
    "op_log": ([M], "log(a + 2.f)", "jnp.log(a + 2)"),
    "op_exp_f64": (["d 1024 1024"], "exp(a)", "jnp.exp(a)"),
    "op_sin_f64": (["d 1024 1024"], "sin(a)", "jnp.sin(a)"),
    "op_grad_standardize": ([M], "grad([](auto a) { return sum(square((a - mean<0>(a)) / sqrt(var<0>(a) + 1e-5f)) * a); })(a)",
                            "jax.grad(lambda a: (jnp.square((a - a.mean(0)) / jnp.sqrt(a.var(0) + 1e-5)) * a).sum())(a)"),
    "op_grad_max_pool": (["f 32 16 28 28"], "grad([](auto a) { return sum(square(max<3, 5>(reshape<32, 16, 14, 2, 14, 2>(a)))); })(a)",
                         "jax.grad(lambda a: jnp.square(a.reshape(32, 16, 14, 2, 14, 2).max((3, 5))).sum())(a)"),
    "op_grad_cross_entropy": ([LOGITS, "i 65536"], "grad([&](auto q) { return mean(softmax_cross_entropy(q, b % 10)); })(a)",
                              "jax.grad(lambda q: (jax.nn.logsumexp(q, 1) - jnp.take_along_axis(q, (b % 10)[:, None], 1)[:, 0]).mean())(a)"),
    "op_grad_embedding": (["f 50 64", "i 65536"], "grad([&](auto q) { return sum(square(take<0>(q, b))); })(a)", "jax.grad(lambda q: jnp.square(jnp.take(q, b, 0)).sum())(a)"),
}
# axes of two to nine elements, of many examples; of those that are marked the gradient of the sum of squares, too
V, PAIR, SQUARE = "f 40000 3", "f 40000 2 2", "f 40000 3 3"
for _name, (_arguments, _etna, _jax, *_gradient) in {
    "argmax": ([V], "argmax<1>(a)", "a.argmax(1)"),
    "maxima": ([SQUARE], "max<2>(a)", "a.max(2)", "gradient"),
    "sums": ([SQUARE], "sum<1>(a)", "a.sum(1)"),
    "products": (["f 40000 4"], "prod<1>(a)", "a.prod(1)", "gradient"),
    "softmax": ([V], "softmax<1>(a)", "jax.nn.softmax(a, 1)", "gradient"),
    "cumsum": (["f 40000 4"], "cumsum<1>(a)", "a.cumsum(1)", "gradient"),
    "cumprod": (["f 40000 4"], "cumprod<1>(a)", "a.cumprod(1)", "gradient"),
    "sort": (["f 40000 5"], "sort<1>(a)", "jnp.sort(a, 1)", "gradient"),
    "one_hot": (["i 40000"], "one_hot<float, 5>(a % 5)", "jax.nn.one_hot(a % 5, 5)"),
    "where": ([V, V, "f 40000"], "where(expand_dims<1>(c) > 0.f, a, b)", "jnp.where(c[:, None] > 0, a, b)"),
    "roll": ([V], "roll<1, 1>(a)", "jnp.roll(a, 1, 1)", "gradient"),
    "flip": ([V], "flip<1>(a) + a", "a[:, ::-1] + a"),
    "tile": ([V], "tile<1, 2>(a)", "jnp.tile(a, (1, 2))", "gradient"),
    "repeat": ([V], "repeat<2, 1>(a)", "jnp.repeat(a, 2, 1)", "gradient"),
    "pad": ([V], "pad<0, 0, 0, 1>(a, 1.f)", "jnp.pad(a, ((0, 0), (0, 1)), constant_values=1)"),
    "concatenate": ([V, "f 40000 2"], "concatenate<1>(a, b)", "jnp.concatenate([a, b], 1)"),
    "outer": ([V, "f 40000 4"], 'einsum<"ni,nj->nij">(a, b)', 'jnp.einsum("ni,nj->nij", a, b)'),
    "pairs": ([V, V], "expand_dims<1>(a) * expand_dims<2>(b)", "a[:, None] * b[:, :, None]"),
    "scale": ([SQUARE, V], "a * expand_dims<1>(b)", "a * b[:, None]"),
    "product": ([SQUARE, SQUARE], "matmul(a, b)", "a @ b"),
    "symmetric_2": ([PAIR], "a + transpose<0, 2, 1>(a)", "a + a.transpose(0, 2, 1)"),
    "symmetric_3": ([SQUARE], "a + transpose<0, 2, 1>(a)", "a + a.transpose(0, 2, 1)", "gradient"),
    "tril": ([SQUARE], "tril(a)", "jnp.tril(a)", "gradient"),
    "compare": ([V], "expand_dims<1>(a) <= expand_dims<2>(a)", "a[:, None] <= a[:, :, None]"),
    "differences": (["f 40000 5"], "slice<every, range{1, 5}>(a) - slice<every, range{0, 4}>(a)", "a[:, 1:] - a[:, :4]", "gradient"),
    "transpose": (["f 40000 6"], "transpose<0, 2, 1>(reshape<40000, 3, 2>(a)) * 2.f", "a.reshape(40000, 3, 2).transpose(0, 2, 1) * 2"),
    "take": (["f 50 3", "i 40000"], "take<0>(a, b)", "a[b]"),
    "planes": (["u 40000 3"], "transpose(astype<float>(a) / 255.f)", '(a.astype("f4") / 255).T'),
    "det": ([SQUARE], "linalg::det(a)", "jnp.linalg.det(a)", "gradient"),
}.items():
    OPERATIONS["op_small_" + _name] = (_arguments, _etna, _jax)
    if _gradient:
        OPERATIONS["op_grad_small_" + _name] = (_arguments, f"grad([](auto a) {{ return sum(square({_etna})); }})(a)", f"jax.grad(lambda a: jnp.square({_jax}).sum())(a)")
# a block that is set to what is computed of it
OPERATIONS["op_grad_set_block"] = ([M], "grad([](auto a) { return sum(square(a.template at<range{1, 1023}, range{1, 1023}>().set(slice<range{1, 1023}, range{1, 1023}>(a) * 2.f))); })(a)",
                                   "jax.grad(lambda a: jnp.square(a.at[1:1023, 1:1023].set(a[1:1023, 1:1023] * 2)).sum())(a)")
OPERATIONS["op_floor_divide"] = (["i 1024 1024"], "floor_divide(a, 5)", "a // 5")
# what memory's speed decides: half the bytes
for _name, _kind in TYPES.items():
    OPERATIONS["op_choice_" + _name] = ([_kind + " 4096 4096"] * 2, *CHOICE)
    OPERATIONS["op_row_sums_" + _name] = ([_kind + " 4096 4096"], "sum<1>(a)", "a.sum(1)")
STREAM = 300


def parsed(argument):
    kind, *sizes = argument.split()
    return kind, tuple(map(int, sizes))


def cpp(argument, k):
    """The type of an argument, and what makes it."""
    kind, sizes = parsed(argument)
    shape = ", ".join(map(str, sizes))
    element = {"f": "float", "d": "double", "b": "bfloat16", "h": "float16", "i": "int", "u": "std::uint8_t"}[kind]
    made = f"filled<array<float, {shape}>>({STREAM + k}, " + ("2)" if kind in "fdbh" else "50, 25)")
    return f"array<{element}, {shape}>", made if kind == "f" else f"astype<{element}>({made})"


def write(folder, files):
    names = list(OPERATIONS)
    for k in range(files):
        lines = ["// Written by bench/run/operations.py.", '#include "job.hpp"', "namespace {", "using namespace bench;"]
        for i, name in enumerate(names[k::files]):
            arguments, etna, _ = OPERATIONS[name]
            made = [cpp(a, j) for j, a in enumerate(arguments)]
            lines += [f"constexpr auto f{i} = jit([](" + ", ".join(f"{t} {'abc'[j]}" for j, (t, _) in enumerate(made)) + f") {{ return {etna}; }});",
                      f'entry const e{i}("etna", "{name}", [] {{ return of(f{i}, 1, ' + ", ".join(m for _, m in made) + "); });"]
        text, to = "\n".join(lines + ["}  // namespace", ""]), Path(folder) / f"operations_{k}.cpp"
        if not to.exists() or to.read_text() != text:
            to.write_text(text)


def for_jax(of, jax, jnp, filled):
    """The same as jobs of the peer. Those of f64 want it to be switched on."""
    def job(name):
        arguments, _, expression = OPERATIONS[name]
        kinds = [parsed(a) for a in arguments]
        types = {"f": "f4", "d": "f8", "b": jnp.bfloat16, "h": "f2", "i": "i4", "u": "u1"}
        made = [filled(s, STREAM + k, 2 if kind in "fdbh" else 50, 0 if kind in "fdbh" else 25).astype(types[kind]) for k, (kind, s) in enumerate(kinds)]
        jax.config.update("jax_enable_x64", "f8" in expression or any(kind == "d" for kind, _ in kinds))
        return of(eval("lambda " + ", ".join("abc"[: len(made)]) + ": " + expression, {"jax": jax, "jnp": jnp}), *made)

    return {name: lambda name=name: job(name) for name in OPERATIONS}


if __name__ == "__main__":
    write(sys.argv[1], int(sys.argv[2]))
