// SPDX-License-Identifier: BSD-3-Clause
// Attention by tiles beside the plain form, which attention_norm.cpp compares with JAX: values and derivatives with each
// option, eager and fused, tiles and a rest; that the plain call takes it where scores are many; memory.
#include <etna/exec/plan_type.hpp>

#include "same.hpp"

using namespace test;

namespace {

template <class T, extent... E> array<T, E...> made(int seed) { return some<array<T, E...>>(seed); }

/// Both forms with options that are made of arguments behind query, key and value.
template <extent Rows, class Options> struct forms {
  template <class... A> static constexpr auto plain(A const&... x) {
    return with_options([](auto const&... a) { return nn::plain_attention(a...); }, x...);
  }
  template <class... A> static constexpr auto tiled(A const&... x) {
    return with_options([](auto const&... a) { return nn::attention_by_tiles<Rows>(a...); }, x...);
  }
  template <class F, class Q, class K, class... A>
  static constexpr auto with_options(F f, Q const& q, K const& k, K const& v, A const&... more) {
    return std::apply([&](auto const&... option) { return f(q, k, v, nn::scale_of(0.3, option...), option...); },
                      Options{}(more...));
  }
};
/// Values, and gradients by all arguments along some cotangent.
template <bool Tiled, class Forms, class... A> constexpr auto pulled(A const&... x) {
  auto f = [](auto const&... a) {
    if constexpr (Tiled) return Forms::tiled(a...);
    else return Forms::plain(a...);
  };
  auto [y, pull] = vjp(f, x...);
  return std::pair{y, pull(sin(3 * y) + 0.5)};
}
template <extent Rows, class Options, class... A> void check(Options, A const&... x) {
  using both = forms<Rows, Options>;
  auto should = pulled<false, both>(x...);
  near(pulled<true, both>(x...), should, 2e-5, 1e-12);
  near(jit([](auto const&... a) { return pulled<true, both>(a...); })(x...), should, 2e-5, 1e-12);
}
auto const no_option = [] { return std::tuple<>{}; };

/// Forward mode, forward over reverse, reverse over reverse.
template <bool Tiled> constexpr auto second(auto const& q, auto const& k, auto const& v) {
  auto loss = [](auto const&... x) {
    if constexpr (Tiled) return sum(sin(nn::attention_by_tiles<3>(x..., 0.3)));
    else return sum(sin(nn::plain_attention(x..., 0.3)));
  };
  auto args = std::tuple{q, k, v}, along = std::tuple{cos(q), cos(2 * k), sin(5 * v)};
  auto turned = [=](auto const&... x) {
    return sum(std::get<0>(grad<0, 1, 2>(loss)(x...)) * std::get<0>(along));
  };
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

TEST_CASE_TEMPLATE("attention by tiles is the plain one, tiles and a rest", T, TEST_FLOATS) {
  auto q = made<T, 2, 37, 4, 3>(1);
  auto k = made<T, 2, 22, 4, 3>(2), v = made<T, 2, 22, 4, 3>(3);
  check<16>(no_option, q, k, v);
  check<8>([] { return std::tuple{causal}; }, q, k, v);
}

TEST_CASE("with a bias, masks and grouped queries") {
  auto q = made<double, 2, 12, 4, 3>(1);
  auto k = made<double, 2, 10, 2, 3>(2), v = made<double, 2, 10, 2, 3>(3);
  // a bias of each head that is causal, a scale; of each example and key; of all heads and each query, with a mask
  check<4>([](auto const& b) { return std::tuple{b, causal, attention_scale{0.7}}; }, q, k, v,
           made<double, 4, 12, 10>(4));
  check<4>([](auto const& b, auto const& c) { return std::tuple{b, c, greater(b, -0.4)}; }, q, k, v,
           made<double, 2, 1, 1, 10>(5), made<double, 12, 1>(6));
}

TEST_CASE("a query that sees nothing has the mean of all values, and so does its gradient") {
  auto q = made<double, 1, 9, 1, 2>(1);
  auto k = made<double, 1, 9, 1, 2>(2), v = made<double, 1, 9, 1, 2>(3);
  auto seen = concatenate<0>(full<double, 2, 9>(-1), made<double, 7, 9>(4));
  auto masked = [](auto const& m) { return std::tuple{greater(m, -0.2), causal}; };
  check<3>(masked, q, k, v, seen);
  auto y = nn::attention_by_tiles<3>(q, k, v, 1., greater(seen, -0.2), causal);
  near(slice<0, 1, 0>(y), mean<0>(slice<0, every, 0>(v)));
}

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
    return vmap([&](auto const&... x) {
      return squeeze<0>(nn::attention_by_tiles<4>(expand_dims<0>(x)..., 0.5, m));
    })(all...);
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
