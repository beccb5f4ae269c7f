"""Files of all element types: .npy, .npz and safetensors, as files.inc.hpp. Run: python files.py FOLDER
FOLDER holds ours.npz and ours.safetensors, which test/unit/interop/npz_types.cpp leaves with ETNA_KEEP_FILES=FOLDER; it
needs this script's output, so the first run has no FOLDER, and does not know what etna writes."""
import io
import sys
from pathlib import Path

import ml_dtypes
import numpy as np
import safetensors
import safetensors.numpy

from writer import fnv, head, short, write

versions = {"numpy": np.__version__, "ml_dtypes": ml_dtypes.__version__, "safetensors": safetensors.__version__}
# the least, the greatest and four more: of floating types -0, inf, a NaN with a payload and the least above 0
integers = [np.uint8, np.uint16, np.uint32, np.uint64, np.int8, np.int16, np.int32, np.int64]
floats = [ml_dtypes.bfloat16, np.float16, np.float32, np.float64]
arrays = [np.array([[False, True, False], [False, True, True]])]
for t in integers:
    limits = np.iinfo(t)
    arrays.append(np.array([[limits.min, limits.max, 0], [1, 2, limits.max // 3]], t))
for t in floats:
    limits = ml_dtypes.finfo(t)
    x = np.array([[limits.min, limits.max, -0.0], [np.inf, np.nan, limits.smallest_subnormal]], t)
    bits = x.view(f"u{x.itemsize}")
    bits[1, 1] |= 5  # the payload
    arrays.append(x)


def npy(x, **options):
    f = io.BytesIO()
    np.save(f, x, **options)
    return f.getvalue()


def same(x, y):
    """The same bits in the same type; what NumPy reads of bfloat16 has a size only."""
    y = y.view(x.dtype) if y.dtype == "V2" else y
    return x.dtype == y.dtype and x.shape == y.shape and x.tobytes() == y.tobytes()


for x in arrays:
    assert same(x, np.load(io.BytesIO(npy(x)))), x.dtype

packed = io.BytesIO()
np.savez_compressed(packed, *arrays)
named = {str(i): x for i, x in enumerate(arrays)}
tensors = safetensors.numpy.save(named, metadata={"made": "here"})


def hashes(folder):
    """Of what etna wrote, once NumPy and safetensors have read it."""
    read = np.load(folder / "ours.npz")
    assert sorted(read.files) == sorted(f"arr_{i}" for i in named), read.files
    assert all(same(x, read[f"arr_{i}"]) for i, x in named.items())
    ours = (folder / "ours.safetensors").read_bytes()
    told = dict(safetensors.deserialize(ours))
    assert sorted(told) == sorted(named)
    for i, x in named.items():
        t, name = told[i], short(x.dtype).upper()
        assert t["dtype"] == name and t["shape"] == list(x.shape) and bytes(t["data"]) == x.tobytes(), name
    return fnv((folder / "ours.npz").read_bytes()), fnv(ours)


ours_npz, ours_safetensors = hashes(Path(sys.argv[1])) if len(sys.argv) > 1 else (0, 0)


def literal(b):
    # octal, which never runs on into what follows
    text = "".join(chr(c) if 32 <= c < 127 and chr(c) not in '"\\?' else f"\\{c:03o}" for c in b)
    return f'{{"{text}", {len(b)}}}'


brain = arrays[-4]
text = head("files.py", versions, "Files of all element types, as NumPy and safetensors wrote them: arrays [2,3], the least and the greatest first.")
text += """#include <cstdint>
#include <string_view>

namespace reference {

// .npy files, in the order of dtypes[]
inline constexpr std::string_view npy[] = {
"""
text += "".join(f"    {literal(npy(x))},\n" for x in arrays) + "};\n"
text += "// bfloat16 as elements of 2 bytes, and by columns; elements of 4 bytes\n"
text += f"inline constexpr std::string_view npy_of_bytes{literal(npy(brain.view('V2')))};\n"
text += f"inline constexpr std::string_view npy_by_columns{literal(npy(np.asfortranarray(brain)))};\n"
text += f"inline constexpr std::string_view npy_of_four{literal(npy(np.zeros(3, 'V4')))};\n"
text += "// all of them in one file\n"
text += f"inline constexpr std::string_view npz{literal(packed.getvalue())};\n"
text += f"inline constexpr std::string_view safetensors{literal(tensors)};\n"
text += "// the hashes of files that etna wrote, and NumPy and safetensors read\n"
text += f"inline constexpr std::uint64_t ours_npz = {ours_npz:#018x};\n"
text += f"inline constexpr std::uint64_t ours_safetensors = {ours_safetensors:#018x};\n"
text += "\n}  // namespace reference\n"
write("files.inc.hpp", text)
