// SPDX-License-Identifier: BSD-3-Clause
// Robertson's chemistry in 100,000 cells: Jacobian, and a Newton step with the inverse by hand.
#include "program.hpp"

namespace {

using namespace wide;
using state = array<double, 3>;
constexpr extent cells = 100000;
constexpr double h = 0.01;

constexpr auto robertson = [](state y) {
  auto a = slice<0>(y), b = slice<1>(y), c = slice<2>(y);
  return stack<0>(-0.04 * a + 1e4 * b * c, 0.04 * a - 1e4 * b * c - 3e7 * b * b, 3e7 * b * b);
};
constexpr auto solve3 = [](array<double, 3, 3> m, state r) {
  auto a = slice<0, 0>(m), b = slice<0, 1>(m), c = slice<0, 2>(m), d = slice<1, 0>(m), e = slice<1, 1>(m),
       f = slice<1, 2>(m), g = slice<2, 0>(m), h = slice<2, 1>(m), i = slice<2, 2>(m);
  auto r0 = slice<0>(r), r1 = slice<1>(r), r2 = slice<2>(r);
  auto ca = e * i - f * h, cb = f * g - d * i, cc = d * h - e * g, det = a * ca + b * cb + c * cc;
  auto x = ca * r0 + (c * h - b * i) * r1 + (b * f - c * e) * r2;
  auto y = cb * r0 + (a * i - c * g) * r1 + (c * d - a * f) * r2;
  auto z = cc * r0 + (b * g - a * h) * r1 + (a * e - b * d) * r2;
  return stack<0>(x, y, z) / det;
};
constexpr auto one = [](state y) {
  auto j = jacfwd(robertson)(y);
  return std::pair{y + solve3(eye<double, 3>() - h * j, h * robertson(y)), j};
};
constexpr auto f = jit([](array<double, cells, 3> y) { return vmap(one)(y); });
entry const e("stiff", [](double seconds) {
  auto y = array<double, cells, 3>::build([](double* out) {
    for (extent i = 0; i < cells; ++i) {
      double const b = 1e-6 + (4e-5 - 1e-6) * u01(std::uint64_t(i), 22), a = 0.1 + 0.8 * u01(std::uint64_t(i), 21);
      out[3 * i] = a;
      out[3 * i + 1] = b;
      out[3 * i + 2] = 1 - a - b;
    }
  });
  run_or_show(seconds, f, y);
});

}  // namespace
