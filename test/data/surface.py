# SPDX-License-Identifier: BSD-3-Clause
"""The list of etna's public functions with their parameters, read from the headers, and the tests that are made of it.

    python3 test/data/surface.py            writes surface.txt, surface_refused.inc.hpp and surface_parameters.inc.hpp beside this file
    python3 test/data/surface.py --check    asks whether these files are what the headers say; the ctest house.surface
    python3 test/data/surface.py --ast CXX  asks clang (CXX) whether its syntax tree has the same functions as this reader found

A parameter has a kind, which says what it takes: array, operand (array or C++ number), scalar (of no axes), integer, option
(constants such as keepdims), bool, key, tree (any structure of arrays), function (the user's), and other types by name. A
new parameter that is an unconstrained `class X` has none: it must be constrained, or said below to be a tree or a function.
"""
import pathlib
import re
import subprocess
import sys

here = pathlib.Path(__file__).resolve().parent
include = here.parent.parent / "include" / "etna"
rooms = ["array", "transform", "exec", "numpy", "control", "debug", "random", "nn", "optim", "data", "interop"]
inner = {"detail", "numpy", "nn", "control", "transform", "exec", "message", "tracing", "ops", "rewrite", "planning", "compiler", "straight", "lower", "eager", "memory",
         "ext", "types", "interop", "packed", "safetensors", "tree", "math",
         "dlpack"}  # namespaces of the library's own; tree is of functions and trees
classes = {"place", "picked_place", "meter"}  # whose members are called by users
# Functions of the run time, of files, memory and text: nothing of theirs is traced, and their parameters are types.
plain = {"array", "exec", "data", "interop"}
not_for_users = {"array/bits.hpp", "array/dtype.hpp", "array/extent.hpp", "array/storage.hpp", "array/pool.hpp", "array/memory_block.hpp", "transform/types.hpp", "exec/explanation.hpp", "debug/printout.hpp debug::write",
                 "debug/printout.hpp debug::standard_output", "debug/named_scope.hpp debug::is_name"}

# Parameters that are unconstrained by nature: FUNCTION.NAME -> kind.
unconstrained = {
    "tree": """stop_gradient.t zeros_like.t ones_like.t psum.t pmean.t pmax.t pmin.t all_gather.t ppermute.t axis_index.t axis_size.t send_recv.t pshift.t pbroadcast.t preduce.t pgather.t checkpoint_name.t cond.args switch_.args
        while_loop.init fori_loop.init scan.init scan.xs map.xs jvp.x jvp.t jvp.args jvp.tangents linearize.args vjp.args eval_shape.1 apply_updates.parameters
        apply_updates.updates incremental_update.fresh incremental_update.old global_norm.updates show.1 show_plan.1 save.tree load.tree save_npz.tree""",
    "function": """cond.f cond.g while_loop.go_on while_loop.body fori_loop.f scan.f map.f jvp.f linearize.f vjp.f eval_shape.f grad.f value_and_grad.f vmap.f jacfwd.f
        jacrev.f hessian.f jit.f fit.0 fit.f max_batch.0 bucket.f point.f custom_jvp.f custom_jvp.rule custom_vjp.f custom_vjp.forward custom_vjp.backward custom_root.f custom_root.solve
        custom_root.solve_linear checkpoint.f named_scope.f with_precision.f check_nan.f reduce_window.f step.f wait.f explain.f eval_shape.0 below.random inject_hyperparams.factory""",
    "checked": "print.args print.what checkpoint.1 explain.first explain.more from_xtensor.x",  # E081, E087, E090 or E002 from within
}
natural = {w: kind for kind, words in unconstrained.items() for w in words.split()}


def without_comments(text):
    text = re.sub(r"//[^\n]*", "", text)
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    lines, skip = [], False
    for line in text.split("\n"):
        if skip or line.lstrip().startswith("#"):
            skip = line.endswith("\\")
            lines.append("")
        else:
            lines.append(line)
    text = "\n".join(lines)
    text = re.sub(r"'(\\.|[^'\\])'", "0", text)
    return re.sub(r'"(\\.|[^"\\])*"', '""', text)


def split_commas(text):
    parts, depth, now = [], 0, ""
    for i, c in enumerate(text):
        if c in "(<[{":
            depth += 1
        elif c in ")]}" or (c == ">" and text[i - 1] != "-"):
            depth -= 1
        if c == "," and depth == 0:
            parts.append(now.strip())
            now = ""
        else:
            now += c
    return parts + ([now.strip()] if now.strip() else [])


def closing(text, at):
    """Where the bracket that opens at `at` closes."""
    pairs = {"(": ")", "{": "}", "<": ">", "[": "]"}
    opens, closes, depth = text[at], pairs[text[at]], 0
    for i in range(at, len(text)):
        if opens == "<" and text[i] == "(":
            continue
        if text[i] == opens:
            depth += 1
        elif text[i] == closes and not (closes == ">" and text[i - 1] == "-"):
            depth -= 1
            if depth == 0:
                return i
    raise ValueError("no closing " + closes)


