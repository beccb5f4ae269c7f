// SPDX-License-Identifier: BSD-3-Clause
// The vision transformer of examples/models against Hugging Face's, and its published sizes as constants.
#include <doctest/doctest.h>

#include "../../../examples/models/vit.hpp"
#include "../../data/vit.inc.hpp"
#include "../data/file.hpp"
#include "near.hpp"

using namespace etna;

namespace {

using vit = models::vit<double, models::vit_config{12, 4, 3, 8, 12, 2, 2, 5}>;
using images = array<double, 6, 12, 12, 3>;

constexpr auto logits = jit([](vit const& p, images const& x) {
  return vmap<none, 0>([](vit const& p, auto const& x) { return p(x); })(p, x);
});
constexpr auto step = jit([](vit const& p, images const& x, array<int, 6> const& y) {
  auto [loss, gradient] = value_and_grad(models::vit_loss)(p, x, y);
  return std::pair{tree::map([](auto const& a, auto const& g) { return a - 0.05 * g; }, p, gradient), loss};
});

}  // namespace

TEST_CASE("a small vision transformer with Hugging Face's names gives its logits, and its losses in 50 steps") {
  test_data::folder f;
  huggingface::write_checkpoint(f / "x", huggingface::vit::entries);
  vit p{};
  data::load(p, f / "x", models::vit_names);
  auto const x = test::some<images>(50);
  CHECK(models::distance(logits(p, x), huggingface::vit::logits) < 1e-11);
  for (double const wanted : huggingface::vit::losses) {
    auto [next, loss] = step(p, x, array<int, 6>{0, 1, 2, 3, 4, 0});
    p = next;
    CHECK(std::abs(loss.item() - wanted) < 1e-11);
  }
}

namespace {

/// Parameters in millions, and three times the FLOPs of a picture in billions (forward and backward): as published.
template <models::vit_config C> constexpr bool is_of_size(double millions, double billions) {
  using model = models::vit<float, C>;
  double const p = double(nn::parameter_count<model>()) * 1e-6,
               f = 3e-9 * double(nn::product_flops<model, array<float, C.image, C.image, C.channels>>());
  return p - millions < 0.5 && millions - p < 0.5 && f - billions < 0.5 && billions - f < 0.5;
}
static_assert(nn::parameter_count<models::vit<float, models::vit_b16>>() == 86'567'656);
static_assert(is_of_size<models::vit_b16>(86.6, 105) && is_of_size<models::vit_l16>(304, 369));
static_assert(is_of_size<models::vit_h14>(632, 1004) && is_of_size<models::vit_g14>(1013, 1602));
static_assert(is_of_size<models::vit_gigantic14>(1844, 2902));

}  // namespace
