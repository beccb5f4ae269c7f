// SPDX-License-Identifier: BSD-3-Clause
// The residual networks of examples/models against PyTorch's, and their published sizes as constants.
#include <doctest/doctest.h>

#include "../../../examples/models/resnet.hpp"
#include "../../data/nets.inc.hpp"
#include "../data/file.hpp"
#include "../../same.hpp"
#include "near.hpp"

using namespace etna;

namespace {

using resnet = models::resnet<double, models::resnet_config{3, {4, 6, 8}, 1, 3, 5}>;
using images = array<double, 4, 8, 8, 3>;

constexpr auto evaluate =
    jit([](resnet const& p, resnet::state const& s, images const& x) { return p(x, s, nn::evaluation); });
constexpr auto forward =
    jit([](resnet const& p, resnet::state const& s, images const& x) { return p(x, s, nn::training); });
constexpr auto step = jit([](resnet const& p, resnet::state const& s, images const& x, array<int, 4> const& y) {
  auto [result, gradient] = value_and_grad(models::resnet_loss, has_aux)(p, s, x, y);
  auto [loss, after] = result;
  return std::tuple{tree::map([](auto const& a, auto const& g) { return a - 0.05 * g; }, p, gradient), after, loss};
});
std::pair<resnet, resnet::state> loaded() {
  test_data::folder f;
  huggingface::write_checkpoint(f / "x", nets::resnet_entries);
  std::pair<resnet, resnet::state> r{};
  CHECK(test_data::error_of([&] { data::load(r.first, f / "x", models::resnet_names); }) == 122);  // running means
  data::load(r.first, f / "x", models::resnet_names, {.ignore_extra = true});
  data::load(r.second, f / "x", models::resnet_names, {.ignore_extra = true});
  return r;
}

static_assert(nn::parameter_count<models::resnet<float, models::resnet8>>() == 78'042);
static_assert(nn::parameter_count<models::resnet<float, models::resnet18>>() == 11'173'962);
static_assert(tree::paths<models::resnet<float, models::resnet18>>()[0] == "stem.conv.kernel");
static_assert(tree::paths<models::resnet<float, models::resnet18>>()[3] == "layer.0.0.first.conv.kernel");

}  // namespace

TEST_CASE("a small ResNet-8 with torchvision's names gives PyTorch's logits, evaluating and training") {
  auto const [p, s] = loaded();
  auto const x = test::some<images>(50);
  auto const [evaluated, same] = evaluate(p, s, x);
  CHECK(models::distance(evaluated, nets::resnet_evaluated) < 1e-12);
  CHECK(test::same_bits(same, s));
  auto const [trained, moved] = forward(p, s, x);
  CHECK(models::distance(trained, nets::resnet_trained) < 1e-12);
  std::size_t k = 0;
  for (auto const& leaf : test::leaves(moved))
    for (double const v : leaf.x) CHECK(std::abs(v - nets::resnet_moved.at(k++)) < 1e-12);
  CHECK(k == nets::resnet_moved.size());
}

TEST_CASE("its losses in three steps are PyTorch's") {
  auto [p, s] = loaded();
  auto const x = test::some<images>(50);
  for (double const wanted : nets::resnet_losses) {
    auto [next, after, loss] = step(p, s, x, array<int, 4>{0, 1, 2, 3});
    p = next;
    s = after;
    CHECK(std::abs(loss.item() - wanted) < 1e-12);
  }
}
