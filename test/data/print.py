"""How NumPy prints arrays (str), as print.inc.hpp. Run: python print.py"""
import numpy as np

from writer import head, number, quoted, short, write

np.set_printoptions()  # the defaults: precision 8, threshold 1000, edgeitems 3, linewidth 75
versions = {"numpy": np.__version__}
nan, inf = np.nan, np.inf
i32, i64, u8, u32, f32, f64 = np.int32, np.int64, np.uint8, np.uint32, np.float32, np.float64
A = lambda v, t: np.array(v, t)
given = {
    "rank 0 float": A(1.5, f64),
    "rank 0 whole float": A(-3, f32),
    "rank 0 int": A(42, i32),
    "rank 0 bool": A(True, bool),
    "ints": A([1, 2, 3], i32),
    "ints of different width": A([1, -20, 300, 0], i64),
    "bytes": A([[0, 255], [7, 16]], u8),
    "unsigned": A([4294967295, 1], u32),
    "bools": A([[True, False], [False, False]], bool),
    "whole floats": A([1, 2, 3], f64),
    "floats": A([0.5, 1.25, -3], f64),
    "thirds f64": A([1 / 3, 2 / 3, 1], f64),
    "thirds f32": A([1 / 3, 2 / 3, 1], f32),
    "tenth f32": A([0.1, 0.2, 16777216], f32),
    "tenth f64": A([0.1, 0.2, 0.1 + 0.2], f64),
    "scientific by size": A([1e-10, 1, 1e10], f64),
    "scientific by ratio": A([1e-3, 1000.5, 12345.678], f64),
    "small": A([1e-5, 2.5e-5], f64),
    "just not scientific": A([1e-4, 0.5], f64),
    "large f64": A([1e15, 1e16], f64),
    "large f32": A([1e8, 3.0e7], f32),
    "three digits of exponent": A([1e300, -2.5e-300], f64),
    "negative zero": A([-0.0, 0.0, 1], f64),
    "nan and inf": A([nan, inf, -inf, 1.5], f64),
    "only nan": A([nan, nan], f32),
    "inf among whole floats": A([[1, -inf], [10, nan]], f64),
    "matrix": A([[1, 2.5, -3], [40, 0.125, 6]], f64),
    "rank 3": np.arange(24, dtype=i32).reshape(2, 3, 4),
    "rank 3 floats": (np.arange(8, dtype=f32) / 4 - 1).reshape(2, 2, 2),
    "rank 4": np.arange(8, dtype=i64).reshape(2, 1, 2, 2),
    "wrapped line of ints": np.arange(40, dtype=i32),
    "wrapped line of floats": np.arange(20, dtype=f64) / 8,
    "wrapped rows": (np.arange(36, dtype=f64) / 8).reshape(2, 18),
    "empty": A([], f64),
    "empty rows": np.zeros((3, 0), f32),
    "empty planes": np.zeros((0, 2, 3), i32),
    "one column": A([[1], [2]], f64),
}
# larger than 1000 elements: element i is first + i * step, the ends of each axis are shown
ranges = {
    "summarised ints": (i32, (1001,), 0, 1),
    "not yet summarised": (u8, (1000,), 7, 0),
    "summarised matrix": (i64, (50, 40), -5, 1),
    "summarised floats": (f32, (2000,), -1, 0.25),
    "summarised long rows": (f64, (2, 600), 0, 0.5),
    "summarised rank 3": (f32, (10, 11, 12), 0, 1),
    "summarised ends only": (f64, (1 << 20,), 0, 1),
    "summarised short rows": (f64, (600, 2), 0, 0.125),
}

text = head("print.py", versions, "How NumPy prints arrays (str with the default options).")
text += """#include <cstdint>
#include <vector>

namespace reference {

struct printed {
  const char* name;
  const char* dtype;                // bool u8 i32 u32 i64 f32 f64
  std::vector<std::int64_t> shape;
  std::vector<double> data;         // rows first; without data element i is first + i * step
  double first, step;
  const char* text;                 // what str(array) gives, without a final newline
};

inline std::vector<printed> const& prints() {
  static const double nan = __builtin_nan(""), inf = __builtin_inf();
  static const std::vector<printed> all = {
"""


def entry(name, x, data, first, step):
    shape = ", ".join(map(str, x.shape))
    lines = str(x).split("\n")
    shown = "\n".join("       " + quoted(l + ("\n" if i + 1 < len(lines) else "")) for i, l in enumerate(lines))
    return f'      {{{quoted(name)}, "{short(x.dtype)}", {{{shape}}}, {{{data}}}, {number(first)}, {number(step)},\n{shown}}},\n'


def element(v):
    s = number(v)
    return s if any(c in s for c in ".en") else s + ".0"  # nan, inf, 1.5, 2.0, -0.0


for name, x in given.items():
    text += entry(name, x, ", ".join(element(v) for v in x.ravel()), 0, 0)
for name, (dtype, shape, first, step) in ranges.items():
    x = (first + np.arange(np.prod(shape), dtype=f64) * step).astype(dtype).reshape(shape)
    text += entry(name, x, "", first, step)
text += "  };\n  return all;\n}\n\n}  // namespace reference\n"
write("print.inc.hpp", text)
print(len(given) + len(ranges), "arrays")
