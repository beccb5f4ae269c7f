// SPDX-License-Identifier: BSD-3-Clause
// Stages of a stencil in one kernel: elements computed from their neighbours' values, before and behind, in rows of
// every length that ends inside a register, a unit of work or both; and what must not be such a kernel.
#include <cmath>

#include "same.hpp"

using namespace test;

namespace {

/// Kernels of f, and how many of them are chains.
template <class F, class... P> std::pair<int, int> kernels() {
  auto const& p = compiler::program<F, P...>::value;
  int all = 0, chains = 0;
  for (int s = 0; s < p.n_steps; ++s) {
    if (!planning::is<planning::kernel_step>(p.steps[s])) continue;
    ++all;
    chains += planning::nest_of(p, p.steps[s]) == planning::nest::stencil;
  }
  return {all, chains};
}
template <class F, class... P> void runs(int all, int chains, F f, P const&... x) {
  CHECK(kernels<F, P...>() == std::pair{all, chains});
  as_eager(f, x...);
}

template <extent K, class A> constexpr auto before(A const& x) {
  return pad<K, 0>(slice<range{0, A::extents[0] - K}>(x));
}
template <extent K, class A> constexpr auto behind(A const& x) {
  return pad<0, K>(slice<range{K, A::extents[0]}>(x), 1);
}
constexpr auto left = []<class T, extent M, extent N>(array<T, M, N> const& x) {
  return pad<0, 0, 1, 0>(slice<range{0, M}, range{0, N - 1}>(x));
};
constexpr auto right = []<class T, extent M, extent N>(array<T, M, N> const& x) {
  return pad<0, 0, 0, 2>(slice<range{0, M}, range{2, N}>(x), 1);
};

constexpr auto laplace = []<class T, extent M, extent N>(array<T, M, N> const& y) {
  auto up = pad<1, 0, 0, 0>(slice<range{0, M - 1}, range{0, N}>(y)),
       down = pad<0, 1, 0, 0>(slice<range{1, M}, range{0, N}>(y));
  return array<T, M, N>(up + down + left(y) + right(y) - T(4) * y);
};

template <class T, extent N> void in_rows_of() {
  using v = array<T, N>;
  auto const x = some<v>(1, -3, 3), y = some<v>(2, -3, 3);
  runs(
      1, 1,
      [](v x, v y) {  // looks back only: all stages are at the same place
        v a = x * before<1>(y), b = y + x * before<1>(a), c = a - x * before<2>(b);
        return x * before<2>(c) + b;
      },
      x, y);
  runs(
      1, 1,
      [](v x, v y) {  // ahead only: each stage lags
        v a = x * behind<1>(y), b = y + x * behind<1>(a), c = a - x * behind<2>(b);
        return x * behind<2>(c) + b;
      },
      x, y);
  runs(
      1, 1,
      [](v x, v y) {  // both; stages that are results, and a value that is read late
        v a = x - behind<2>(y), b = a + before<1>(a) * y, c = behind<1>(b) - before<2>(a);
        return std::tuple{v(behind<1>(c) + a), c, a, v(before<1>(c) - x)};
      },
      x, y);
}

template <class T> std::vector<T> heat_by_hand(std::vector<T> y, int steps) {
  for (int s = 0; s < steps; ++s) {
    auto const z = y;
    for (std::size_t i = 0; i < y.size(); ++i)
      y[i] = z[i] + T(0.25) * ((i > 0 ? z[i - 1] : T(0)) - 2 * z[i] + (i + 1 < z.size() ? z[i + 1] : T(0)));
  }
  return y;
}
template <int Steps> constexpr auto heat = []<class T, extent N>(array<T, N> const& y) {
  using v = array<T, N>;
  auto step = [](v const& y) {
    return v(y + T(0.25) * (pad<1, 0>(slice<range{0, N - 1}>(y)) - T(2) * y + pad<0, 1>(slice<range{1, N}>(y))));
  };
  return scan<Steps / 4>([=](v const& y) { return std::pair{step(step(step(step(y)))), std::tuple<>{}}; }, y).first;
};

}  // namespace

