"""How NumPy prints arrays (str), as print.inc.hpp. Run: python print.py"""
import ml_dtypes
import numpy as np

from writer import fnv, head, number, quoted, short, write

np.set_printoptions()  # the defaults: precision 8, threshold 1000, edgeitems 3, linewidth 75
versions = {"numpy": np.__version__, "ml_dtypes": ml_dtypes.__version__}
nan, inf = np.nan, np.inf
i8, i16, i32, i64 = np.int8, np.int16, np.int32, np.int64
u8, u16, u32, u64 = np.uint8, np.uint16, np.uint32, np.uint64
bf16, f16, f32, f64 = ml_dtypes.bfloat16, np.float16, np.float32, np.float64
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
    "signed bytes": A([[-128, 127], [0, -1]], i8),
    "short ints": A([-32768, 32767, 5], i16),
    "short unsigned": A([[0, 65535]], u16),
    "long unsigned": A([2**63, 0, 2**64 - 2**11], u64),
    "rank 0 unsigned": A(2**63, u64),
    "f32 whose least is that of four digits": A([1e-4, 0.05], f32),
    "f32 below": A([9.998e-5, 0.05], f32),
    "f32 whose ratio is rounded to 1000": A([3, 3000.0001], f32),
    "f32 of a larger ratio": A([3, 3000.0002], f32),
    "powers of two f32": A([2.0**-96, 2.0**87, 2.0**90], f32),
    "powers of two f64": A([2.0**-1017, 2.0**-957], f64),
    "rank 0 f32 large": A(1e6, f32),
    "rank 0 f32 not yet": A(999999.5, f32),
    "rank 0 f32 small": A(1e-4, f32),
    "rank 0 f64 large": A(1e15, f64),
    "rank 0 f64 power of two": A(2.0**-1017, f64),
    "rank 0 f16": A(0.1, f16),
    "rank 0 f16 large": A(1000, f16),
    "f16": A([[0.25, 2.5, -3], [99, 3.14159, 7]], f16),
    "f16 by size": A([1000, 1, 65504], f16),
    "f16 by ratio": A([0.3, 301, 2], f16),
    "f16 small": A([6e-8, 1e-5, 0], f16),
    "f16 nan and inf": A([nan, inf, -inf, -0.0, 0.015625], f16),
    "rank 0 bf16": A(3.140625, bf16),
    "rank 0 bf16 whole": A(2, bf16),
    "bf16": A([1, 2.5, -3, 1e30, 3.140625], bf16),
    "bf16 matrix": A([[1, 2.5, -3], [1e-30, nan, inf], [-inf, -0.0, 65536]], bf16),
    "bf16 wrapped": (np.arange(60) / 8).astype(bf16),
    "bf16 rank 3": np.arange(8).reshape(2, 2, 2).astype(bf16),
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
    "summarised f16": (f16, (1200,), -3, 0.125),
    "summarised bf16": (bf16, (600, 2), 0, 0.125),
}

text = head("print.py", versions, "How NumPy prints arrays (str with the default options).")
text += """#include <cstdint>
#include <vector>

namespace reference {

// The FNV-1a hash of all numbers of the type as text, each behind its line's end, in the order of their bits.
""" + "".join(
    f"inline constexpr std::uint64_t all_{short(t)} = "
    f"{fnv(''.join(f'{x}' + chr(10) for x in map(str, np.arange(65536, dtype=u16).view(t))).encode()):#018x};\n"
    for t in (f16, bf16)) + """
struct printed {
  const char* name;
  const char* dtype;                // as dtypes[] names it
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
