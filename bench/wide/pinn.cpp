// SPDX-License-Identifier: BSD-3-Clause
// A network that solves Poisson's equation: gradient of the squared residual at 4,096 places, with the Hessian there.
#include <numbers>

#include "program.hpp"

namespace {

using namespace wide;
template <class T> struct net {
  array<T, 2, 32> w1;
  array<T, 32> b1;
  array<T, 32, 32> w2;
  array<T, 32> b2, w3;
  array<T> b3;
};
template <class T> using places = array<T, 4096, 2>;
template <class T> constexpr auto value = [](net<T> const& p, array<T, 2> x) {
  auto h = tanh(dot(x, p.w1) + p.b1);
  return dot(tanh(dot(h, p.w2) + p.b2), p.w3) + p.b3;
};
template <class T> constexpr auto loss = [](net<T> const& p, places<T> at) {
  auto residual = [&](array<T, 2> x) {
    constexpr T pi = std::numbers::pi_v<T>;
    auto h = hessian([&](array<T, 2> y) { return value<T>(p, y); })(x);
    auto f = T(-2) * pi * pi * sin(pi * slice<0>(x)) * sin(pi * slice<1>(x));
    return slice<0, 0>(h) + slice<1, 1>(h) - f;
  };
  return mean(square(vmap(residual)(at)));
};
template <class T> constexpr auto f = jit([](net<T> p, places<T> at) { return grad(loss<T>)(p, at); });
template <class T> void pinn(double seconds) {
  net<T> p{fill<array<T, 2, 32>>(1),   fill<array<T, 32>>(2),      fill<array<T, 32, 32>>(3, 0.3),
           fill<array<T, 32>>(4, 0.3), fill<array<T, 32>>(5, 0.3), fill<array<T>>(6)};
  run_or_show(seconds, f<T>, p, fill<places<T>>(7));
}
entry const e("pinn", pinn<float>), e64("pinn64", pinn<double>);

}  // namespace
