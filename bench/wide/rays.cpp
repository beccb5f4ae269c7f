// SPDX-License-Identifier: BSD-3-Clause
// 10,000 rays and 64 spheres: the nearest hit, its normal and a light; gradient by centres and radii.
#include "program.hpp"

namespace {

using namespace wide;
constexpr extent n = 10000, spheres = 64;
using vector = array<float, 3>;
struct scene {
  array<float, spheres, 3> centres;
  array<float, spheres> radii, albedo;
};
constexpr auto brightness = [](scene const& s, vector origin, vector direction) {
  auto from = origin - s.centres;
  auto b = dot(from, direction);
  auto d = square(s.radii) - sum<1>(square(from - expand_dims<1>(b) * direction));
  auto hit = d > 0.0f;
  auto root = sqrt(where(hit, d, 1.0f));
  auto near = -b - root, far = -b + root;
  auto t = where(near > 0.0f, near, far);
  auto all = where(hit && t > 0.0f, t, 1e9f);
  auto i = argmin(all);
  auto nearest = min(all);
  auto any = nearest < 1e8f;
  auto at = origin + where(any, nearest, 1.0f) * direction;
  auto normal = (at - take<0>(s.centres, i)) / take<0>(s.radii, i);
  auto light = vector{0.48f, 0.64f, -0.6f};
  auto facing = dot(normal, direction);
  return where(any, take<0>(s.albedo, i) * square(facing) * (0.1f + relu(dot(normal, light))), 0.0f);
};
constexpr auto picture = [](scene const& s, array<float, n, 3> origins, array<float, n, 3> directions,
                            array<float, n> seen) {
  return sum(square(vmap<none, 0, 0>(brightness)(s, origins, directions) - seen));
};
constexpr auto f = jit([](scene s, array<float, n, 3> origins, array<float, n, 3> directions, array<float, n> seen) {
  return value_and_grad(picture)(s, origins, directions, seen);
});
entry const e("rays", [](double seconds) {
  scene s{fill<array<float, spheres, 3>>(1, 3), 0.5f + 0.2f * fill<array<float, spheres>>(2),
          0.6f + 0.4f * fill<array<float, spheres>>(3)};
  auto origins = fill<array<float, n, 3>>(4, 0.5) + vector{0, 0, -6};
  auto directions = fill<array<float, n, 3>>(5, 0.5) + vector{0, 0, 1};
  auto unit = directions / expand_dims<1>(linalg::norm<-1>(directions));
  run_or_show(seconds, f, s, origins, unit, fill<array<float, n>>(6));
});

}  // namespace