def declaration(text):
    """A function's template head, requires-clause, name and parameters, or nothing where it is none."""
    text = " ".join(text.split())
    head = clause = ""
    if text.startswith("template"):
        start = text.index("<")
        end = closing(text, start)
        head, text = text[start + 1:end], text[end + 1:].strip()
    if text.startswith("requires"):
        text = text[8:].strip()
        if text.startswith("("):
            end = closing(text, 0)
            clause, text = text[1:end], text[end + 1:].strip()
        else:
            m = re.match(r"[\w:]+(<[^>]*>)?(?:::\w+)?( && [\w:]+(<[^>]*>)?)*", text)
            clause, text = m.group(0), text[m.end():].strip()
    if re.match(r"(using|concept|struct|class|union|enum|friend|static_assert|typedef|inline constexpr(?!.*\()|extern)\b", text) or "(" not in text:
        return None
    text = re.sub(r"__attribute__\(\(.*?\)\)|\[\[.*?\]\]", "", text)
    m = re.search(r"(\boperator ?(?:[^\s\w(]+|\(\))|\b[A-Za-z_]\w*) ?\(", text)
    if not m:
        return None
    name, start = m.group(1), m.end() - 1
    before = text[:m.start()]
    if not before.strip() or "=" in before or name in {"decltype", "requires", "noexcept"}:
        if name == "decltype":
            end = closing(text, start)
            return declaration(("template <" + head + "> " if head else "") + text[:m.start()] + "auto" + text[end + 1:])
        return None
    end = closing(text, start)
    behind = text[end + 1:]
    if m2 := re.search(r"requires ?\((.*)\)", behind):
        clause = (clause + " && " if clause else "") + m2.group(1)
    return {"head": head, "requires": clause, "name": name, "parameters": split_commas(text[start + 1:end]), "deleted": "= delete" in behind}


def functions_in(text):
    """(namespaces, declaration) of each function of a header."""
    text = without_comments(text)
    found, context, now, depth, i = [], [], "", 0, 0
    while i < len(text):
        c = text[i]
        if depth == 0 and c == ";":
            if (d := declaration(now)) and "ETNA_" not in now:
                found.append((list(context), d))
            now = ""
        elif depth == 0 and c == "{":
            words = " ".join(now.split())
            if m := re.match(r"(?:inline )?namespace ?([\w:]*)", words):
                context.append("::".join(m.group(1).split("::")) or "detail")
                now = ""
            elif (m := re.search(r"\b(?:struct|class) ([\w]+)", re.sub(r"template ?<.*?> ?(requires ?\(.*?\))?", "", words))) and "(" not in re.sub(
                    r"template.*?(struct|class)", "", words) and m.group(1) in classes:
                context.append("class " + m.group(1))
                now = ""
            else:
                end = closing(text, i)
                if (d := declaration(now)) and "ETNA_" not in now:
                    found.append((list(context), d))
                    now = ""
                elif re.search(r"\b(struct|class|union|enum|concept)\b", words) or "=" in words:
                    now += " {}"
                else:
                    now = ""
                i = end
        elif depth == 0 and c == "}":
            context.pop() if context else None
            now = ""
        else:
            depth += (c == "(") - (c == ")")
            now += c
            if re.search(r"\b(public|private) ?:$", now) and depth == 0:
                if "private" in now and context and context[-1].startswith("class "):
                    context[-1] = "class detail"
                now = ""
        i += 1
    return found


def is_public(context):
    names = [n for c in context for n in c.split("::")]
    if names and names[-1].startswith("class "):
        return names[-1] != "class detail"
    return "etna" in names and not any(n in inner for n in names)


def template_parameters(head):
    """name -> constraint of each type parameter."""
    types = {}
    for p in split_commas(head):
        if m := re.match(r"(.*?)(\.\.\.)? ?\b(\w+)( ?=.*)?$", p):
            types[m.group(3)] = (m.group(1).strip(), bool(m.group(2)))
    return types


kinds_of = {"any_array": "array", "numpy::operand": "operand", "operand": "operand", "numpy::scalar_operand": "scalar", "numpy::integer_operand": "integer",
            "std::integral": "integral", "std::same_as<bool>": "bool", "any_keys": "keys", "one_key": "key", "random::one_key": "key", "numpy::start": "integer", "control::choice": "integer", "control::truth": "truth", "numpy::mode_of_index": "option", "tree::leaf": "tree",
            "nn::attention_option": "attention", "axis_number": "integral"}


def kind_of(function, clause, types, parameter, number):
    """What a parameter takes, and its name."""
    text = re.sub(r" ?=.*$", "", parameter)
    m = re.match(r"(.*?)(\w+)?$", text)
    words = [w for w in re.findall(r"[\w:]+", text) if w != "const"]
    used = next((w for w in words if w in types), None)
    name = words[-1] if len(words) > 1 and words[-1] != used else str(number)
    if m and "..." in text:
        name = words[-1] if words[-1] != used else str(number)
    bare = bool(used) and re.match(r"(?:std::remove_cvref_t<)?\b" + used + r"\b(?: const)? ?&{0,2}(?:\.\.\.)? ?\w*$", text)
    if used and bare:
        constraint = types[used][0]
        if constraint in kinds_of:
            kind = kinds_of[constraint]
        elif constraint in ("class", "typename"):
            if re.search(r"numpy::operands<[^>]*\b" + used + r"\b", clause) or re.search(r"numpy::operand<" + used + ">", clause):
                kind = "operand"
            else:
                kind = natural.get(function + "." + name, "unconstrained")
        elif constraint.endswith("_option") or constraint.endswith("one_scan"):
            kind = "option"
        else:
            kind = constraint
    elif re.search(r"initializer_list", text):
        kind = "braces"
    else:
        kind = "type " + re.sub(r" ?\b" + name + "$", "", text) if name != str(number) else "type " + text
    return kind + ("..." if "..." in text and "std::" not in text else ""), name


