# SPDX-License-Identifier: BSD-3-Clause
"""Writes the programs that bench/compile/run.sh measures. Run: python3 make.py FOLDER"""
import argparse
from pathlib import Path

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("folder", type=Path)
folder = parser.parse_args().folder
folder.mkdir(parents=True, exist_ok=True)

# The yardstick: what a C++ compiler does with ordinary headers and templates, and nothing of etna.
REFERENCE = """#include <algorithm>
#include <functional>
#include <map>
#include <regex>
#include <string>
#include <vector>
template <int N> struct chain { static double f(double x) { return chain<N - 1>::f(x) * 1.0000001 + N; } };
template <> struct chain<0> { static double f(double x) { return x; } };
int main(int argc, char** argv) {
  std::map<std::string, std::vector<double>> m;
  std::regex r("[a-z]+([0-9]*)");
  for (int i = 0; i < argc; ++i)
    if (std::regex_match(argv[i], r)) m[argv[i]].push_back(chain<500>::f(i));
  std::function<bool(double, double)> less = [](double a, double b) { return a < b; };
  for (auto& [k, v] : m) std::sort(v.begin(), v.end(), less);
  return int(m.size());
}
"""

# Trace and reverse, in the language alone: a loop, and the gradient of its sum.
CHAIN = """#include <etna/language.hpp>
#include <etna/compiler/program.hpp>
using namespace etna;
constexpr auto f = [](array<double, 64> x) {
  array<double, 64> h = x;
  for (int i = 0; i < %d; ++i) h = sin(h * x) + 0.5 * h;
  return sum(h);
};
using g = std::remove_const_t<decltype(grad(f))>;
constexpr int nodes = compiler::trace_of<g, array<double, 64>>::get().n_nodes;
static_assert(nodes >= %d);
int main() {}
"""
# The same with all passes and the plan.
PLAN = CHAIN.replace("compiler::trace_of<g, array<double, 64>>::get().n_nodes", "compiler::program<g, array<double, 64>>::value.n_traced")
PLAN = PLAN.replace("int main", "static_assert(compiler::program<g, array<double, 64>>::value.n_kernels > 0);\nint main")

DEEP = """#include <etna/etna.hpp>
#include <etna/optim/adam.hpp>
using namespace etna;
struct layer { array<float, 256, 256> w; array<float, 256> b; };
using net = std::array<layer, %d>;
constexpr auto loss = [](net const& p, array<float, 64, 256> x) {
  array<float, 64, 256> h = x;
  for (auto const& l : p) h = relu(dot(h, l.w) + l.b);
  return mean(h * h);
};
constexpr auto optimizer = optim::adam(0.001);
constexpr auto step = jit([](net p, optim::state_of<optimizer, net> s, array<float, 64, 256> x) {
  auto [value, g] = value_and_grad(loss)(p, x);
  auto [updates, next] = optimizer.update(g, s);
  return std::tuple{optim::apply_updates(p, updates), next, value};
});
int main() {
  net p{};
  auto s = optimizer.init(p);
  array<float, 64, 256> x = zeros<float, 64, 256>();
  auto [q, t, v] = step(p, s, x);
  return v.item() != 0;
}
"""

# ViT-B/16 and its Adam step: patches, class token, blocks of attention and two dense layers, biases everywhere.
VIT = """#include <etna/etna.hpp>
#include <etna/nn/activation.hpp>
#include <etna/nn/attention.hpp>
#include <etna/nn/loss.hpp>
#include <etna/nn/norm.hpp>
#include <etna/optim/adam.hpp>
using namespace etna;
constexpr int B = 8, N = 197, D = 768, H = 12, M = 3072, P = 16 * 16 * 3;
template <int I, int O> struct dense { array<float, I, O> w; array<float, O> b; };
struct norm { array<float, D> scale, shift; };
struct block { norm first; dense<D, D> query, key, value, out; norm second; dense<D, M> wide; dense<M, D> narrow; };
struct model { dense<P, D> embed; array<float, 1, D> token; array<float, N, D> place; std::array<block, %d> blocks; norm last; dense<D, 1000> head; };
constexpr auto apply = [](auto const& x, auto const& layer) { return dot(x, layer.w) + layer.b; };
constexpr auto loss = [](model const& p, array<float, B, 224, 224, 3> images, array<int, B> labels) {
  auto patches = reshape<B, N - 1, P>(transpose<0, 1, 3, 2, 4, 5>(reshape<B, 14, 16, 14, 16, 3>(images)));
  array<float, B, N, D> x = concatenate<1>(broadcast_to<B, 1, D>(p.token), apply(patches, p.embed)) + p.place;
  for (auto const& b : p.blocks) {
    auto h = layer_norm(x, b.first.scale, b.first.shift);
    auto heads = [&](auto const& layer) { return reshape<B, N, H, D / H>(apply(h, layer)); };
    x = x + apply(reshape<B, N, D>(dot_product_attention(heads(b.query), heads(b.key), heads(b.value))), b.out);
    x = x + apply(gelu(apply(layer_norm(x, b.second.scale, b.second.shift), b.wide)), b.narrow);
  }
  auto seen = layer_norm(x, p.last.scale, p.last.shift).at<every, 0>().get();
  return mean(softmax_cross_entropy(apply(seen, p.head), labels));
};
constexpr auto optimizer = optim::adam(0.001);
constexpr auto step = jit([](model p, optim::state_of<optimizer, model> s, array<float, B, 224, 224, 3> images, array<int, B> labels) {
  auto [value, g] = value_and_grad(loss)(p, images, labels);
  auto [updates, next] = optimizer.update(g, s);
  return std::tuple{optim::apply_updates(p, updates), next, value};
});
int main() {
  model p{};
  auto s = optimizer.init(p);
  array<float, B, 224, 224, 3> images = zeros<float, B, 224, 224, 3>();
  auto [q, t, v] = step(p, s, images, zeros<int, B>());
  return v.item() != 0;
}
"""

