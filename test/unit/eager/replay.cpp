// SPDX-License-Identifier: BSD-3-Clause
// A compiled function inside an eager transform is differentiated and batched like any other.
#include "same.hpp"

using namespace test;

namespace {

using vec = array<float, 3>;
constexpr auto both = [](vec x, vec y) { return std::pair{sum(exp(x) * y), vmap<0>([](auto a) { return a * a; })(x)}; };
constexpr auto slope = [](vec x) { return grad([](auto z) { return sum(z * z * where(z > 0, z, 0)); })(x); };
constexpr auto step = [](array<float, "n"_n, 3> x) { return sum(x * x); };

}  // namespace

TEST_CASE("jit inside eager grad, jacfwd and vmap is the function inside them") {
  auto x = some<vec>(1), y = some<vec>(2);
  auto loss = [&](auto f) {
    return [f, &y](vec x) {
      auto [a, b] = f(x, y);
      return a + sum(b);
    };
  };
  near(value_and_grad(loss(jit(both)))(x), value_and_grad(loss(both))(x));
  near(jacfwd(jit(slope))(x), jacfwd(slope)(x));
  near(hessian([](vec x) { return sum(jit(slope)(x)); })(x), hessian([](vec x) { return sum(slope(x)); })(x));
  auto rows = some<array<float, 4, 3>>(3);
  near(vmap<0>([&](vec r) { return jit(slope)(r) * y; })(rows), vmap<0>([&](vec r) { return slope(r) * y; })(rows));
  near(vmap<0>(grad(loss(jit(both))))(rows), vmap<0>(grad(loss(both)))(rows));
}

TEST_CASE("jit with named extents inside eager grad") {
  array<float, "n"_n, 3> x = some<array<float, 5, 3>>(1);
  near(grad(jit(step))(x), grad(step)(x));
}