def functions():
    all_of = []
    for room in rooms:
        for header in sorted((include / room).glob("*.hpp")):
            for context, d in functions_in(header.read_text()):
                if not is_public(context) or d["deleted"] or d["name"].startswith("operator") or d["name"] in ("if", "for", "while", "switch"):
                    continue
                where = [n for c in context for n in c.split("::")]
                if where[-1] == "class " + d["name"]:  # a constructor
                    continue
                space = "::".join(n for n in where if n != "etna" and not n.startswith("class "))
                inside = where[-1][6:] + "." if where[-1].startswith("class ") else ""
                types = template_parameters(d["head"])
                d["full"] = inside + (space + "::" if space and not inside else "") + d["name"]
                d["room"], d["header"] = room, room + "/" + header.name
                if d["header"] in not_for_users or d["header"] + " " + d["full"] in not_for_users or d["full"].startswith("literals::"):
                    continue
                d["kinds"] = [kind_of(d["name"], d["requires"], types, p, k) for k, p in enumerate(d["parameters"])]
                all_of.append(d)
    return all_of


def listing(all_of):
    lines = ["# Made by surface.py of the headers: a function a line, with its header, its template parameters, and its parameters with their kinds."]
    for d in all_of:
        parameters = ", ".join(f"{name}: {kind}" + (" =" if "=" in p else "") for (kind, name), p in zip(d["kinds"], d["parameters"]))
        lines.append(f"{d['header']}  {d['full']}<{d['head']}>({parameters})" if d["head"] else f"{d['header']}  {d['full']}({parameters})")
    return "\n".join(lines) + "\n"



# ---- The calls that must not be there: surface_refused.inc.hpp.

# What stands for an argument of each kind, and which of the junk it would take.
junk = {"t.i": "int", "t.d": "double", "t.s": "text", "t.m": "mask", "t.a": "array of one number", "t.n": "nothing", "t.o": "other"}
sample = {"array": "t.x", "operand": "t.x", "scalar": "t.d", "integer": "t.i", "integral": "t.i", "bool": "t.b", "truth": "t.yes", "key": "t.key", "keys": "t.key", "tree": "t.x", "function": "t.f",
          "type ddof": "ddof{1}", "type independent_t": "random::independent", "type without_replacement_t": "random::without_replacement", "type has_aux_t": "has_aux",
          "type axis_name_t<Name>": 'axis_name<"i"_n>', "type out_axes_t<Out...>...": "out_axes<0>", "type keep_every_t<K>": "keep_every<1>",
          "numpy::keeps_option": "keepdims", "numpy::way_option": "backward", "numpy::order_option": "descending", "control::one_scan": "keep_none", "numpy::mode_of_index": "mode::clip", "numpy::window_option": "padding_same"}
