// SPDX-License-Identifier: BSD-3-Clause
// Element types under jit, and outputs that no kernel computes.
#include "same.hpp"

using namespace test;

TEST_CASE("jit: bool and integer operations") {
  as_eager(
      [](array<int, 3, 4> a, array<int, 4> b, array<bool, 3, 4> p, array<bool, 4> q) {
        return std::tuple{
            a + b,  a * b - 3,      maximum(a, b),      a < b,      a == b,    p && q,   p || q,  p ^ q,
            !p,     where(p, a, b), sum<0>(a),          sum(b),     abs(a),    -a,       sign(a), sum<1>(p),
            any(q), all<1>(p),      astype<int>(p) + a, prod<0>(b), max<1>(a), dot(a, b)};
      },
      some<array<int, 3, 4>>(1, -9, 9), some<array<int, 4>>(2, -9, 9), some<array<bool, 3, 4>>(3, 0, 2),
      some<array<bool, 4>>(4, 0, 2));
}

TEST_CASE("jit: conversions and mixed types") {
  as_eager(
      [](array<float, 3, 4> x, array<double, 4> y, array<int, 3, 1> i, array<bool, 4> p, array<std::int64_t, 4> l,
         array<std::uint8_t, 4> u) {
        return std::tuple{x + y,
                          x * i,
                          astype<double>(x) * y,
                          astype<int>(x * 10),
                          y * p,
                          astype<float>(l) + x,
                          where(p, x, y),
                          i + l,
                          u + i,
                          astype<std::uint8_t>(abs(y) * 100),
                          sum<0>(x * i) + y,
                          astype<bool>(i),
                          x / i,
                          astype<std::int64_t>(y * 1000) + l};
      },
      some<array<float, 3, 4>>(1), some<array<double, 4>>(2), some<array<int, 3, 1>>(3, 1, 9),
      some<array<bool, 4>>(4, 0, 2), some<array<std::int64_t, 4>>(5, -100, 100),
      some<array<std::uint8_t, 4>>(6, 0, 100));
}

TEST_CASE("jit: f64") {
  as_eager(
      [](array<double, 5, 9> x, array<double, 9, 4> w, array<double, 9> r) {
        return std::tuple{exp(x) * r,      sum<1>(x * r), dot(x, w), softmax<1>(x), log(abs(x) + 1),  mean(x),
                          sin(x) + cos(x), erf(x),        expm1(x),  log1p(abs(x)), rsqrt(abs(x) + 1)};
      },
      some<array<double, 5, 9>>(1), some<array<double, 9, 4>>(2), some<array<double, 9>>(3));
}

TEST_CASE("jit: rank 0") {
  as_eager([](array<float> x, array<float> y,
              array<int> n) { return std::tuple{x + y, exp(x) * n, where(x < y, x, y), x == y, n * 2, -x}; },
           array<float>(0.5f), array<float>(-1.25f), array<int>(7));
}

TEST_CASE("jit: outputs that are arguments, constants, duplicates and views") {
  auto x = some<array<float, 3, 4>>(1);
  auto big = some<array<float, 30, 40>>(2);
  as_eager(
      [](array<float, 3, 4> x, array<float, 30, 40> big) {
        auto y = x * 2;
        return std::tuple{x,
                          x,
                          y,
                          y,
                          transpose(y),
                          transpose(x),
                          zeros<float, 3>(),
                          full<float, 2, 2>(2.5),
                          reshape<12>(x),
                          arange<int, 5>(),
                          big,
                          transpose(big),
                          big + 1};
      },
      x, big);
  as_eager([](array<float, 3, 4>) { return ones<float, 70, 2>(); }, x);
  as_eager([](array<float, 3, 4> x) { return x; }, x);
  auto [a, b] = jit([](array<float, 30, 40> x) { return std::pair{x, x}; })(big);
  CHECK(a.data() != b.data());
  CHECK(a.data() != big.data());
}
