#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes npz.inc.hpp: archives as NumPy writes them, as bytes, and one that etna wrote, after NumPy has read it.
Run: npz.py OURS > npz.inc.hpp    where OURS is the file that the test "what is written is what is read" leaves with ETNA_KEEP_NPZ=OURS"""
import io
import sys
import zipfile
import numpy

w = numpy.arange(6, dtype="<f4").reshape(2, 3) / 4
b = numpy.asfortranarray(numpy.arange(6, dtype="<f8").reshape(3, 2))
m = numpy.array([True, False, True])
step = numpy.array(7, dtype="<i8")


def saved(save, *args, **names):
    f = io.BytesIO()
    save(f, *args, **names)
    return f.getvalue()


def zipped(kind, *names):
    f = io.BytesIO()
    with zipfile.ZipFile(f, "w", kind) as z:
        for name in names:
            z.writestr(zipfile.ZipInfo(name), saved(numpy.save, w), compress_type=kind)
    return f.getvalue()


ours = open(sys.argv[1], "rb").read()
read = numpy.load(io.BytesIO(ours))
assert sorted(read.files) == ["b", "inner.m", "step", "w"], read.files
for name, x in {"w": w, "b": b, "inner.m": m, "step": step}.items():
    assert read[name].dtype == x.dtype and read[name].shape == x.shape and (read[name] == x).all(), name

cases = {
    "tree": saved(numpy.savez, **{"w": w, "b": b, "inner.m": m, "step": step}),
    "packed": saved(numpy.savez_compressed, **{"w": w, "b": b, "inner.m": m, "step": step}),
    "two": saved(numpy.savez, w, m),
    "none": saved(numpy.savez),
    "bzip2": zipped(zipfile.ZIP_BZIP2, "w.npy"),
    "twice": zipped(zipfile.ZIP_STORED, "w.npy", "w.npy"),
    "ours": ours,
}
print("// SPDX-License-Identifier: BSD-3-Clause")
print(f"// Archives that NumPy {numpy.__version__} wrote, and one of etna's that it read: made by npz.py.")
print("#pragma once\n#include <string_view>\n\nnamespace npz_files {\n")
for name, x in cases.items():
    # octal, which never runs on into what follows
    text = "".join(chr(b) if 32 <= b < 127 and chr(b) not in '"\\?' else f"\\{b:03o}" for b in x)
    print(f'inline constexpr std::string_view {name}("{text}", {len(x)});')
print("\n}  // namespace npz_files")