# One step of training as it is compiled for one process, for one of four by dist::jit, and by pmap: of a network of the
# trainer's size, and of example 13's vision transformer.
NETWORK = """struct net { array<float, 784, 512> w; array<float, 512> b; array<float, 512, 10> v; array<float, 10> c; };
constexpr auto loss = [](net const& p, auto const& x, auto const& y) { return mean(softmax_cross_entropy(dot(relu(dot(x, p.w) + p.b), p.v) + p.c, y)); };
template <int N> using pictures = array<float, N, 784>;
"""
TRANSFORMER = """using net = models::vit<float, models::vit_config{28, 4, 1, 96, 192, 3, 4, 10}>;
constexpr auto loss = models::vit_loss;
template <int N> using pictures = array<float, N, 28, 28, 1>;
"""
STEP = """#include <etna/etna.hpp>
#include <etna/nn/loss.hpp>
#include <etna/optim/adam.hpp>
%(header)susing namespace etna;
%(model)susing labels = array<int, %(whole)d>;
constexpr auto optimizer = optim::adam(0.001);
constexpr auto step = %(made)s([](net p, optim::state_of<optimizer, net> s, pictures<%(whole)d> const& x, labels const& y) {
  auto [value, g] = value_and_grad(loss)(p, x, y);
  auto [updates, next] = optimizer.update(%(gradient)s, s, p);
  return std::tuple{optim::apply_updates(p, updates), next, %(value)s};
});
int main() {
  net p{};
  auto [q, t, v] = step(p, optimizer.init(p), %(x)s{}, %(y)s{});
  return v.item() != 0;
}
"""
ACROSS = {
    "jit": dict(header="", made="jit", whole=12, gradient="g", value="value", x="pictures<12>", y="labels"),
    "sharded": dict(header="#include <etna/dist/sharded_jit.hpp>\n", made='dist::jit<dist::mesh<dist::axis("data"_n, 4)>>', whole=48,
                    gradient="g", value="value", x='dist::sharded<pictures<12>, dist::mesh<dist::axis("data"_n, 4)>, dist::spec<"data"_n>>',
                    y='dist::sharded<array<int, 12>, dist::mesh<dist::axis("data"_n, 4)>, dist::spec<"data"_n>>'),
    "pmap": dict(header="#include <etna/dist/pmap.hpp>\n", made='dist::pmap<"i"_n>', whole=12, gradient='pmean<"i"_n>(g)',
                 value='pmean<"i"_n>(value)', x="pictures<12>", y="labels"),
}

PER_TURN = 17  # nodes of a turn of the loop and its gradient, as traced
files = {"reference": REFERENCE}
for nodes in (10, 100, 1000, 5000, 10000):
    files[f"trace_{nodes}"] = CHAIN % (max(1, -(-nodes // PER_TURN)), nodes)
for nodes in (100, 1000):
    files[f"plan_{nodes}"] = PLAN % (max(1, -(-nodes // PER_TURN)), nodes)
for layers in (3, 90):
    files[f"deep_{layers}"] = DEEP % layers

for layers in (1, 12):
    files[f"vit_{layers}"] = VIT % layers

here = Path(__file__).resolve().parents[2]
for how, words in ACROSS.items():
    files[f"across_network_{how}"] = STEP % {**words, "model": NETWORK}
    files[f"across_transformer_{how}"] = f'#include "{here}/examples/models/vit.hpp"\n' + STEP % {**words, "model": TRANSFORMER}

small = "#include <etna/etna.hpp>\nusing namespace etna;\n"
bodies = ["x * {0}.0f + y", "exp(-x) * {0}.5f + y", "sum(x * y) * {0}.0f", "tanh(x) / (y + {0}.0f)", "max<0>(x + y) - {0}.0f"]
for i in range(50):
    small += f"constexpr auto f{i} = jit([](array<float, {i + 3}> x, array<float, {i + 3}> y) {{ return {bodies[i % 5].format(i + 1)}; }});\n"
small += "int main() {\n  float s = 0;\n"
for i in range(50):
    small += f"  s += sum(f{i}(array<float, {i + 3}>(ones<float, {i + 3}>()), array<float, {i + 3}>(ones<float, {i + 3}>()))).item();\n"
files["fifty"] = small + "  return s == 0;\n}\n"

# What a program includes by name: the two that collect, and the rooms that stand beside them.
headers = here / "include/etna"
public = [headers / "language.hpp", headers / "etna.hpp", *sorted(f for room in ("nn", "optim", "data") for f in (headers / room).glob("*.hpp"))]
for header in public:
    name = str(header.relative_to(headers).with_suffix(""))
    files["include_" + name.replace("/", "_")] = f"#include <etna/{name}.hpp>\nint main() {{}}\n"
for name, text in files.items():
    (folder / f"{name}.cpp").write_text(text)