takes = {"array": {"t.m", "t.a"}, "operand": {"t.i", "t.d", "t.m", "t.a"}, "scalar": {"t.i", "t.d", "t.a"}, "integer": {"t.i"}, "integral": {"t.i"}, "attention": {"t.m", "t.a"}}
everything = {"tree", "function", "checked", "unconstrained"}
# Arguments other than these, by function: the first whose number fits.
arguments = {
    "all": "t.m", "any": "t.m", "logical_and": "t.m, t.m", "logical_or": "t.m, t.m", "logical_xor": "t.m, t.m", "logical_not": "t.m", "where": "t.m, t.x, t.x",
    "bitwise_and": "t.k, t.k", "bitwise_or": "t.k, t.k", "bitwise_xor": "t.k, t.k", "bitwise_not": "t.k", "invert": "t.k", "left_shift": "t.k, t.k", "right_shift": "t.k, t.k",
    "one_hot": "t.labels", "take": "t.x, t.labels; t.x, t.labels, mode::clip", "take_along_axis": "t.x, t.k", "softmax_cross_entropy": "t.x, t.labels",
    "dynamic_slice": "t.x, t.i, t.i", "dynamic_update_slice": "t.x, t.x, t.i, t.i", "dynamic_slice_in_dim": "t.x, t.i", "dynamic_index_in_dim": "t.x, t.i",
    "dynamic_update_slice_in_dim": "t.x, t.x, t.i", "matmul": "t.q, t.q", "dot": "t.q, t.q", "einsum": "t.x, t.x", "trace": "t.q", "diagonal": "t.q", "cross": "t.q, t.q", "diag": "t.q", "linalg::solve": "t.q, t.q", "linalg::solve_triangular": "t.q, t.q", "linalg::inv": "t.q", "linalg::det": "t.q",
    "linalg::slogdet": "t.q", "linalg::cholesky": "t.q", "concatenate": "t.x, t.x", "stack": "t.x, t.x",
    "dot_product_attention": "t.heads, t.heads, t.heads, t.m2", "random::key": "t.i", "random::fold_in": "t.key, t.i", "random::wrap_key_data": "t.words",
    "random::bernoulli": "t.key, t.d", "random::randint": "t.key, t.i, t.i", "random::truncated_normal": "t.key, t.d, t.d", "random::choice":
    "t.key, t.x; t.key, t.x, t.row; t.key, t.x, t.row, random::without_replacement", "random::uniform": "t.key, t.d, t.d", "random::uniform_like": "t.key, t.x, t.d, t.d",
    "layer_norm": "t.x, t.d; t.x, t.row4, t.row4, t.d", "rms_norm": "t.x, t.d; t.x, t.row4, t.d", "isclose": "t.x, t.x, t.d, t.d, t.b", "round": "t.x, t.i",
    "while_loop": "t.below, t.f, t.a", "fori_loop": "t.f2, t.a; t.i, t.i, t.f2, t.a", "scan": "t.step, t.a; t.step, t.a, keep_none; t.step2, t.a, t.x; t.step2, t.a, t.x, keep_none",
    "cond": "t.yes, t.f, t.f, t.x", "switch_": "t.i, t.branches, t.x", "jvp": "t.f, t.x, t.x", "custom_jvp": "t.f, t.f", "custom_vjp": "t.f, t.f, t.f", "custom_root": "t.f, t.f, t.f",
    "optim::apply_updates": "t.x, t.x", "optim::incremental_update": "t.x, t.x, t.d", "ctc_loss": "t.sounds, t.m5, t.words_of, t.m3; t.sounds, t.m5, t.words_of, t.m3, ctc_loss_options{}",
    "multiclass_hinge_loss": "t.x, t.labels", "multiclass_perceptron_loss": "t.x, t.labels", "dice_loss": "t.x, t.x, dice_loss_options{}", "nan_to_num": "t.x, t.d", "clip": "t.x, t.d, t.d",
    "conv_general": "t.pictures, t.kernels, padding_same", "conv": "t.pictures, t.kernels, padding_same", "conv_transpose": "t.pictures, t.turned, padding_same",
    "convolve": "t.row4, t.row", "correlate": "t.row4, t.row", "reduce_window": "t.x, t.d, std::plus<>{}, padding_same",
    "max_pool": "t.pictures, padding_same", "min_pool": "t.pictures, padding_same", "avg_pool": "t.pictures, padding_same", "sliding_window_view": "t.pictures, padding_same",
    "elu": "t.x, t.d", "leaky_relu": "t.x, t.d", "celu": "t.x, t.d", "gelu": "t.x, t.b", "squared_error": "t.x, t.x",
}
# Template arguments that a call needs, or that are tried besides none.
explicit = {
    "zeros": "<float, 3>", "ones": "<float, 3>", "full": "<double, 3, 4>", "arange": "<int, 3>", "linspace": "<double, 5>", "eye": "<double, 3>", "one_hot": "<float, 5>",
    "einsum": '<"ij,kj->ik">', "optim::freeze": '<"kernel">', "pad": "<1>", "split": "<2, 1>", "roll": "<1>; <1, 1>", "diff": "; <2>; <1, 0>", "tile": "<2>", "repeat": "<2>; <2, 1>", "reshape": "<4, 3>", "swapaxes": "<0, 1>",
    "moveaxis": "<0, 1>", "expand_dims": "<0>; <-1>; <0, 2>", "broadcast_to": "<2, 3, 4>", "astype": "<float>", "dynamic_slice": "<2, 2>", "dynamic_slice_in_dim": "<2>",
    "slice": "<0>; <range{0, 2}>", "top_k": "<2>", "take_along_axis": "<0>", "transpose": "; <1, 0>", "squeeze": "", "random::split": "; <3>", "random::split_batch": "<3>",
    "random::bits": "<std::uint32_t, 3>", "random::bernoulli": "<3>", "random::randint": "<int, 3>", "random::choice": "<2>", "named_scope": '<"part">', "with_precision": "<precision::bf16>", "checkpoint_name": '<"value">',
    "stack": "; <1>", "concatenate": "; <1>", "max_pool": "<2, 2>", "min_pool": "<2, 2>", "avg_pool": "<2, 2>", "reduce_window": "<2, 2>", "sliding_window_view": "<2, 2>",
}
draws = {"truncated_normal", "exponential", "gumbel", "laplace", "logistic", "cauchy", "rademacher", "uniform", "normal"}
no_call = {"psum", "pmean", "pmax", "pmin", "all_gather", "ppermute", "axis_index", "axis_size", "send_recv", "pshift", "pbroadcast", "preduce", "pgather", "all_to_all", "psum_scatter", "pscatter", "vjp", "linearize", "eval_shape", "debug::print", "debug::set_sink", "at"}
methods = {"place.": "t.x.template at<0>().", "picked_place.": "t.x.at(t.labels)."}


