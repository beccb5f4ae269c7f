// SPDX-License-Identifier: BSD-3-Clause
// f32 functions of kernels against the C library's in f64: over all of f32, a number in 4,099. With ETNA_ULP_STRIDE=1
// in the environment over every f32 (ten minutes), and the table of docs/accuracy.md is printed.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>

#include "same.hpp"

using namespace test;

namespace {

using numbers = array<float, 1 << 16>;
constexpr float inf = std::numeric_limits<float>::infinity(), no_number = std::numeric_limits<float>::quiet_NaN();

/// |y - truth| in units of the last place of an f32 near the truth; what is no f32 is as far as 2^128.
double ulp(float y, double truth) {
  if (std::isnan(truth) || std::isnan(y)) return std::isnan(truth) && std::isnan(y) ? 0 : 1e30;
  auto reach = [](double v) { return v > 0x1p128 ? 0x1p128 : v < -0x1p128 ? -0x1p128 : v; };
  int e;
  (void)std::frexp(reach(truth), &e);
  e = e < -125 ? -125 : e > 128 ? 128 : e;
  return std::abs(reach(double(y)) - reach(truth)) / std::ldexp(1., e - 24);
}

struct worst {
  double error = 0;
  float at = 0;
};

/// Without fused multiply-add the functions are xsimd's, whose exponentials end a little early: there the rest is asked
/// for.
bool applies(float x) { return math::fuses || std::abs(x) <= 80; }

/// Where the truth is at least `least`.
template <class F> worst largest_error(char const* name, F const& kernel, double (*truth)(double), double least) {
  char const* wanted = std::getenv("ETNA_ULP_STRIDE");
  std::uint64_t stride = wanted ? std::strtoull(wanted, nullptr, 10) : 4099, end = std::uint64_t(1) << 32;
  worst w;
  for (std::uint64_t from = 0; from < end; from += stride * numbers::size()) {
    auto x = numbers::build([&](float* to) {
      for (std::uint64_t k = 0; k < numbers::size(); ++k)
        to[k] = std::bit_cast<float>(std::uint32_t(from + k * stride));
    });
    numbers y = kernel(x);
    for (std::uint64_t k = 0; k < numbers::size(); ++k)
      if (double t = truth(x.data()[k]), e = ulp(y.data()[k], t);
          e > w.error && !(std::abs(t) < least) && applies(x.data()[k]))
        w = {e, x.data()[k]};
  }
  if (wanted) std::printf("| %s | %.2f | %.9g |\n", name, w.error, double(w.at));
  return w;
}

constexpr auto exp_of = jit([](numbers x) { return exp(x); });
constexpr auto exp2_of = jit([](numbers x) { return exp2(x); });
constexpr auto expm1_of = jit([](numbers x) { return expm1(x); });
constexpr auto log_of = jit([](numbers x) { return log(x); });
constexpr auto log1p_of = jit([](numbers x) { return log1p(x); });
constexpr auto sin_of = jit([](numbers x) { return sin(x); });
constexpr auto cos_of = jit([](numbers x) { return cos(x); });
constexpr auto tanh_of = jit([](numbers x) { return tanh(x); });
constexpr auto sigmoid_of = jit([](numbers x) { return sigmoid(x); });

// Where a function is told apart from others: all of a register, so that no element is a scalar one.
using few = array<float, 32>;
few filled(float x) {
  return few::build([x](float* to) { std::fill_n(to, few::size(), x); });
}
constexpr auto all_of =
    jit([](few x) { return std::tuple{exp(x), exp2(x), expm1(x), log(x), log1p(x), sin(x), cos(x), tanh(x)}; });

bool same_bits(float x, float y) { return std::bit_cast<std::uint32_t>(x) == std::bit_cast<std::uint32_t>(y); }

}  // namespace

TEST_CASE("fused: f32 functions within 3 ulp of the truth for every argument") {
  auto check = [](char const* name, auto const& kernel, double (*truth)(double), double most, double least = 0) {
    worst w = largest_error(name, kernel, truth, least);
    INFO(std::string(name), " of ", w.at);
    CHECK(w.error < (math::fuses ? most : 4));
  };
  check(
      "exp", exp_of, [](double x) { return std::exp(x); }, 1);
  check(
      "exp2", exp2_of, [](double x) { return std::exp2(x); }, 1.5);
  check(
      "expm1", expm1_of, [](double x) { return std::expm1(x); }, 2);
  check(
      "log", log_of, [](double x) { return std::log(x); }, 1.5);
  check(
      "log1p", log1p_of, [](double x) { return std::log1p(x); }, 2);
  check(
      "sin", sin_of, [](double x) { return std::sin(x); }, 2.5);
  check(
      "cos", cos_of, [](double x) { return std::cos(x); }, 2.5);
  check(
      "tanh", tanh_of, [](double x) { return std::tanh(x); }, 3);
  // exp(-x) is infinite before the truth is 0
  check(
      "sigmoid", sigmoid_of, [](double x) { return 1 / (1 + std::exp(-x)); }, 3, 0x1p-126);
}

TEST_CASE("fused: f32 functions at zeros, infinities, NaN and the ends of their ranges" * doctest::skip(!math::fuses)) {
  auto values = [](float x) {
    auto [e, e2, em, l, lp, s, c, t] = all_of(filled(x));
    for (int k : {1, 15, 16, 31}) CHECK(same_bits(e.data()[k], e.data()[0]));
    return std::array{e.data()[0],  e2.data()[0], em.data()[0], l.data()[0],
                      lp.data()[0], s.data()[0],  c.data()[0],  t.data()[0]};
  };
  auto expect = [&](float x, std::array<float, 8> wanted) {
    auto got = values(x);
    for (std::size_t k = 0; k < 8; ++k) {
      INFO("function ", k, " of ", x, " is ", got[k]);
      CHECK((std::isnan(wanted[k]) ? std::isnan(got[k]) : same_bits(wanted[k], got[k])));
    }
  };
  //            exp  exp2 expm1  log  log1p sin   cos  tanh
  expect(0.f, {1.f, 1.f, 0.f, -inf, 0.f, 0.f, 1.f, 0.f});
  expect(-0.f, {1.f, 1.f, -0.f, -inf, -0.f, -0.f, 1.f, -0.f});
  expect(inf, {inf, inf, inf, inf, inf, no_number, no_number, 1.f});
  expect(-inf, {0.f, 0.f, -1.f, no_number, no_number, no_number, no_number, -1.f});
  expect(no_number, {no_number, no_number, no_number, no_number, no_number, no_number, no_number, no_number});
  CHECK(values(-1.f)[4] == -inf);
  CHECK(values(1.f)[3] == 0);
  // to the last numbers before infinity, through the subnormals, and to zero
  CHECK(values(88.7228f)[0] == doctest::Approx(std::exp(88.7228f)));
  CHECK(values(88.7229f)[0] == inf);
  CHECK(values(-103.f)[0] == std::numeric_limits<float>::denorm_min());
  CHECK(values(-104.f)[0] == 0);
  for (int n = -149; n < 128; ++n) CHECK(values(float(n))[1] == std::ldexp(1.f, n));
  for (float tiny : {1e-40f, 1e-30f, -1e-20f}) {
    auto v = values(tiny);
    for (int k : {2, 4, 5, 7}) CHECK(v[std::size_t(k)] == tiny);
  }
}
