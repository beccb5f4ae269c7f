// SPDX-License-Identifier: BSD-3-Clause
// Attention by tiles: forward mode, second derivatives, vmap, a named batch; memory; that the plain call takes it where
// scores are many.
#include <etna/exec/plan_type.hpp>

#include "same.hpp"

using namespace test;

namespace {

template <class T, extent... E> array<T, E...> made(int seed) { return some<array<T, E...>>(seed); }
/// Forward mode, forward over reverse, reverse over reverse.
template <bool Tiled> constexpr auto second(auto const& q, auto const& k, auto const& v) {
  auto loss = [](auto const&... x) {
    if constexpr (Tiled) return sum(sin(nn::attention_by_tiles<3>(x..., 0.3)));
    else return sum(sin(nn::plain_attention(x..., 0.3)));
  };
  auto args = std::tuple{q, k, v}, along = std::tuple{cos(q), cos(2 * k), sin(5 * v)};
  auto turned = [=](auto const&... x) { return sum(std::get<0>(grad<0, 1, 2>(loss)(x...)) * std::get<0>(along)); };
  return std::tuple{jvp(loss, args, along), jvp(grad<0, 1, 2>(loss), args, along), grad<0, 1, 2>(turned)(q, k, v)};
}
/// Values and gradients of the call, and of the plain form.
template <bool Plain> constexpr auto of_call(auto const& q, auto const& k, auto const& v) {
  auto [y, pull] = vjp(
      [](auto const&... x) {
        if constexpr (Plain) return nn::plain_attention(x..., nn::usual_scale(8), causal);
        else return dot_product_attention(x..., causal);
      },
      q, k, v);
  return std::pair{y, pull(cos(y))};
}

}  // namespace

TEST_CASE("forward mode and second derivatives") {
  auto q = made<double, 1, 7, 1, 2>(1);
  auto k = made<double, 1, 5, 1, 2>(2), v = made<double, 1, 5, 1, 2>(3);
  auto should = second<false>(q, k, v);
  near(second<true>(q, k, v), should, 0, 1e-12);
  near(jit([](auto const&... x) { return second<true>(x...); })(q, k, v), should, 0, 1e-12);
}

TEST_CASE("under vmap, with a mask that is the same for all, and of a named batch") {
  auto q = made<double, 3, 8, 2, 2>(1);
  auto k = made<double, 3, 8, 2, 2>(2), v = made<double, 3, 8, 2, 2>(3);
  auto mask = greater(made<double, 8, 8>(4), -0.3);
  auto should = nn::plain_attention(q, k, v, 0.5, mask);
  auto of_each = [](auto const& m, auto const&... all) {
    return vmap([&](auto const&... x) { return squeeze<0>(nn::attention_by_tiles<4>(expand_dims<0>(x)..., 0.5, m)); })(
        all...);
  };
  near(of_each(mask, q, k, v), should);
  near(jit(of_each)(mask, q, k, v), should);
  using named = array<double, "batch"_n, 8, 2, 2>;
  auto of_named = [](named const& q, named const& k, named const& v, array<bool, 8, 8> const& m) {
    return nn::attention_by_tiles<4>(q, k, v, 0.5, m);
  };
  near(jit(of_named)(named(q), named(k), named(v), mask), should);
}

// One head of 8,192 queries and keys: 256 MB are its scores, 2 MB an argument.
namespace long_one {
using x_t = array<float, 8192, 1, 64>;
constexpr auto f = [](x_t q, x_t k, x_t v) { return dot_product_attention(q, k, v); };
constexpr auto g = [](x_t q, x_t k, x_t v) {
  return grad<0, 1, 2>([](auto const&... x) { return sum(square(dot_product_attention(x..., causal))); })(q, k, v);
};
constexpr extent argument = 8192 * 64 * 4;
static_assert(plan_type<decltype(jit(f))>::peak_bytes < 8 * argument);
static_assert(plan_type<decltype(jit(g))>::peak_bytes < 32 * argument);
}  // namespace long_one

TEST_CASE("the plain call takes it where scores are many, with its gradients") {
  using x_t = array<float, 1, 512, 1, 8>;
  static_assert(nn::goes_by_tiles<x_t, x_t, double, nn::causal_t>());
  auto q = some<x_t>(1), k = some<x_t>(2), v = some<x_t>(3);
  near(jit([](auto const&... x) { return of_call<false>(x...); })(q, k, v),
       jit([](auto const&... x) { return of_call<true>(x...); })(q, k, v), 2e-5);
}
