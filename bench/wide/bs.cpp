// SPDX-License-Identifier: BSD-3-Clause
// 100,000 options by Black and Scholes: price, four first derivatives and two second ones.
#include <numbers>

#include "program.hpp"

namespace {

using namespace wide;
constexpr extent n = 100000;
using number = array<double>;
constexpr auto ncdf = [](auto x) { return 0.5 * (1.0 + erf(x / std::numbers::sqrt2)); };
constexpr auto price = [](number s, number k, number v, number r, number t) {
  auto sd = v * sqrt(t);
  auto d1 = (log(s / k) + (r + 0.5 * v * v) * t) / sd;
  auto d2 = d1 - sd;
  return s * ncdf(d1) - k * exp(-r * t) * ncdf(d2);
};
constexpr auto one = [](number s, number k, number v, number r, number t) {
  auto [value, g] = value_and_grad<0, 2, 3, 4>(price)(s, k, v, r, t);
  auto [ds, dv, dr, dt] = g;
  return std::tuple{
      value, ds, dv, dr, dt, grad<0>(grad<0>(price))(s, k, v, r, t), grad<2>(grad<0>(price))(s, k, v, r, t)};
};
using numbers = array<double, n>;
constexpr auto f = jit([](numbers s, numbers k, numbers v, numbers r, numbers t) { return vmap(one)(s, k, v, r, t); });
entry const e("bs", [](double seconds) {
  run_or_show(seconds, f, uniform<numbers>(11, 80, 120), uniform<numbers>(12, 80, 120), uniform<numbers>(13, .1, .5),
              uniform<numbers>(14, 0, .06), uniform<numbers>(15, .1, 2));
});

}  // namespace
