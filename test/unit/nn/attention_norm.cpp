// SPDX-License-Identifier: BSD-3-Clause
// layer_norm, rms_norm and dot_product_attention against JAX: values and gradients; eager and fused; a named batch.
#include "data/functions.inc.hpp"
#include "same.hpp"

using namespace test;

namespace {

template <extent... E> array<double, E...> made(int seed) { return some<array<double, E...>>(seed); }
void check_leaves(std::vector<leaf> const& is, std::vector<reference::numbers> const& should) {
  REQUIRE(is.size() == should.size());
  for (std::size_t k = 0; k < is.size(); ++k) {
    REQUIRE(is[k].x.size() == should[k].size());
    for (std::size_t i = 0; i < is[k].x.size(); ++i) {
      CAPTURE(k);
      CAPTURE(i);
      CHECK(is[k].x[i] == doctest::Approx(should[k][i]).epsilon(1e-11).scale(0.1));
    }
  }
}
/// f and its gradient along the cotangent that functions.py has, eager and fused.
template <class F, std::size_t N, class... A>
void check(F f, reference::numbers const& out, reference::numbers const (&grads)[N], A const&... x) {
  using Y = decltype(f(x...));
  auto cotangent = some<Y>(9);
  auto pulled = [](auto const& ct, auto const&... args) {
    auto [y, pull] = vjp(F{}, args...);
    return std::pair{y, pull(ct)};
  };
  std::vector<reference::numbers> should{out};
  for (auto const& g : grads) should.push_back(g);
  check_leaves(leaves(pulled(cotangent, x...)), should);
  check_leaves(leaves(jit(pulled)(cotangent, x...)), should);
}

auto const norm = [](auto const& x, auto const& scale, auto const& shift) { return layer_norm(x, scale, shift); };
auto const root = [](auto const& x, auto const& scale) { return rms_norm(x, scale); };
auto const attend = [](auto const& q, auto const& k, auto const& v) { return dot_product_attention(q, k, v); };
auto const attend_back = [](auto const& q, auto const& k, auto const& v) {
  return dot_product_attention(q, k, v, causal, attention_scale{0.25});
};
constexpr extent b = 2, t = 5, s = 6, n = 4, h = 3;

}  // namespace

TEST_CASE("layer_norm and rms_norm are JAX's") {
  check(norm, reference::layer_norm, reference::grad_of_layer_norm, made<3, 7>(1), made<7>(2), made<7>(3));
  check(root, reference::rms_norm, reference::grad_of_rms_norm, made<3, 7>(1), made<7>(2));
  auto x = made<3, 7>(4);
  near(layer_norm<0>(x), transpose(layer_norm(transpose(x))));
  near(mean<-1>(layer_norm(x)), zeros<double, 3>());
  near(mean<-1>(square(rms_norm(x, 0.))), ones<double, 3>());
}

TEST_CASE("dot_product_attention is JAX's") {
  auto q = made<b, t, n, h>(1);
  auto k = made<b, s, n, h>(2), v = made<b, s, n, h>(3);
  check(attend, reference::attention, reference::grad_of_attention, q, k, v);
  check(attend_back, reference::attention_causal, reference::grad_of_attention_causal, q, k, v);
  check(attend, reference::attention_grouped, reference::grad_of_attention_grouped, q, made<b, s, 2, h>(4),
        made<b, s, 2, h>(5));
  // the mask is an argument whose gradient is none: it is left out of the comparison
  auto mask = greater(made<b, 1, t, s>(7), -0.5);
  auto masked = [](auto const& ct, auto const& seen, auto const&... x) {
    auto [y, pull] = vjp([&](auto const& q, auto const& k, auto const& v,
                             auto const& bias) { return dot_product_attention(q, k, v, bias, seen); },
                         x...);
    return std::pair{y, pull(ct)};
  };
  std::vector<reference::numbers> should{reference::attention_masked};
  for (auto const& g : reference::grad_of_attention_masked) should.push_back(g);
  auto ct = made<b, t, n, h>(9);
  auto bias = made<n, t, s>(6);
  check_leaves(leaves(masked(ct, mask, q, k, v, bias)), should);
  check_leaves(leaves(jit(masked)(ct, mask, q, k, v, bias)), should);
}

TEST_CASE("attention without a batch, under vmap, and of a named batch, is the same") {
  auto q = made<b, t, n, h>(1);
  auto k = made<b, s, n, h>(2), v = made<b, s, n, h>(3);
  auto all = dot_product_attention(q, k, v, causal);
  auto one = [](auto const& x, auto const& y, auto const& z) { return dot_product_attention(x, y, z, causal); };
  near(vmap(one)(q, k, v), all);
  near(jit(vmap(one))(q, k, v), all);
  using queries = array<double, "batch"_n, t, n, h>;
  using keys = array<double, "batch"_n, s, n, h>;
  auto named = [](queries const& x, keys const& y, keys const& z) { return dot_product_attention(x, y, z, causal); };
  near(jit(named)(queries(q), keys(k), keys(v)), all);
  near(named(queries(q), keys(k), keys(v)), all);
}

TEST_CASE("softmax and logsumexp: several axes, all of them, infinities") {
  using x_t = array<double, 3, 4, 5>;
  auto x = some<x_t>(1, -3, 3);
  as_eager(
      [](x_t x) {
        return std::tuple{logsumexp<0, -1>(x),     logsumexp(x), logsumexp<1, 2>(x, keepdims), softmax<2, 0>(x),
                          log_softmax<0, 1, 2>(x), softmax(x)};
      },
      x);
  near(logsumexp<0, -1>(x), log(sum<0, 2>(exp(x))));
  near(logsumexp(x), log(sum(exp(x))));
  near(softmax<2, 0>(x), exp(x) / sum<0, 2>(exp(x), keepdims));
  near(log_softmax<0, 1, 2>(x), x - log(sum(exp(x))));
  near(softmax(x), softmax<2>(x));
  // jax.nn.logsumexp: the logarithm of no probability at all
  constexpr double inf = std::numeric_limits<double>::infinity();
  array<double, 3, 2> y{{-inf, -inf}, {-inf, 2}, {inf, 1}};
  auto rows = [](array<double, 3, 2> y) { return logsumexp<1>(y); };
  near(rows(y), array<double, 3>{-inf, 2, inf});
  as_eager(rows, y);
  near(grad([](array<double, 2, 2> y) { return logsumexp(y); })(array<double, 2, 2>{{0, 0}, {-inf, -inf}}),
       array<double, 2, 2>{{0.5, 0.5}, {0, 0}});
}
