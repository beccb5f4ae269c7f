"""100 steps of SGD on [784, 512, 10] in JAX and PyTorch, f32 and f64, as sgd100.json and sgd100.inc.hpp.

Weights, images and labels come from formula.py, so nothing but the results is stored. Run: python sgd100.py
"""
import json

import jax
import jax.numpy as jnp
import numpy as np
import torch

import formula
from writer import head, write

jax.config.update("jax_enable_x64", True)
jax.config.update("jax_default_matmul_precision", "highest")
torch.set_num_threads(1)
STEPS, SHOWN = 100, (1, 50, 100)
NAMES = ("w1", "b1", "w2", "b2")
ELEMENTS = {"w1": (0, 100_000, 401_407), "b1": (0, 100, 511), "w2": (0, 2_500, 5_119), "b2": (0, 5, 9)}
versions = {"jax": jax.__version__, "torch": torch.__version__, "numpy": np.__version__}


def jax_run(dtype):
    def loss(p, x, y):
        w1, b1, w2, b2 = p
        z = jax.nn.relu(x @ w1 + b1) @ w2 + b2
        return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(z), y[:, None], 1))

    @jax.jit
    def step(p, x, y):
        value, g = jax.value_and_grad(loss)(p, x, y)
        return [w - dtype(formula.RATE) * d for w, d in zip(p, g)], value

    p, losses = [jnp.asarray(w) for w in formula.parameters(dtype)], []
    for s in range(STEPS):
        p, value = step(p, *formula.batch(s, dtype))
        assert value.dtype == dtype
        losses.append(float(value))
    return [np.asarray(w) for w in p], losses


def torch_run(dtype):
    p, losses = [torch.tensor(w, requires_grad=True) for w in formula.parameters(dtype)], []
    for s in range(STEPS):
        x, y = (torch.tensor(v) for v in formula.batch(s, dtype))
        w1, b1, w2, b2 = p
        value = torch.nn.functional.cross_entropy(torch.relu(x @ w1 + b1) @ w2 + b2, y.long())
        g = torch.autograd.grad(value, p)
        with torch.no_grad():
            for w, d in zip(p, g):
                w -= formula.RATE * d
        losses.append(value.item())
    return [w.detach().numpy() for w in p], losses


def norms(p):
    return [float(np.sqrt(np.sum(np.square(w.astype(np.float64))))) for w in p]


runs, start = {}, formula.parameters(np.float64)
for name, run in (("jax", jax_run), ("torch", torch_run)):
    for dtype in (np.float32, np.float64):
        p, losses = run(dtype)
        assert all(w.dtype == dtype for w in p)
        runs[f"{name}_{'f32' if dtype == np.float32 else 'f64'}"] = {
            "norm": dict(zip(NAMES, norms(p))),
            "change": dict(zip(NAMES, norms([w.astype(np.float64) - s for w, s in zip(p, start)]))),
            "loss": {str(s): losses[s - 1] for s in SHOWN},
            "element": {n: [float(w.ravel()[i]) for i in ELEMENTS[n]] for n, w in zip(NAMES, p)},
        }

x0, y0 = formula.batch(0, np.float64)
top = {
    "versions": versions,
    "steps": STEPS, "batch": formula.BATCH, "rate": formula.RATE,
    "formula": "value(i, stream, scale) = ((splitmix64(i + stream * 2^32) >> 40) * 2^-24 - 0.5) * scale",
    "stream": {"w1": 1, "b1": 2, "w2": 3, "b2": 4, "images": 5, "labels": 6},
    "initial_norm": dict(zip(NAMES, norms(start))),
    "first_values": {"w1": start[0].ravel()[:4].tolist(), "images": x0.ravel()[:4].tolist(), "labels": y0[:8].tolist()},
    "element_index": ELEMENTS,
    "runs": runs,
}
write("sgd100.json", json.dumps(top, indent=1) + "\n")