def kind_only(kind):
    return kind.removesuffix("...")


def taken_at(overloads, k):
    """Junk that some overload would take as its argument k."""
    r = set()
    for d in overloads:
        kinds = [kind for kind, _ in d["kinds"]]
        kind = kinds[k] if k < len(kinds) else kinds[-1] if kinds and kinds[-1].endswith("...") else None
        if kind is None:
            continue
        kind = kind_only(kind)
        r |= set(junk) if kind in everything else takes.get(kind, set())
    return r


def variants(d):
    name = d["full"]
    if name in explicit:
        return [v.strip() for v in explicit[name].split(";")]
    if d["name"] in draws and name.startswith("random::"):
        return ["<float, 3>"]
    if name == "random::permutation" and "extent N" in d["head"]:
        return ["<5>"]
    if re.search(r"int\.\.\. Axis|int Axis = ", d["head"]):
        return ["", "<0>"]
    if "int From" in d["head"]:
        return ["<0, 3>"]
    if name == "while_loop" and "int N" in d["head"]:
        return ["<5>"]
    if name == "scan" and "extent N" in d["head"]:
        return ["<5>"]
    return [""]


def arguments_of(d):
    """A list of arguments for d, or nothing."""
    n = len(d["kinds"])
    for words in arguments.get(d["full"], "").split(";"):
        if words.strip() and len(list_ := split_commas(words)) == n:
            return list_
        if words.strip() and d["kinds"] and d["kinds"][-1][0].endswith("...") and len(list_) >= n - 1:
            return list_
    r = []
    for kind, _ in d["kinds"]:
        kind = kind_only(kind) if not kind.startswith("type") else kind
        if kind == "option":
            kind = next(c for c in re.findall(r"[\w:]+", d["head"]) if c in sample and (c.endswith("_option") or c.endswith("one_scan") or c.endswith("_index")))
        if kind not in sample:
            return None
        r.append(sample[kind])
    return r


def refused(all_of):
    """{header: (calls that are there, calls that are not)}, and the number of parameters that are tried."""
    names = {}
    for d in all_of:
        names.setdefault(d["full"], []).append(d)
    by_header, positions, left_out = {}, 0, []
    for d in all_of:
        if d["room"] in plain or d["room"] == "transform" and d["header"].endswith("types.hpp"):
            continue
        base = None if d["full"] in no_call else arguments_of(d)
        if base is None:
            left_out.append(d["full"])
            continue
        there, not_there = by_header.setdefault(d["header"], ([], []))
        place = next((m for m in methods if d["full"].startswith(m)), None)
        start = methods[place] + d["name"] if place else "etna::" + d["full"]
        for v in variants(d):
            call = lambda a: f"{start}{v}({', '.join(a)})"
            if call(base) not in there:
                there.append(call(base))
            for k in range(len(base) + 1):
                if kind := (d["kinds"][k][0] if k < len(d["kinds"]) else ""):
                    if kind_only(kind) in everything:
                        continue
                positions += 1
                for j in junk:
                    if j in taken_at(names[d["full"]], k):
                        continue
                    for a in ([base[:k] + [j]] if k else []) + ([base[:k] + [j] + base[k + 1:]] if k < len(base) else []):
                        if call(a) not in not_there:
                            not_there.append(call(a))
    return by_header, positions, left_out


def refused_text(all_of):
    by_header, positions, left_out = refused(all_of)
    n = sum(len(r[1]) for r in by_header.values())
    functions_tried = sum(len({c.split("(")[0].split("<")[0] for c in r[0]}) for r in by_header.values())
    out = ["// SPDX-License-Identifier: BSD-3-Clause", "// Made by surface.py: calls that are there, and the same with an argument that is not taken, which are not.",
           f"// {functions_tried} functions, {positions} places of an argument, {n} calls. Not tried here: {', '.join(sorted(set(left_out)))}.", ""]
    for k, (header, (there, not_there)) in enumerate(by_header.items()):
        out.append(f"template <class T> struct calls_{k} {{  // {header}")
        out += [f"  THERE({c});" for c in there] + [f"  NOT_THERE({c});" for c in not_there] + ["};", f"template struct calls_{k}<values>;"]
    text, names, calls = c_text()
    out += [f"// {names} functions of C, {calls} calls: etna's of an array, or not there.", "template <class T> struct calls_of_c {", text + "};", "template struct calls_of_c<values>;"]
    return "\n".join(out) + "\n", (functions_tried, positions, n)


# ---- Numbers as parameters: surface_parameters.inc.hpp.

