"""How the scripts of this folder write JSON and C++: plain text, one fixed form, the same bytes from the same data."""
import json
import math
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
SHORT = {"bool": "bool", "uint8": "u8", "uint16": "u16", "uint32": "u32", "uint64": "u64", "int8": "i8", "int16": "i16",
         "int32": "i32", "int64": "i64", "bfloat16": "bf16", "float16": "f16", "float32": "f32", "float64": "f64"}


def numbers(*shape):
    """Exact in f64; test/unit/numpy/moving.hpp repeats them."""
    i = np.arange(int(np.prod(shape)))
    return ((i * 37 + 11) % 29 - 14).reshape(shape) / 8.0


def weights(shape):
    i = np.arange(int(np.prod(shape)))
    return ((i * 13 + 5) % 17 - 8).reshape(shape) / 4.0


def short(dtype):
    return SHORT[np.dtype(dtype).name]


def number(v):
    """The shortest decimal that reads back as the same double: 0.5, 1e+300, nan, -inf, -0."""
    v = float(v)
    if math.isnan(v):
        return "nan"
    if math.isinf(v):
        return "inf" if v > 0 else "-inf"
    if v == int(v) and abs(v) < 1e15:
        return "-0" if v == 0 and math.copysign(1, v) < 0 else str(int(v))
    return repr(v)


def json_number(v):
    v = float(v)
    if not math.isfinite(v):
        return number(v)
    if v == int(v) and abs(v) < 2**53 and not (v == 0 and math.copysign(1, v) < 0):
        return int(v)
    return v


def tensor(x):
    x = np.asarray(x)
    return {"dtype": short(x.dtype), "shape": list(x.shape), "data": [json_number(v) for v in x.ravel()]}


def tensor_line(x):
    """dtype, extents, colon, elements: what the C++ reader takes."""
    x = np.asarray(x)
    words = [short(x.dtype), *map(str, x.shape), ":", *(number(v) for v in x.ravel())]
    return " ".join(words)


def write_json(name, top, entries):
    """`top` fields one a line, then `entries` (a dict of lists or a list), one entry a line."""
    dump = lambda v: json.dumps(v, allow_nan=False, separators=(",", ":"))
    lines = ["{"] + [f" {json.dumps(k)}:{dump(v)}," for k, v in top.items()]
    for i, (k, group) in enumerate(entries.items()):
        end = "," if i + 1 < len(entries) else ""
        lines.append(f" {json.dumps(k)}:[")
        lines.append(",\n".join("  " + dump(e) for e in group))
        lines.append(f" ]{end}")
    lines.append("}")
    write(name, "\n".join(lines) + "\n")


def write(name, text):
    (HERE / name).write_text(text, encoding="ascii")
    print(f"{name}: {len(text)} bytes")


def head(script, versions, what):
    """The first lines of a generated header."""
    by = ", ".join(f"{k} {v}" for k, v in versions.items())
    return f"// {what}\n// Written by test/data/{script} with {by}; do not edit.\n#pragma once\n\n"


def quoted(text):
    """A C++ string literal."""
    return json.dumps(text)


def fnv(data):
    """The FNV-1a hash, of 64 bits, of bytes: data too large to be kept. C++ repeats it."""
    h = 0xCBF29CE484222325
    for b in data:
        h = (h ^ b) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return h


def listed(v):
    """Numbers as a C++ list."""
    return "{" + ", ".join(number(e) for e in np.asarray(v, np.float64).ravel()) + "}"


def formula(shape, seed):
    """The numbers that same.hpp makes: a linear congruence."""
    s, out = (seed * 2654435761 + 12345) % 2**32, []
    for _ in range(int(np.prod(shape))):
        s = (s * 1664525 + 1013904223) % 2**32
        out.append(-1 + 2 * ((s >> 8) / 16777216))
    return np.array(out).reshape(shape)