text = head("sgd100.py", versions, "100 steps of SGD on [784, 512, 10]: the formula of the data and the results of JAX and PyTorch.")
text += """#include <cstdint>

namespace reference {

/// One output of splitmix64 for the state x.
constexpr std::uint64_t splitmix64(std::uint64_t x) {
  std::uint64_t z = x + 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

/// Element i of a stream, in [-scale / 2, scale / 2); exact in float for a scale that is a power of two.
constexpr double value(std::uint64_t i, std::uint64_t stream, double scale) {
  return (static_cast<double>(splitmix64(i + (stream << 32)) >> 40) * 0x1p-24 - 0.5) * scale;
}

struct sgd {
  static constexpr int inputs = 784, hidden = 512, classes = 10, batch = 32, steps = 100;
  static constexpr double rate = 0.01;
  enum stream : std::uint64_t { w1 = 1, b1, w2, b2, images, labels };

  /// Element i of a parameter array, rows first.
  static constexpr double weight(stream s, std::uint64_t i) { return value(i, s, 0.125); }
  /// Pixel c of row r of the batch of a step; steps count from 0.
  static constexpr double image(int step, int r, int c) {
    return value((std::uint64_t(step) * batch + std::uint64_t(r)) * inputs + std::uint64_t(c), images, 1.0) + 0.5;
  }
  static constexpr int label(int step, int r) {
    return static_cast<int>(splitmix64(std::uint64_t(step) * batch + std::uint64_t(r) + (std::uint64_t(labels) << 32)) % classes);
  }
};
"""
check = lambda e: f"static_assert({e});\n"
r = repr
text += "\n" + check(f"sgd::weight(sgd::w1, 3) == {r(float(start[0].ravel()[3]))}")
text += check(f"sgd::weight(sgd::b2, 9) == {r(float(start[3][9]))}")
text += check(f"sgd::image(0, 1, 2) == {r(float(x0[1, 2]))}")
x99, y99 = formula.batch(99, np.float64)
text += check(f"sgd::image(99, 31, 783) == {r(float(x99[31, 783]))}")
text += check(f"sgd::label(0, 0) == {y0[0]} && sgd::label(99, 31) == {y99[31]}")
text += "\n/// A parameter array after the last step.\nstruct trained {\n  const char* name;\n  double norm;          // of all elements, summed in f64\n  double before;        // the norm that the formula starts with\n  double moved;         // the norm of (after - before): a far sharper test than the norm\n"
text += "  long index[3];        // places in the flat array\n  double element[3];    // and what stands there\n};\n\n"
text += "/// One run of a peer; losses are those before the update of steps 1, 50 and 100 (counted from 1).\n"
text += "struct run {\n  const char* peer;\n  const char* dtype;\n  double loss[3];\n  trained parameter[4];\n};\n\ninline constexpr run runs[] = {\n"
many = lambda v: "{" + ", ".join(map(repr, v)) + "}"
for key, v in runs.items():
    peer, dtype = key.split("_")
    text += f'    {{"{peer}", "{dtype}", {many(v["loss"].values())},\n     {{\n'
    for n in NAMES:
        text += f'         {{"{n}", {v["norm"][n]!r}, {top["initial_norm"][n]!r}, {v["change"][n]!r}, {many(ELEMENTS[n])}, {many(v["element"][n])}}},\n'
    text += "     }},\n"
text += "};\n\n}  // namespace reference\n"
write("sgd100.inc.hpp", text)

for n in NAMES:
    a, b = runs["jax_f32"], runs["torch_f32"]
    c, d = runs["jax_f64"], runs["torch_f64"]
    rel = lambda p, q: abs(p["norm"][n] / q["norm"][n] - 1)
    moved = abs(a["change"][n] / c["change"][n] - 1)
    print(f"{n}: f64 norm {c['norm'][n]!r}, changed by {c['change'][n]:.3e}; jax to torch f32 {rel(a, b):.1e}, f64 {rel(c, d):.1e}; f32 to f64 {rel(a, c):.1e}, moved {moved:.1e}")
print("losses", {k: v["loss"] for k, v in runs.items()})
