// SPDX-License-Identifier: BSD-3-Clause
// The gates of derivatives in kernels: they stay where a branch was not taken and its factor is infinite, and are plain
// products where no branch is behind them.
#include <etna/nn/norm.hpp>

#include "same.hpp"

using namespace test;

namespace {

using v = array<double, 40>;
using m = array<float, 6, 50>;
/// Numbers on both sides of 0, and 0.
v around_zero() {
  return v::build([](double* x) {
    for (int i = 0; i < 40; ++i) x[i] = (i % 5 - 2) * 0.5;
  });
}
template <class F, class... A> bool has_gates(F, A const&... x) {
  return show_plan(jit(F{}), x...).find("scale") != std::string::npos;
}
/// The gradient of the sum of f has gates in its kernels, or has none; its numbers are the interpreter's, and finite.
template <class F, class A> void gradient(bool gates, F, A const& x) {
  auto g = [](A const& a) { return grad([](A const& b) { return sum(F{}(b)); })(a); };
  CHECK(has_gates(g, x) == gates);
  as_eager(g, x);
  CHECK(bool(all(isfinite(jit(g)(x)))));
}

}  // namespace

TEST_CASE("a branch that was not taken gives no NaN") {
  auto x = around_zero();
  gradient(
      true, [](v const& a) { return where(a > 0.0, log(a), 0.0); }, x);
  gradient(
      true, [](v const& a) { return where(a > 0.0, sqrt(a), a); }, x);
  gradient(
      true, [](v const& a) { return where(a > 0.0, a / (a * a), a); }, x);
  gradient(
      true, [](v const& a) { return where(a == 0.0, 1.0, sin(a) / a); }, x);
  gradient(
      true, [](v const& a) { return where(a > 0.0, rsqrt(a * a), a); }, x);
  gradient(
      true, [](v const& a) { return where(a > 0.2, a, exp(2000.0 * a)); }, x);
  gradient(
      true, [](v const& a) { return maximum(log(abs(a)), -3.0); }, x + 1e-3);
  SUBCASE("outside of a loop, in which the factor is") {
    gradient(
        true,
        [](v const& a) {
          auto roots = fori_loop<0, 3>([&](auto const&, v const& c) { return v(c + sqrt(a)); }, v(a));
          return where(a > 0.0, roots, a);
        },
        x);
  }
}
TEST_CASE("without a branch they are products") {
  auto x = around_zero();
  gradient(
      false, [](v const& a) { return a * a * a; }, x);
  gradient(
      false, [](v const& a) { return sin(a) * cos(a) * tanh(a); }, x);
  gradient(
      false, [](v const& a) { return a * rsqrt(a * a + 0.1); }, x);
  gradient(
      false, [](v const& a) { return a * log(1.0 + a * a) / 3.0; }, x);
  gradient(
      false, [](v const& a) { return a * sqrt(sum(a * a) + 1.0); }, x);
  gradient(
      false,
      [](m const& a) {
        auto y = layer_norm(a);
        return y * y * y;
      },
      some<m>(1));
}
TEST_CASE("an argument that is infinite where it is masked") {
  auto finite = [](v const& a) { return where(isfinite(a), a * a, 0.0); };
  auto in_loop = [](v const& a) {
    return where(isfinite(a), fori_loop<0, 3>([&](auto const&, v const& c) { return v(c * a); }, ones<double, 40>()),
                 0.0);
  };
  auto x = around_zero();
  x = where(x == 0.0, INFINITY, x);
  gradient(true, finite, x);
  gradient(true, in_loop, x);
}
TEST_CASE("factors that are bounded, and such that are not") {
  // the derivative by b is scale(a, h(b))
  auto gated = []<class H>(H) {
    return has_gates(
        [](v const& a, v const& b) {
          return grad([&](v const& b) { return sum(a * (b * stop_gradient(H{}(b)))); })(b);
        },
        v{}, v{});
  };
  CHECK(gated([](v const& b) { return exp(b); }));
  CHECK(gated([](v const& b) { return sqrt(b); }));
  CHECK(!gated([](v const& b) { return sqrt(b * b); }));
  CHECK(gated([](v const& b) { return rsqrt(b * b); }));
  CHECK(gated([](v const& b) { return rsqrt(b + 1.0); }));
  CHECK(gated([](v const& b) { return rsqrt(b * b - 1.0); }));
  CHECK(gated([](v const& b) { return rsqrt(b * b + -1.0); }));
  CHECK(gated([](v const& b) { return rsqrt(b * b + b * b); }));
  CHECK(gated([](v const& b) { return rsqrt((b * b + 1.0) + -3.0); }));
  CHECK(gated([](v const& b) { return rsqrt(sum(b * b) * ones<double, 40>()); }));
  CHECK(!gated([](v const& b) { return rsqrt(b * b + 1.0); }));
  CHECK(!gated([](v const& b) { return rsqrt(1.0 + v(sum(b * b) * ones<double, 40>())); }));
  CHECK(gated([](v const& b) { return rsqrt(logistic(b)); }));
  CHECK(!gated([](v const& b) { return rsqrt(1.0 + logistic(b)); }));
  CHECK(gated([](v const& b) { return rsqrt(1.0 + tanh(b)); }));
  CHECK(gated([](v const& b) { return rsqrt(1.0 + exp(b)); }));
  CHECK(gated([](v const& b) { return log(b * b); }));
  CHECK(gated([](v const& b) { return log(-(b * b + 1.0)); }));
  CHECK(!gated([](v const& b) { return log(b * b + 1.0); }));
  CHECK(gated([](v const& b) { return 1.0 / b; }));
  CHECK(gated([](v const& b) { return 1.0 / sin(b); }));
  CHECK(gated([](v const& b) { return 1.0 / (2.0 - b * b); }));
  CHECK(!gated([](v const& b) { return 1.0 / -(b * b + 1.0); }));
  CHECK(!gated([](v const& b) { return rsqrt(b * b / 3.0 + 1.0); }));
  CHECK(gated([](v const& b) { return rsqrt(b * b / -3.0 + 1.0); }));
  CHECK(gated([](v const& b) { return log(sqrt(b * b)); }));
  CHECK(!gated([](v const& b) { return log(sqrt(b * b + 1.0)); }));
  CHECK(gated([](v const& b) { return pow(b, 0.5); }));
  CHECK(gated([](v const& b) { return full<double, 40>(INFINITY) * b; }));
  CHECK(gated([](v const& b) { return rsqrt(where(b > 0.0, b, 1.0)); }));
  CHECK(!gated([](v const& b) { return erf(tanh(cos(b))) - b; }));
}
TEST_CASE("what may be 0 or below is no bound") {
  auto zero = [](v const& a, v const& b) { return grad([&](v const& b) { return sum(a * a * a * log(b * b)); })(b); };
  auto gives_zero = [](auto f) {
    v const none = zeros<double, 40>();
    CHECK(has_gates(f, none, none));
    CHECK(bool(all(f(none, none) == 0.0)));
    CHECK(bool(all(jit(f)(none, none) == 0.0)));
  };
  gives_zero(zero);
  gives_zero([](v const& a, v const& b) { return grad([&](v const& b) { return sum(a * log(b * b + abs(b))); })(b); });
  gives_zero([](v const& a, v const& b) { return grad([&](v const& b) { return sum(a * sqrt(exp(b) - 1.0)); })(b); });
}
