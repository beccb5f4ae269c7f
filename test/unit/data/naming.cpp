// SPDX-License-Identifier: BSD-3-Clause
// Checkpoints of others: names, kernels turned over, leaves side by side, blocks; what does not fit changes nothing.
#include <doctest/doctest.h>

#include <etna/data/naming.hpp>
#include <etna/etna.hpp>

#include "file.hpp"

using namespace test_data;
using namespace etna;

namespace {

struct one_file {
  std::vector<std::vector<float>> numbers;
  std::vector<data::entry> entries;
  one_file() = default;
  one_file(one_file&&) = default;  // a copy would borrow from the first
  /// Element i is first + i.
  one_file& add(std::string const& name, std::vector<std::int64_t> const& shape, float first) {
    std::size_t n = 1;
    for (auto size : shape) n *= std::size_t(size);
    auto& x = numbers.emplace_back(n);
    for (std::size_t i = 0; i < n; ++i) x[i] = first + float(i);
    entries.push_back({name, "F32", shape, {reinterpret_cast<unsigned char const*>(x.data()), n * sizeof(float)}});
    return *this;
  }
  void write(fs::path const& path) const { data::write_safetensors(path, entries); }
};
/// What a load says; empty where it loads.
template <class Tree, class Names>
std::string said(Tree& tree, fs::path const& path, Names const& names, data::loading const& permitted = {}) {
  try {
    data::load(tree, path, names, permitted);
  } catch (error const& e) { return e.what(); }
  return "";
}
bool has(std::string const& text, std::string const& part) { return text.find(part) != std::string::npos; }

struct net {
  nn::conv<float, 2, 3, 1, 2> c;
  nn::dense<float, 2, 3> d;
  nn::layer_norm<float, 3> norm;
  nn::embed<float, 4, 2> e;
};
one_file torch_file() {
  one_file f;
  f.add("c.weight", {3, 2, 1, 2}, 0)
      .add("c.bias", {3}, 100)
      .add("d.weight", {3, 2}, 200)
      .add("d.bias", {3}, 300)
      .add("norm.weight", {3}, 400)
      .add("norm.bias", {3}, 500)
      .add("e.weight", {4, 2}, 600);
  return f;
}
data::torch_names const as_they_are({});

}  // namespace

TEST_CASE("a torch module is loaded by names") {
  folder f;
  torch_file().write(f / "x");
  net p{};
  data::load(p, f / "x", as_they_are);
  for (int o = 0; o < 3; ++o)
    for (int i = 0; i < 2; ++i) {
      CHECK(p.d.kernel(i, o) == 200.f + float(2 * o + i));
      for (int w = 0; w < 2; ++w) CHECK(p.c.kernel(0, w, i, o) == float(4 * o + 2 * i + w));
    }
  CHECK(p.norm.scale(1) == 401.f);
  CHECK(p.norm.bias(2) == 502.f);
  CHECK(p.e.embedding(3, 1) == 607.f);
}

TEST_CASE("heads are axes cut into several, and leaves that lie side by side are parts") {
  folder f;
  one_file{}
      .add("a.in_proj_weight", {12, 4}, 0)
      .add("a.in_proj_bias", {12}, 100)
      .add("a.out_proj.weight", {4, 4}, 200)
      .add("a.out_proj.bias", {4}, 300)
      .write(f / "x");
  data::torch_names const names({{"^query\\.kernel", "a.in_proj_weight", 0, 3},
                                 {"^query\\.bias", "a.in_proj_bias", 0, 3},
                                 {"^key\\.kernel", "a.in_proj_weight", 1, 3},
                                 {"^key\\.bias", "a.in_proj_bias", 1, 3},
                                 {"^value\\.kernel", "a.in_proj_weight", 2, 3},
                                 {"^value\\.bias", "a.in_proj_bias", 2, 3},
                                 {"^out", "a.out_proj"}});
  nn::multi_head_attention<float, 4, 2> p{};
  data::load(p, f / "x", names);
  for (int in = 0; in < 4; ++in)
    for (int head = 0; head < 2; ++head)
      for (int k = 0; k < 2; ++k) {
        CHECK(p.query.kernel(in, head, k) == float(4 * (2 * head + k) + in));
        CHECK(p.value.kernel(in, head, k) == float(4 * (8 + 2 * head + k) + in));
        CHECK(p.key.bias(head, k) == 104.f + float(2 * head + k));
        CHECK(p.out.kernel(head, k, in) == 200.f + float(4 * in + 2 * head + k));
      }
}

