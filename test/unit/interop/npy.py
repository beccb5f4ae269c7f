#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes npy.inc.hpp: files as NumPy writes them, as bytes. Run: npy.py > npy.inc.hpp"""
import io
import ml_dtypes
import numpy

cases = {
    "f32_c": numpy.arange(6, dtype="<f4").reshape(2, 3) / 4,
    "f64_fortran": numpy.asfortranarray(numpy.arange(24, dtype="<f8").reshape(2, 3, 4)),
    "i64_scalar": numpy.array(-(2**40), dtype="<i8"),
    "bool_row": numpy.array([True, False, True]),
    "u8_empty": numpy.zeros((0, 4), dtype="u1"),
    "f32_big": numpy.arange(3, dtype=">f4"),
    "c64": numpy.zeros(2, dtype="<c8"),
    "float8": numpy.zeros(2, dtype=ml_dtypes.float8_e4m3),
    "record": numpy.zeros(2, dtype=[("a", "<f4"), ("b", "<i4")]),
}
print("// SPDX-License-Identifier: BSD-3-Clause")
print(f"// Files that NumPy {numpy.__version__} wrote: made by npy.py.")
print("#pragma once\n#include <string_view>\n\nnamespace npy_files {\n")
for name, x in cases.items():
    f = io.BytesIO()
    numpy.save(f, x)
    # octal, which never runs on into what follows
    text = "".join(chr(b) if 32 <= b < 127 and chr(b) not in '"\\?' else f"\\{b:03o}" for b in f.getvalue())
    print(f'inline constexpr std::string_view {name}("{text}", {len(f.getvalue())});')
print("\n}  // namespace npy_files")
