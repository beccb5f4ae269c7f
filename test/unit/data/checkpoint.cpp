// SPDX-License-Identifier: BSD-3-Clause
// Trees in files: what is saved is loaded, bit for bit; a file that does not fit changes nothing.
#include <doctest/doctest.h>

#include <etna/data/checkpoint.hpp>
#include <etna/language.hpp>

#include "file.hpp"

using namespace test_data;
using namespace etna;

namespace {

struct layer {
  array<float, 3, 200> w;
  array<double, 2> b;
};
struct model {
  std::array<layer, 2> layers;
  std::pair<array<int>, array<bool, 3>> rest;
  float rate;
};

array<float, 3, 200> ramp(float first) {
  return array<float, 3, 200>::build([&](float* out) {
    for (int i = 0; i < 600; ++i) out[i] = first + float(i);
  });
}
model numbers(float first) {
  return {{{{ramp(first), {first, 2.5}}, {ramp(-first), {-0.0, first}}}},
          {array<int>(int(first)), {true, false, true}},
          first};
}
int error_loading(auto& tree, fs::path const& path) {
  return error_of([&] { data::load(tree, path); });
}

}  // namespace

TEST_CASE("loads what was saved") {
  folder f;
  data::save(numbers(7), f / "x", {{"epoch", "3"}});
  model m = numbers(1);
  CHECK(data::load(m, f / "x").at("epoch") == "3");
  CHECK(m.layers[0].w(2, 199) == 606.0f);
  CHECK(m.layers[1].w(0, 1) == -6.0f);
  CHECK(m.layers[1].b(1) == 7.0);
  CHECK(std::signbit(m.layers[1].b(0)));
  CHECK(m.rest.first.item() == 7);
  CHECK(m.rest.second(0));
  CHECK(!m.rest.second(1));
  CHECK(m.rate == 7.0f);
  data::save(m, f / "y", {{"epoch", "3"}});
  CHECK(get(f / "x") == get(f / "y"));
}

TEST_CASE("the state of an optimizer is saved and loaded") {
  folder f;
  auto const rule = optim::multi_steps(optim::chain(optim::clip(1.0), optim::adamw(0.1)), 2);
  layer const p{ramp(1), {2, 3}};
  auto s = rule.init(p);
  for (int i = 0; i < 3; ++i) s = rule.update(p, s, p).second;
  data::save(s, f / "x");
  auto t = rule.init(p);
  data::load(t, f / "x");
  CHECK(t.gradient_step.item() == 1);
  CHECK(t.mini_step.item() == 1);
  auto const r = data::read_safetensors(f / "x");
  CHECK(r.find("inner_opt_state.1.0.mu.w") != nullptr);
  data::save(t, f / "y");
  CHECK(get(f / "x") == get(f / "y"));
}

TEST_CASE("leaves are named by their paths") {
  folder f;
  data::save(numbers(7), f / "x");
  auto const r = data::read_safetensors(f / "x");
  REQUIRE(r.entries.size() == 7);
  CHECK(r.entries[0].name == "layers.0.w");
  CHECK(r.entries[0].dtype == "F32");
  CHECK(r.entries[0].shape == std::vector<std::int64_t>{3, 200});
  CHECK(r.find("layers.1.b")->dtype == "F64");
  CHECK(r.find("rest.0")->dtype == "I32");
  CHECK(r.find("rest.0")->shape.empty());
  CHECK(r.find("rest.1")->dtype == "BOOL");
  CHECK(r.find("rate")->dtype == "F32");
}

TEST_CASE("copies of a tree keep their numbers when it is loaded") {
  folder f;
  data::save(numbers(7), f / "x");
  model m = numbers(1);
  model const before = m;
  data::load(m, f / "x");
  CHECK(before.layers[0].w(0, 0) == 1.0f);
}

TEST_CASE("a file that does not fit is E122 and changes nothing") {
  folder f;
  data::save(numbers(7), f / "x");
  layer one = numbers(1).layers[0];
  CHECK(error_loading(one, f / "x") == 122);
  data::save(one, f / "small");
  model m = numbers(1);
  CHECK(error_loading(m, f / "small") == 122);
  struct other_shape {
    array<float, 200, 3> w;
    array<double, 2> b;
  } shape;
  CHECK(error_loading(shape, f / "small") == 122);
  struct other_dtype {
    array<float, 3, 200> w;
    array<float, 2> b;
  } dtype;
  CHECK(error_loading(dtype, f / "small") == 122);
  struct fewer {
    array<float, 3, 200> w;
  } part;
  CHECK(error_loading(part, f / "small") == 122);
  bytes const quarter(6);
  data::write_safetensors(f / "quarter", std::vector<data::entry>{{"w", "F8_E4M3", {2, 3}, quarter}});
  struct {
    array<float, 2, 3> w;
  } full;
  CHECK(error_loading(full, f / "quarter") == 124);  // no array holds it, whatever the structure
  CHECK(part.w(0, 1) == 0.0f);
  CHECK(error_loading(m, f / "absent") == 120);
  CHECK(m.layers[0].w(0, 1) == 2.0f);
}

TEST_CASE("a named extent takes the size of the file") {
  folder f;
  struct batch {
    array<float, "n"_n, 2> x;
  };
  struct three {
    array<float, 3, 2> x;
  };
  data::save(three{{{1, 2}, {3, 4}, {5, 6}}}, f / "x");
  batch b{array<float, 1, 2>{{0, 0}}};
  data::load(b, f / "x");
  CHECK(b.x.shape()[0] == 3);
  CHECK(b.x(2, 1) == 6.0f);
}