TEST_CASE("blocks of a file are the first axis of a stack, and one more or less is refused") {
  struct stack {
    nn::stacked<nn::dense<float, 2, 3>, 2> layers;
  };
  folder f;
  one_file file;
  file.add("l.0.w.weight", {3, 2}, 0).add("l.0.w.bias", {3}, 50).add("l.1.w.weight", {3, 2}, 100);
  data::torch_names const names({{"^layers", "l.#.w"}});
  stack p{};
  file.write(f / "x");
  CHECK(has(said(p, f / "x", names), "has no 'l.1.w.bias', which 'layers.bias' is to be"));
  file.add("l.1.w.bias", {3}, 150).write(f / "x");
  CHECK(said(p, f / "x", names) == "");
  CHECK(p.layers.block(1).kernel(0, 2) == 104.f);
  CHECK(p.layers.block(0).bias(2) == 52.f);
  file.add("l.2.w.bias", {3}, 0).write(f / "x");
  CHECK(has(said(p, f / "x", names, {.ignore_extra = true}), "'l.2.w.bias', a block more than 'layers.bias'"));
}

TEST_CASE("what does not fit is error 122 with both names, and the tree is as it was") {
  folder f;
  net p{};
  auto refused = [&](one_file const& file, std::string const& part) {
    file.write(f / "x");
    std::string const text = said(p, f / "x", as_they_are);
    CHECK(has(text, "E122"));
    CHECK(has(text, part));
    CHECK(p.d.bias(0) == 0.f);
  };
  auto extra = torch_file();
  refused(extra.add("position_ids", {4}, 0), "has 'position_ids', which is not in the tree");
  CHECK(said(p, f / "x", as_they_are, {.ignore_extra = true}) == "");
  p = net{};
  auto other = torch_file();
  other.entries[2].shape = {2, 3};  // as many numbers
  refused(other, "has 'd.weight' as F32[2,3], and 'd.kernel' is F32[2,3], a kernel [..., In, Out]");
  auto fourth = torch_file();
  fourth.entries[6].shape = {2, 4};
  refused(fourth, "has 'e.weight' as F32[2,4], and 'e.embedding' is F32[4,2]");
  auto integers = torch_file();
  integers.entries[4].dtype = "I32";
  refused(integers, "has 'norm.weight' as I32[3], and 'norm.scale' is F32[3]");
  data::torch_names const halves({{"^d\\.bias", "d.bias", 0, 2}});
  torch_file().write(f / "x");
  CHECK(has(said(p, f / "x", halves), "'d.bias' is part 0 of 2 of it, F32[3]"));
  for (auto [part, parts] : {std::pair{-1, 2}, {2, 2}, {0, 0}, {0, -2}, {1, 1}, {-1, 1}}) {
    auto const odd = [part = part, parts = parts](std::string const& path) {
      data::stored r = as_they_are(path);
      if (path == "d.bias") r.part = part, r.parts = parts;
      return r;
    };
    auto const none_such = "part " + std::to_string(part) + " of " + std::to_string(parts) + " of it";
    CHECK(has(said(p, f / "x", odd), none_such));
    CHECK(has(said(p, f / "x", data::torch_names({{"^d\\.bias$", "d.bias", part, parts}})), none_such));
  }
}

TEST_CASE("numbers of other floating types are converted where that is permitted") {
  folder f;
  std::uint16_t const bf16[3] = {0x3f80, 0xc000, 0x3e80}, f16[3] = {0x3c00, 0xc000, 0x3400};
  double const f64[3] = {1, -2, 0.25};
  auto entry = [](char const* dtype, auto const& x) {
    return data::entry{"bias", dtype, {3}, {reinterpret_cast<unsigned char const*>(x), sizeof x}};
  };
  struct tree_of_one {
    array<float, 3> bias;
  } p;
  for (auto const& e : {entry("BF16", bf16), entry("F16", f16), entry("F64", f64)}) {
    data::write_safetensors(f / "x", std::vector{e});
    p = {};
    CHECK(has(said(p, f / "x", as_they_are), "E122"));
    CHECK(said(p, f / "x", as_they_are, {.convert = true}) == "");
    CHECK(p.bias(0) == 1.f);
    CHECK(p.bias(1) == -2.f);
    CHECK(p.bias(2) == 0.25f);
  }
  std::int32_t const i32[3] = {1, 2, 3};
  data::write_safetensors(f / "x", std::vector{entry("I32", i32)});
  CHECK(has(said(p, f / "x", as_they_are, {.convert = true}), "E122"));
}

TEST_CASE("any callable is a naming") {
  folder f;
  one_file{}.add("params/Dense_0/kernel", {2, 3}, 0).add("params/Dense_0/bias", {3}, 10).write(f / "x");
  nn::dense<float, 2, 3> p{};
  data::load(p, f / "x", [](std::string const& path) { return data::stored{"params/Dense_0/" + path}; });
  CHECK(p.kernel(1, 2) == 5.f);
  CHECK(p.bias(1) == 11.f);
}
