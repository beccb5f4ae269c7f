// SPDX-License-Identifier: BSD-3-Clause
// Attention by tiles beside the plain form, which attention_norm.cpp compares with JAX: values and gradients with each
// option, eager and fused, tiles and a rest.
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
template <extent Rows, bool Fused = true, class Options, class... A> void check(Options, A const&... x) {
  using both = forms<Rows, Options>;
  auto should = pulled<false, both>(x...);
  near(pulled<true, both>(x...), should, 2e-5, 1e-12);
  if constexpr (Fused) near(jit([](auto const&... a) { return pulled<true, both>(a...); })(x...), should, 2e-5, 1e-12);
}
auto const no_option = [] { return std::tuple<>{}; };

}  // namespace

TEST_CASE_TEMPLATE("attention by tiles is the plain one, tiles and a rest", T, TEST_FLOATS) {
  auto q = made<T, 2, 37, 4, 3>(1);
  auto k = made<T, 2, 22, 4, 3>(2), v = made<T, 2, 22, 4, 3>(3);
  check<16>(no_option, q, k, v);
}

TEST_CASE("causal tiles see the keys of their band") {
  auto q = made<double, 1, 37, 1, 3>(1);
  auto k = made<double, 1, 22, 1, 3>(2), v = made<double, 1, 22, 1, 3>(3);
  check<3>([] { return std::tuple{causal}; }, q, k, v);  // twelve tiles, eight bands
  check<8, false>([] { return std::tuple{causal}; }, k, q, sin(q));
}

TEST_CASE("with a bias, masks and grouped queries") {
  auto q = made<double, 2, 12, 4, 3>(1);
  auto k = made<double, 2, 10, 2, 3>(2), v = made<double, 2, 10, 2, 3>(3);
  // a bias of each head that is causal, a scale; of each example and key; of all heads and each query, with a mask
  check<4>(
      [](auto const& b) {
        return std::tuple{b, causal, attention_scale{0.7}};
      },
      q, k, v, made<double, 4, 12, 10>(4));
  check<4>(
      [](auto const& b, auto const& c) {
        return std::tuple{b, c, greater(b, -0.4)};
      },
      q, k, v, made<double, 2, 1, 1, 10>(5), made<double, 12, 1>(6));
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
