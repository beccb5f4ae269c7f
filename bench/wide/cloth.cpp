// SPDX-License-Identifier: BSD-3-Clause
// A cloth of 200 x 200 points: springs and triangles by gathers of their corners.
#include "program.hpp"

namespace {

using namespace wide;
constexpr extent side = 200, points = side * side, springs = 2 * side * (side - 1) + (side - 1) * (side - 1),
                 triangles = 2 * (side - 1) * (side - 1);
using corners = array<float, points, 3>;

constexpr auto cross_product = [](auto const& a, auto const& b) {
  auto a0 = slice<every, 0>(a), a1 = slice<every, 1>(a), a2 = slice<every, 2>(a), b0 = slice<every, 0>(b),
       b1 = slice<every, 1>(b), b2 = slice<every, 2>(b);
  return stack<1>(a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0);
};
constexpr auto energy = [](corners v, array<int, springs, 2> ends, array<float, springs> rest,
                           array<int, triangles, 3> tri, array<float, triangles> area0) {
  auto d = take<0>(v, slice<every, 0>(ends)) - take<0>(v, slice<every, 1>(ends));
  auto l = sqrt(sum<-1>(d * d));
  auto spring = 0.5f * 50.0f * sum(square(l - rest));
  auto a = take<0>(v, slice<every, 0>(tri)), b = take<0>(v, slice<every, 1>(tri)), c = take<0>(v, slice<every, 2>(tri));
  auto n = cross_product(b - a, c - a);
  auto s = sqrt(sum<-1>(n * n));
  auto area = 0.5f * s;
  auto bend = sum(1.0f - slice<every, 2>(n) / s);
  return spring + 10.0f * sum(square(area - area0) / area0) + 0.1f * bend;
};
constexpr auto f =
    jit([](corners v, array<int, springs, 2> ends, array<float, springs> rest, array<int, triangles, 3> tri,
           array<float, triangles> area0) { return value_and_grad(energy)(v, ends, rest, tri, area0); });
entry const e("cloth", [](double seconds) {
  auto id = [](extent y, extent x) { return int(y * side + x); };
  auto ends = array<int, springs, 2>::build([&](int* o) {
    for (extent y = 0; y < side; ++y)
      for (extent x = 0; x + 1 < side; ++x) *o++ = id(y, x), *o++ = id(y, x + 1);
    for (extent y = 0; y + 1 < side; ++y)
      for (extent x = 0; x < side; ++x) *o++ = id(y, x), *o++ = id(y + 1, x);
    for (extent y = 0; y + 1 < side; ++y)
      for (extent x = 0; x + 1 < side; ++x) *o++ = id(y, x), *o++ = id(y + 1, x + 1);
  });
  auto tri = array<int, triangles, 3>::build([&](int* o) {
    for (int half = 0; half < 2; ++half)
      for (extent y = 0; y + 1 < side; ++y)
        for (extent x = 0; x + 1 < side; ++x) {
          *o++ = id(y, x);
          *o++ = half ? id(y + 1, x + 1) : id(y, x + 1);
          *o++ = half ? id(y + 1, x) : id(y + 1, x + 1);
        }
  });
  auto v = corners::build([&](float* o) {
    for (extent i = 0; i < points; ++i) {
      double const at[] = {double(i % side), double(i / side), 0};
      for (extent k = 0; k < 3; ++k) o[3 * i + k] = float(at[k] + (-.3 + .6 * u01(std::uint64_t(3 * i + k), 51)));
    }
  });
  auto rest = array<float, springs>::build([&](float* o) {
    for (extent i = 0; i < springs; ++i) o[i] = i < 2 * side * (side - 1) ? 1.0f : float(std::sqrt(2.0));
  });
  run_or_show(seconds, f, v, ends, rest, tri, full<float, triangles>(0.5f));
});

}  // namespace
