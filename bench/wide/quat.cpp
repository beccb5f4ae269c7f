// SPDX-License-Identifier: BSD-3-Clause
// 100,000 rotations by quaternions: residual and its Jacobian.
#include "program.hpp"

namespace {

using namespace wide;
constexpr extent n = 100000;
using vector = array<double, 3>;
using quaternion = array<double, 4>;

constexpr auto cross_product = [](vector a, vector b) {
  auto a0 = slice<0>(a), a1 = slice<1>(a), a2 = slice<2>(a), b0 = slice<0>(b), b1 = slice<1>(b), b2 = slice<2>(b);
  return stack<0>(a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0);
};
constexpr auto rotate = [](quaternion q, vector p) {
  auto w = slice<0>(q);
  auto v = slice<range{1, 4}>(q);
  auto t = 2.0 * cross_product(v, p);
  return p + w * t + cross_product(v, t);
};
constexpr auto residual = [](quaternion q, vector p, vector target) { return rotate(q, p) - target; };
constexpr auto one = [](quaternion q, vector p, vector target) {
  return std::pair{residual(q, p, target),
                   concatenate<1>(jacrev<0>(residual)(q, p, target), jacrev<1>(residual)(q, p, target))};
};
constexpr auto f =
    jit([](array<double, n, 4> q, array<double, n, 3> p, array<double, n, 3> t) { return vmap(one)(q, p, t); });
entry const e("quat", [](double seconds) {
  auto q = uniform<array<double, n, 4>>(1, -1, 1);
  auto unit = array<double, n, 4>::build([&](double* out) {
    for (extent i = 0; i < n; ++i) {
      double squares = 0;
      for (int k = 0; k < 4; ++k) squares += q.data()[4 * i + k] * q.data()[4 * i + k];
      for (int k = 0; k < 4; ++k) out[4 * i + k] = q.data()[4 * i + k] / std::sqrt(squares);
    }
  });
  run_or_show(seconds, f, unit, uniform<array<double, n, 3>>(2, -2, 2), uniform<array<double, n, 3>>(3, -2, 2));
});

}  // namespace
