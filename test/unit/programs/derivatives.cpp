// SPDX-License-Identifier: BSD-3-Clause
// Derivatives put together: a Hessian for each example, the gradient of a scan of cond, and a loss of sorted residuals;
// and two small programs known from the tutorials of JAX.
#include "as_jax.hpp"

using namespace test;

namespace {

using scalar = array<double>;

constexpr auto example_loss = [](auto const& w, auto const& x, auto const& y) {
  return log1p(exp(-y * tanh(dot(x, w)))) + 0.05 * sum(square(square(w)));
};

constexpr auto switching = [](auto const& x, auto const& w, auto const& ts) {
  auto [last, out] = scan(
      [&](auto const& c, auto const& t) {
        auto next = cond(
            c < 1.0, [&](auto const& c) { return c * t + x; }, [&](auto const& c) { return sin(w * c); }, c);
        return std::pair{next, next * t};
      },
      x, ts);
  return last + sum(square(out));
};

template <int Percent> constexpr auto quantile = [](auto const& x) {
  constexpr int n = int(std::remove_cvref_t<decltype(x)>::type.e[0]) - 1, i = n * Percent / 100;
  constexpr double part = n * Percent / 100. - i;
  auto s = sort(x);
  return slice<i>(s) + part * (slice<i + 1>(s) - slice<i>(s));
};
constexpr auto quantile_loss = [](auto const& w, auto const& x, auto const& y) {
  auto r = y - dot(x, w);
  auto pinball = mean(maximum(0.8 * r, -0.2 * r));
  return pinball + square(quantile<75>(r) - quantile<25>(r)) + 0.1 * sum(slice<range{-3, rest}>(sort(r)));
};

// Three taps, as JAX's tutorial on vmap writes them for one sequence.
constexpr auto three_taps = [](auto const& x, auto const& w) {
  return stack(dot(slice<range{0, 3}>(x), w), dot(slice<range{1, 4}>(x), w), dot(slice<range{2, 5}>(x), w));
};
constexpr auto sum_of_squares = [](auto const& x) { return sum(square(sin(x))); };

}  // namespace

TEST_CASE("programs: three taps, mapped over sequences and weights") {
  using sequences = array<double, 2, 5>;
  auto f = [](sequences const& xs, array<double, 2, 3> const& ws) { return vmap(three_taps)(xs, ws); };
  sequences const xs{{0, 1, 2, 3, 4}, {4, 3, 2, 1, 0}};
  array<double, 2, 3> const ws{{2, 3, 4}, {2, 3, 4}};
  auto const eager = f(xs, ws), compiled = jit(f)(xs, ws);
  double const right[2][3] = {{11, 20, 29}, {25, 16, 7}};  // the first row is the tutorial's
  for (int i = 0; i < 2; ++i)
    for (int k = 0; k < 3; ++k) CHECK((eager(i, k) == right[i][k] && compiled(i, k) == right[i][k]));
  // Along columns, into columns.
  auto const columns = vmap<1, 1>(three_taps, out_axes<1>)(transpose(xs), transpose(ws));
  for (int i = 0; i < 2; ++i)
    for (int k = 0; k < 3; ++k) CHECK(columns(k, i) == right[i][k]);
}

TEST_CASE("programs: the sum of squared sines of a line, and its gradient") {
  constexpr int n = 1000;
  auto f = [] { return value_and_grad(sum_of_squares)(linspace<double, n>(0, 10)); };
  auto const check = [](auto const& r) {
    double value = 0, away = 0;
    for (int i = 0; i < n; ++i) {
      double const x = 10. * i / (n - 1);
      value += std::sin(x) * std::sin(x);
      away = std::max(away, std::abs(r.second(i) - std::sin(2 * x)));
    }
    CHECK(r.first.item() == doctest::Approx(value).epsilon(1e-13));
    CHECK(away < 1e-14);
  };
  check(f());
  check(jit(f)());
}

TEST_CASE("programs: per-example Hessians") {
  auto f = [](array<double, 4> w, array<double, 6, 4> x, array<double, 6> y) {
    return vmap<none, 0, 0>(hessian(example_loss))(w, x, y);
  };
  both_as_jax("hessians", 1e-12, f, numbers<array<double, 4>>(10), numbers<array<double, 6, 4>>(9),
              array<double, 6>{1, -1, 1, 1, -1, -1});
}

TEST_CASE("programs: the gradient of a scan of cond") {
  auto f = [](scalar x, scalar w, array<double, 8> ts) { return value_and_grad<0, 1, 2>(switching)(x, w, ts); };
  array<double, 8> ts{0.3, 0.9, 1.7, 0.4, 2.0, 1.1, 0.8, 1.9};
  both_as_jax("scan_of_cond", 1e-12, f, scalar(0.7), scalar(1.3), ts);
  auto each = [](array<double, 3> x, scalar w, array<double, 8> ts) {
    return vmap<0, none, none>(grad<0, 1>(switching))(x, w, ts);
  };
  both_as_jax("scan_of_cond_each", 1e-12, each, array<double, 3>{0.7, -0.3, 1.5}, scalar(1.3), ts);
}

TEST_CASE("programs: a loss of sorted quantiles and its gradient") {
  auto f = [](array<double, 3> w, array<double, 13, 3> x, array<double, 13> y) {
    return value_and_grad<0, 1, 2>(quantile_loss)(w, x, y);
  };
  both_as_jax("quantile", 1e-12, f, numbers<array<double, 3>>(11), numbers<array<double, 13, 3>>(12, 1. / 7),
              numbers<array<double, 13>>(13, 1. / 9));
}