TEST_CASE("floats in rows of some lengths") {
  in_rows_of<float, 1024>();
  in_rows_of<float, 1025>();
  in_rows_of<float, 2063>();
  in_rows_of<float, 8191>();  // a unit of work, ...
  in_rows_of<float, 8193>();
  in_rows_of<float, 24576>();  // ... and three
  in_rows_of<float, 40007>();
}
TEST_CASE_TEMPLATE("all element types", T, double, std::int32_t, std::int64_t, std::uint32_t, std::uint8_t) {
  in_rows_of<T, 8195>();
  in_rows_of<T, 4096>();
}
TEST_CASE("values of several types in one row: masks that move, bytes beside floats") {
  using v = array<float, 5003>;
  using b = array<std::uint8_t, 5003>;
  auto const x = some<v>(1), y = some<v>(2);
  runs(
      1, 1,
      [](v x, v y) {
        auto up = greater(x, y);
        return where(concatenate(slice<range{1, 5003}>(up), full<bool, 1>(true)), x, 2.0f * y);
      },
      x, y);
  runs(
      1, 1,
      [](v x, b u) {
        auto f = astype<float>(u) * 0.5f + x;
        return std::pair{v(before<1>(f) - behind<1>(f)), astype<std::uint8_t>(maximum(before<2>(f), 0.0f))};
      },
      x, some<b>(3, 0, 200));
  runs(
      1, 1, [](v x, v y) { return before<1>(v(x * arange<float, 5003>())) + y; }, x, y);
}
TEST_CASE_TEMPLATE("rows of a matrix are chains of their own", T, TEST_FLOATS) {
  using m = array<T, 5, 1037>;
  auto const x = some<m>(1), y = some<m>(2);
  runs(
      1, 1, [](m x, m y) { return left(m(x * right(m(left(m(x + y)) - y)))) + x; }, x, y);
  auto f = [](m x) { return vmap([](array<T, 1037> r) { return heat<4>(heat<4>(r)); })(x); };
  as_eager(f, x);
  using cube = array<T, 3, 2, 1500>;
  runs(
      1, 1,
      [](cube x) {
        auto moved = [](cube const& a) {
          return pad<0, 0, 0, 0, 1, 0>(slice<range{0, 3}, range{0, 2}, range{0, 1499}>(a));
        };
        return moved(x * moved(x * x)) - x;
      },
      some<cube>(3));
}
TEST_CASE_TEMPLATE("twelve steps of the heat equation by loops, and the gradient through them", T, TEST_FLOATS) {
  constexpr extent n = 20011;
  using v = array<T, n>;
  constexpr double eps = std::is_same_v<T, float> ? 2e-5 : 1e-13;
  auto const y = some<v>(5);
  std::vector<T> const at(y.begin(), y.end()), once = heat_by_hand(at, 12),
                                               twice = heat_by_hand(once, 12);  // the operator is symmetric
  auto const got = jit(heat<12>)(y);
  auto const g = jit(grad([](v y) { return sum(square(heat<12>(y))); }))(y);
  double worst = 0, worst_g = 0;
  for (std::size_t i = 0; i < n; ++i) {
    worst = std::max(worst, double(std::abs(got.data()[i] - once[i])));
    worst_g = std::max(worst_g, double(std::abs(g.data()[i] - 2 * twice[i])));
  }
  CHECK(worst < eps);
  CHECK(worst_g < 4 * eps);
}
TEST_CASE("more stages than a kernel has") {
  using v = array<float, 9001>;
  runs(
      4, 4,
      [](v y) {
        for (int i = 0; i < 24; ++i) y = y + 0.25f * (before<1>(y) - 2.0f * y + behind<1>(y));
        return y;
      },
      some<v>(1));
}
TEST_CASE("what moves is not a number: only the elements that read it are none") {
  using v = array<float, 1030>;
  auto x = v::build([](float* to) {
    for (int i = 0; i < 1030; ++i) to[i] = i == 0 || i == 513 || i == 1029 ? std::nanf("") : 1.0f;
  });
  auto const y = jit([](v x) { return before<1>(v(x * 2.0f)) + behind<2>(v(x * 3.0f)); })(x);
  for (int i = 0; i < 1030; ++i) {
    bool const none = i == 1 || i == 514 || i == 511 || i == 1027;
    CHECK(std::isnan(y.data()[i]) == none);
    if (!none) CHECK(y.data()[i] == (i == 0 ? 0.0f : 2.0f) + (i >= 1028 ? 1.0f : 3.0f));
  }
}
TEST_CASE("what is no chain") {
  using v = array<float, 4099>;
  using m = array<float, 9, 1100>;
  auto const x = some<v>(1), y = some<v>(2);
  SUBCASE("a sum ends it") {
    runs(
        2, 1, [](v x, v y) { return sum(before<1>(v(x * y)) * x); }, x, y);
  }
  SUBCASE("neighbours too far") {
    runs(
        2, 0, [](v x, v y) { return before<3>(v(x * y)) * x; }, x, y);
  }
  SUBCASE("around the end") {
    as_eager([](v x, v y) { return roll<1>(v(x * roll<-1>(v(x * y)))); }, x, y);
  }
  SUBCASE("a short row") {
    runs(
        2, 0, [](array<float, 1000> x) { return before<1>(array<float, 1000>(x * x)) * x; },
        some<array<float, 1000>>(1));
  }
  SUBCASE("beside a gather") {
    as_eager([](v x, array<int, 4099> i) { return before<1>(v(take(x, i) * x)) + take(v(before<1>(v(x + 1.0f))), i); },
             x, some<array<int, 4099>>(4, 0, 4099));
  }
  SUBCASE("a value of each row") {
    as_eager([](m x, array<float, 9> c) { return left(m(x * reshape<9, 1>(c * 2.0f))) - x; }, some<m>(1),
             some<array<float, 9>>(2));
    as_eager(
        [](m x) { return left(m(x - reshape<9, 1>(mean<1>(x)))) + reshape<9, 1>(max<1>(m(x * left(m(x * 2.0f))))); },
        some<m>(1));
  }
  SUBCASE("rows above and below as well: all neighbours are read where they lie") {
    runs(
        3, 0, [](m y) { return laplace(laplace(laplace(y))); }, some<m>(1));
  }
}
TEST_CASE("what it starts from stays: no result is written over an argument or a carry that neighbours still read") {
  using v = array<double, 30011>;
  static constexpr auto step = jit([](v x, v y) {
    v a = y + before<1>(x), b = x * behind<1>(a);
    return std::pair{v(b - x), v(a * before<1>(b))};
  });
  auto f = [](v x, v y) { return step.f(x, y); };
  auto x = some<v>(1), y = some<v>(2);
  for (int i = 0; i < 3; ++i) {
    auto [p, q] = f(x, y);
    std::tie(x, y) = step(std::move(x), std::move(y));
    near(std::pair{x, y}, std::pair{p, q});
    x = x / max(abs(x));
    y = y / max(abs(y));
  }
}