# A parameter of kind operand, scalar or integer is tried as `p` in a call, where x is {0.4, 1.3, 2.2} and n is {1, 2, 3} of int.
# (A draw of bernoulli is in f32 beside a number, in f64 beside an array of f64: with key 10 both give the same.)
# Calls and values of p that are not the usual ones (0.6); an integer is tried as an array of int, and not differentiated.
calls_with = {
    "heaviside.y": ("heaviside(array<double, 2>{0, 1}, p)", 0.6), "nan_to_num.nan": ("nan_to_num((x - x) / (x - x), p)", 0.6),
    "clip.low": ("clip(x, p, 2.0)", 0.6), "clip.high": ("clip(x, 0.5, p)", 1.1), "where.x": ("where(x > 1.0, p, x)", 0.6), "where.y": ("where(x > 1.0, x, p)", 0.6),
    "isclose.relative": ("isclose(x, x + 0.05, p, 1e-8)", 0.05), "isclose.absolute": ("isclose(x, x + 0.05, 1e-5, p)", 0.07), "isclose.x": ("isclose(p, x, 0.0, 0.3)", 0.6),
    "isclose.y": ("isclose(x, p, 0.0, 0.3)", 0.6), "elu.alpha": ("elu(x - 1.0, p)", 0.6), "leaky_relu.slope": ("leaky_relu(x - 1.0, p)", 0.6), "celu.alpha": ("celu(x - 1.0, p)", 0.6),
    "full.v": ("full<double, 3>(p)", 0.6), "linspace.from": ("linspace<double, 5>(p, 2.0)", 0.6), "linspace.to": ("linspace<double, 5>(2.0, p)", 0.6), "pad.v": ("pad<1>(x, p)", 0.6), "reduce_window.init": ("reduce_window<2>(x, p, std::plus<>{}, padding_same)", 0.6),
    "layer_norm.epsilon": ("layer_norm(x, p) + layer_norm(x, x, x, p)", 0.6), "rms_norm.epsilon": ("rms_norm(x, p) + rms_norm(x, x, p)", 0.6),
    "dropout.rate": ("dropout(random::key(3), x, p)", 0.3), "random::truncated_normal.low": ("random::truncated_normal<double, 3>(random::key(3), p, 1.5)", -0.6),
    "random::truncated_normal.high": ("random::truncated_normal<double, 3>(random::key(3), -1, p)", 0.6), "random::uniform.low": ("random::uniform<double, 3>(random::key(3), p, 2)", 0.6),
    "random::uniform.high": ("random::uniform<double, 3>(random::key(3), -1, p)", 0.6), "random::uniform_like.low": ("random::uniform_like(random::key(3), x, p, 2)", 0.6),
    "random::uniform_like.high": ("random::uniform_like(random::key(3), x, -1, p)", 0.6), "random::bernoulli.p": ("random::bernoulli<3>(random::key(10), p)", 0.6),
    "random::randint.low": ("random::randint<int, 3>(random::key(3), p, 90)", 5), "random::randint.high": ("random::randint<int, 3>(random::key(3), 5, p)", 90),
    "random::key.seed": ("random::key_data(random::key(p))", 5), "random::fold_in.data": ("random::key_data(random::fold_in(random::key(3), p))", 5),
    "fori_loop.from": ("fori_loop(p, 5, twice{}, x)", 2), "fori_loop.to": ("fori_loop(1, p, twice{}, x)", 4),
    "place.set.v": ("x.template at<0>().set(p)", 0.6), "place.add.v": ("x.template at<0>().add(p)", 0.6), "place.multiply.v": ("x.template at<0>().multiply(p)", 0.6),
    "place.min.v": ("x.template at<1>().min(p)", 0.6), "place.max.v": ("x.template at<0>().max(p)", 0.6), "picked_place.set.v": ("x.at(n - 1).set(p)", 0.6), "picked_place.add.v": ("x.at(n - 1).add(p)", 0.6),
    # numbers within options and rules
    "mode::fill": ("take(x, n + 1, mode::fill{p})", 0.6), "attention_scale": ("dot_product_attention(heads, heads * heads, heads, attention_scale{p})", 0.6),
    "optim::sgd.learning_rate": ("stepped(optim::sgd(p), x)", 0.6), "optim::adamw.learning_rate": ("stepped(optim::adamw(p), x)", 0.6), "optim::scale.step_size": ("stepped(optim::scale(p), x)", 0.6),
    "optim::scale_by_learning_rate.learning_rate": ("stepped(optim::scale_by_learning_rate(p), x)", 0.6), "optim::add_decayed_weights.weight_decay": ("stepped(optim::add_decayed_weights(p), x)", 0.6),
    "optim::trace.decay": ("stepped(optim::trace(p, true), x)", 0.6), "optim::ema.decay": ("stepped(optim::ema(p, false), x)", 0.6), "optim::clip.max_delta": ("stepped(optim::clip(p), x)", 0.6),
    "optim::clip_by_block_rms.threshold": ("stepped(optim::clip_by_block_rms(p), x)", 0.6), "optim::clip_by_global_norm.max_norm": ("stepped(optim::clip_by_global_norm(p), x)", 0.6),
    "optim::incremental_update.step_size": ("optim::incremental_update(x, x * x, p)", 0.6), "huber_loss.delta": ("huber_loss(x, x * x, p)", 0.6),
    "cosine_similarity.epsilon": ("cosine_similarity(x, x * x, p)", 0.6), "cosine_distance.epsilon": ("cosine_distance(x, x * x, p)", 0.6),
    "sigmoid_focal_loss.gamma": ("sigmoid_focal_loss(x, x / 3.0, p)", 0.6), "sigmoid_focal_loss.alpha": ("sigmoid_focal_loss(x, x / 3.0, 2.0, p)", 0.6),
    "dynamic_slice.starts": ("dynamic_slice<2>(x, p)", 1), "dynamic_update_slice.starts": ("dynamic_update_slice(x, array<double, 1>{7.0}, p)", 1),
    "dynamic_slice_in_dim.start": ("dynamic_slice_in_dim<2>(x, p)", 1), "dynamic_index_in_dim.start": ("dynamic_index_in_dim(x, p)", 2),
    "dynamic_update_slice_in_dim.start": ("dynamic_update_slice_in_dim(x, array<double, 1>{7.0}, p)", 1), "switch_.index": ("switch_(p, std::tuple{twice_of{}, same_of{}, twice_of{}}, x)", 1),
}
whole = {"bitwise_and", "bitwise_or", "bitwise_xor", "left_shift", "right_shift"}  # of integers


