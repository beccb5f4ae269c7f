// SPDX-License-Identifier: BSD-3-Clause
// multi_head_attention against flax: itself, masked, across; grouped heads, rotary positions, and a cache, step by
// step.
#include "data/layers.inc.hpp"
#include "layers.hpp"

using namespace test;

namespace {
using layer = nn::multi_head_attention<double, 8, 4>;
using grouped = nn::multi_head_attention<double, 8, 4, 2, 6, nn::no_bias>;
}  // namespace

TEST_CASE("attention is flax's, also with a mask and to other positions") {
  against<layer, array<double, 2, 5, 8>>(reference::layer_attention);
  against<layer, array<double, 2, 5, 8>>(reference::layer_attention_causal,
                                         [](auto const& p, auto const& x) { return p(x, causal); });
  auto p = filled<layer>();
  auto x = some<array<double, 2, 5, 8>>(50);
  auto memory = some<array<double, 2, 6, 8>>(51);
  auto pulled = [](auto const& ct, layer const& p, auto const& x, auto const& memory) {
    auto [y, pull] = vjp([](auto const& p, auto const& x, auto const& m) { return p.across(x, m); }, p, x, memory);
    return std::pair{y, pull(ct)};
  };
  auto ct = some<array<double, 2, 5, 8>>(90);
  check_leaves(leaves(pulled(ct, p, x, memory)), reference::layer_attention_across);
  check_leaves(leaves(jit(pulled)(ct, p, x, memory)), reference::layer_attention_across);
  // one example, and a mask as an array
  near(vmap<none, 0>([](auto const& p, auto const& x) { return p(x, causal); })(p, x), p(x, causal));
  auto seen = less_equal(expand_dims<0>(arange<int, 5>()), expand_dims<1>(arange<int, 5>()));
  near(p(x, seen), p(x, causal));
}

TEST_CASE("grouped heads are heads whose keys and values are repeated") {
  auto p = filled<grouped>();
  nn::multi_head_attention<double, 8, 4, 4, 6, nn::no_bias> whole{
      {p.query.kernel}, {repeat<2, 1>(p.key.kernel)}, {repeat<2, 1>(p.value.kernel)}, {p.out.kernel}};
  auto x = some<array<double, 3, 5, 8>>(50);
  near(p(x), whole(x));
  near(p(x, causal, nn::rotary{100.}), whole(x, causal, nn::rotary{100.}));
}

TEST_CASE("rotary positions: lengths stay, products know distances alone") {
  auto q = some<array<double, 6, 2, 4>>(1), k = some<array<double, 6, 2, 4>>(2);
  auto turned = nn::rotary_embedding(q);
  near(sum<-1>(square(turned)), sum<-1>(square(q)));
  near(take<0>(turned, array<int>(0)), take<0>(q, array<int>(0)));
  // feature 0 of position 3 is turned by 3, feature 1 by 3 / 100
  auto at = [&](int i) { return double(q(3, 1, i)); };
  CHECK(double(turned(3, 1, 0)) == doctest::Approx(at(0) * std::cos(3.) - at(2) * std::sin(3.)).epsilon(1e-13));
  CHECK(double(turned(3, 1, 3)) == doctest::Approx(at(3) * std::cos(.03) + at(1) * std::sin(.03)).epsilon(1e-13));
  auto products = [](auto const& a, auto const& b) { return einsum<"tnh,snh->nts">(a, b); };
  near(products(nn::rotary_embedding(q, 7), nn::rotary_embedding(k, array<int>(7))),
       products(nn::rotary_embedding(q), nn::rotary_embedding(k)));
}

TEST_CASE("a cache, position by position, gives what a causal call gives") {
  auto p = filled<grouped>();
  auto x = some<array<double, 5, 8>>(50);
  auto all = p(x, causal, nn::rotary{});
  auto step = jit([](grouped const& p, array<double, 1, 8> const& x, grouped::cache<7> const& c) {
    return p.decode(x, c, nn::rotary{});
  });
  grouped::cache<7> cache{}, both{};
  for (int i = 0; i < 5; ++i) {
    array<double, 1, 8> one = dynamic_slice<1, 8>(x, i, 0);
    auto [y, next] = step(p, one, cache);
    near(y, array<double, 1, 8>(dynamic_slice<1, 8>(all, i, 0)), 1e-6, 1e-12);
    cache = next;
  }
  CHECK(cache.length.item() == 5);
  auto [first, then] = p.decode(array<double, 3, 8>(dynamic_slice<3, 8>(x, 0, 0)), both, nn::rotary{});
  auto [second, end] = p.decode(array<double, 2, 8>(dynamic_slice<2, 8>(x, 3, 0)), then, nn::rotary{});
  near(concatenate(first, second), all, 1e-6, 1e-12);
  near(end, cache, 1e-6, 1e-12);
  // a batch of examples, each with its cache
  using batch = array<double, 3, 2, 8>;
  auto xs = some<batch>(60);
  grouped::cache<7> empty{};
  auto ys = vmap<none, 0, none>([](auto const& p, auto const& x, auto const& c) { return p.decode(x, c).first; })(
      p, xs, empty);
  near(ys, p(xs, causal), 1e-6, 1e-12);
}