def numbers(all_of):
    """(name, call, value of p) of each parameter that is a number, and those that have none."""
    found, missing = dict(calls_with), []
    for d in all_of:
        if d["room"] in plain:
            continue
        for k, (kind, name) in enumerate(d["kinds"]):
            full = f"{d['full']}.{name}"
            if kind_only(kind) not in ("operand", "scalar", "integer") or full in found:
                continue
            others = [("n" if d["full"] in whole else "x") if kind_only(o) in ("operand", "array") else None for o, _ in d["kinds"]]
            others[k] = "p"
            if None in [o for o in others if o != "p"] and not all("=" in q for o, q in zip(others, d["parameters"]) if o is None):
                missing.append(f"{d['header']}: {full}: say in surface.py how the parameter is tried (calls_with)")
                continue
            while others and others[-1] is None:
                others.pop()
            found[full] = (f"{d['full']}({', '.join(others)})", 2 if d["full"] in whole else 0.6)
    known = {f"{d['full']}.{name}" for d in all_of for _, name in d["kinds"]}
    missing += [f"surface.py: {name}: no such parameter" for name in calls_with if name not in known and not re.match(r"mode::fill|attention_scale", name)]
    return found, missing


def numbers_text(all_of):
    found, _ = numbers(all_of)
    out = ["// SPDX-License-Identifier: BSD-3-Clause", "// Made by surface.py: every parameter that is a number, as p. NUMBER: floating, differentiated; WHOLE: an integer.",
           f"// {len(found)} parameters.", ""]
    count = {"NUMBER": 0, "WHOLE": 0}
    for name, (call, v) in found.items():
        kind = "WHOLE" if isinstance(v, int) else "NUMBER"
        out.append(f'{kind}({count[kind]}, "{name}", {v}, {call})')
        count[kind] += 1
    out += [f"inline constexpr int numbers = {count['NUMBER']}, wholes = {count['WHOLE']};"]
    return "\n".join(out) + "\n", len(found)


# ---- C's functions of numbers: an array finds etna's, or none.

# Those of <math.h> and <stdlib.h> (glibc 2.36) as clang's syntax tree has them: name, n for each number and p for each
# pointer, + where it has names for float and long double too. Left out are those of text (ecvt, strfromd) and setpayload.
c_functions = """
    abs:n acos:n+ acosh:n+ asin:n+ asinh:n+ atan:n+ atan2:nn+ atanh:n+ cbrt:n+ ceil:n+ copysign:nn+ cos:n+ cosh:n+ daddl:nn ddivl:nn dfmal:nnn div:nn
    dmull:nn drem:nn+ dsqrtl:n dsubl:nn erf:n+ erfc:n+ exp:n+ exp10:n+ exp2:n+ expm1:n+ fabs:n+ fadd:nn fdim:nn+ fdiv:nn ffma:nnn finite:n+ floor:n+
    fma:nnn+ fmax:nn+ fmaximum:nn+ fmaximum_mag:nn+ fmaximum_mag_num:nn+ fmaximum_num:nn+ fmaxmag:nn+ fmin:nn+ fminimum:nn+ fminimum_mag:nn+
    fminimum_mag_num:nn+ fminimum_num:nn+ fminmag:nn+ fmod:nn+ fmul:nn frexp:np+ fromfp:nnn+ fromfpx:nnn+ fsqrt:n fsub:nn gamma:n+ hypot:nn+ ilogb:n+
    iscanonical:n isinff:n isinfl:n isnanf:n isnanl:n issignaling:n j0:n+ j1:n+ jn:nn+ labs:n ldexp:nn+ ldiv:nn lgamma:n+ lgamma_r:np lgammaf_r:np
    lgammal_r:np llabs:n lldiv:nn llogb:n+ llrint:n+ llround:n+ log:n+ log10:n+ log1p:n+ log2:n+ logb:n+ lrint:n+ lround:n+ modf:np+ nearbyint:n+
    nextafter:nn+ nextdown:n+ nexttoward:nn+ nextup:n+ pow:nn+ remainder:nn+ remquo:nnp+ rint:n+ round:n+ roundeven:n+ scalb:nn+ scalbln:nn+
    scalbn:nn+ significand:n+ sin:n+ sincos:npp+ sinh:n+ sqrt:n+ tan:n+ tanh:n+ tgamma:n+ trunc:n+ ufromfp:nnn+ ufromfpx:nnn+ y0:n+ y1:n+ yn:nn+
    isgreater:nn isgreaterequal:nn isless:nn islessequal:nn islessgreater:nn isunordered:nn fpclassify:n isnormal:n isfinite:n isinf:n isnan:n signbit:n
""".split()


def c_text():
    calls, names = [], 0
    for word in c_functions:
        name, kinds = word.rstrip("+").split(":")
        for suffix in ("", "f", "l") if word.endswith("+") else ("",):
            names += 1
            given = kinds.count("n")
            for which in sorted({(1,) * given, (1,) + (0,) * (given - 1), (0,) * (given - 1) + (1,)}):
                left = list(which)
                calls.append(f"{name}{suffix}({', '.join('t.p' if k == 'p' else ('t.a' if left.pop(0) else 't.d') for k in kinds)})")
    return "".join(f"  NOT_OF_C({c});\n" for c in calls), names, len(calls)


# ---- Asked of clang: are these all functions there are?

def in_syntax_tree(compiler):
    """Names of the functions that the rooms without Kokkos have, as clang's syntax tree has them."""
    program = "".join(f"#include <etna/{room}/{h.name}>\n" for room in rooms if room not in plain for h in sorted((include / room).glob("*.hpp")))
    command = [compiler, "-std=c++20", "-fsyntax-only", f"-I{include.parent}", "-fno-color-diagnostics", "-Xclang", "-ast-dump", "-x", "c++", "-"]
    run = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, errors="replace")
    run.stdin.write(program)
    run.stdin.close()
    found, path = set(), []
    line_of = re.compile(r"([|` -]*)(\w+) 0x\w+ (?:parent 0x\w+ )?(?:prev 0x\w+ )?<.*?>(?: \S*(?:line|col|hpp):\S+)?(?: (?:implicit|used|referenced|inline|nested|constexpr|invalid))* ?(.*)$")
    for line in run.stdout:
        depth = (len(line) - len(line.lstrip("|` -"))) // 2
        if depth > 4:
            continue
        m = line_of.match(line.rstrip("\n"))
        if not m:
            continue
        del path[depth:]
        path += [None] * (depth - len(path))
        path.append((m.group(2), m.group(3).split(" ")[0]))
        spaces = [n for kind, n in (p or ("", "") for p in path[:-1]) if kind == "NamespaceDecl"]
        around = {kind for kind, _ in (p or ("", "") for p in path[1:-1])}
        if m.group(2) in ("FunctionTemplateDecl", "FunctionDecl") and around <= {"NamespaceDecl"} and spaces[:1] == ["etna"] and not set(spaces) & inner:
            found.add("::".join(spaces[1:] + [m.group(3).split(" ")[0]]))
    run.wait()
    return {n for n in found if not re.search(r"(^|::)(operator\W|<deduction)", n)}


def listed_elsewhere():
    """Functions of the library's own, of files and memory, and those that are only refused."""
    names = []
    for room in rooms:
        for header in sorted((include / room).glob("*.hpp")):
            names += re.findall(r"^(?:ETNA_\w+)\((\w+),", header.read_text(), re.M)
            for context, d in functions_in(header.read_text()):
                spaces = [n for c in context for n in c.split("::") if n != "etna"]
                names.append("::".join(spaces + [d["name"]]))
    return names


if __name__ == "__main__":
    all_of = functions()
    wrong = [f"{d['header']}: {d['full']}: the parameter {name} is unconstrained" for d in all_of for kind, name in d["kinds"] if kind_only(kind) == "unconstrained"]
    wrong += numbers(all_of)[1]
    texts = {"surface.txt": listing(all_of), "surface_refused.inc.hpp": refused_text(all_of)[0], "surface_parameters.inc.hpp": numbers_text(all_of)[0]}
    if sys.argv[1:2] == ["--ast"]:
        trees = in_syntax_tree(sys.argv[2])
        mine = {d["full"] for d in all_of if d["room"] not in plain and "." not in d["full"]} - {"at"}
        wrong += [f"{name} is in the syntax tree alone" for name in sorted(trees - mine - set(listed_elsewhere()))]
        wrong += [f"{name} is not in the syntax tree" for name in sorted(mine - trees)]
        print(f"{len(trees)} names in the syntax tree")
    elif sys.argv[1:] == ["--check"]:
        for name, text in texts.items():
            if (here / name).read_text() != text:
                wrong.append(f"test/data/{name} is not what the headers say: run python3 test/data/surface.py, and look at the difference")
    else:
        for name, text in texts.items():
            (here / name).write_text(text)
    print("\n".join(wrong) or f"{len(all_of)} functions, {sum(len(d['kinds']) for d in all_of)} parameters; "
          f"calls that are refused: functions, places, calls {refused_text(all_of)[1]}; C's: functions, calls {c_text()[1:]}; numbers as parameters: {numbers_text(all_of)[1]}")
    sys.exit(1 if wrong else 0)
