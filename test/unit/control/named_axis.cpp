// SPDX-License-Identifier: BSD-3-Clause
// Collectives over a named axis of vmap are reductions and picks of all examples; their derivatives; the data-parallel
// update.
#include <algorithm>
#include <cmath>

#include "same.hpp"

using namespace test;

namespace {

using four = array<double, 4>;
using rows = array<double, 4, 3>;
constexpr auto i = axis_name<"i"_n>;

struct net {
  array<double, 3, 2> w;
  array<double, 2> b;
};
struct batch {
  array<double, 5, 3> x;
  array<double, 5, 2> y;
};
constexpr auto loss = [](net const& p, array<double, 5, 3> const& x, array<double, 5, 2> const& y) {
  return mean(square(tanh(dot(x, p.w) + p.b) - y));
};
// each "device" has its part of the data; gradients and loss are averaged, parameters stay equal
struct parallel_update {
  constexpr auto operator()(net const& p, array<double, 4, 5, 3> const& x, array<double, 4, 5, 2> const& y) const {
    return vmap<none, 0, 0>(
        [](net const& p, auto const& x, auto const& y) {
          auto [value, g] = value_and_grad(loss)(p, x, y);
          auto mean_of = pmean<"i"_n>(g);
          return std::pair{tree::map([](auto const& w, auto const& d) { return w - 0.1 * d; }, p, mean_of),
                           pmean<"i"_n>(value)};
        },
        i)(p, x, y);
  }
};
struct update {
  constexpr auto operator()(net const& p, array<double, 20, 3> const& x, array<double, 20, 2> const& y) const {
    auto [value, g] = value_and_grad(
        [](net const& p, auto const& x, auto const& y) { return mean(square(tanh(dot(x, p.w) + p.b) - y)); })(p, x, y);
    return std::pair{tree::map([](auto const& w, auto const& d) { return w - 0.1 * d; }, p, g), value};
  }
};

}  // namespace

TEST_CASE("psum, pmean, pmax, pmin, all_gather, axis_index: of all examples, seen from each") {
  auto f = [](rows x) {
    return vmap<0>(
        [](auto const& r) {
          auto s = sum(r);
          return std::tuple{psum<"i"_n>(r),          pmean<"i"_n>(s),      pmax<"i"_n>(s),        pmin<"i"_n>(s),
                            all_gather<"i"_n, 4>(s), axis_index<"i"_n>(r), psum<"i"_n>(r * 0 + 1)};
        },
        i)(x);
  };
  auto x = some<rows>(1);
  auto s = sum<1>(x);
  auto [a, b, c, d, e, n, ones] = jit(f)(x);
  for (int k = 0; k < 4; ++k) {
    CHECK(b(k) == doctest::Approx(double(mean(s))));
    CHECK(c(k) == double(max(s)));
    CHECK(d(k) == double(min(s)));
    CHECK(n(k) == k);
    for (int j = 0; j < 4; ++j) CHECK(e(k, j) == doctest::Approx(s(j)));
    for (int j = 0; j < 3; ++j) {
      CHECK(a(k, j) == doctest::Approx(sum<0>(x)(j)));
      CHECK(ones(k, j) == 4);
    }
  }
  as_eager(f, x);
}

TEST_CASE("psum of what does not depend on the example is the size times it") {
  auto f = [](four x, array<double> c) {
    return vmap<0, none>([](auto const& x, auto const& c) { return x * psum<"i"_n>(c) + pmax<"i"_n>(c); }, i)(x, c);
  };
  auto x = some<four>(2);
  near(jit(f)(x, array<double>(0.3)), x * 1.2 + 0.3);
  as_eager(f, x, array<double>(0.3));
}

namespace {
// to two places, from another one
constexpr auto spread_out = [](auto const& x) {
  auto const to = ppermute<"i"_n>(x, std::array<std::array<int, 2>, 3>{{{0, 1}, {0, 2}, {3, 0}}});
  return sum(to * (astype<double>(axis_index<"i"_n>(x)) + 1.0));
};
}  // namespace
TEST_CASE("ppermute: one that several take from gets the cotangents of all of them") {
  auto const inside = jit([](four x) { return vmap<0>([](auto const& x) { return grad(spread_out)(x); }, i)(x); });
  auto const outside =
      jit([](four x) { return grad([](auto const& x) { return sum(vmap<0>(spread_out, i)(x)); })(x); });
  near(inside(four{1, 2, 3, 4}), four{5, 0, 0, 1});
  near(outside(four{1, 2, 3, 4}), four{5, 0, 0, 1});
}
TEST_CASE("ppermute: around a ring, and with gaps") {
  auto f = [](four x) {
    return vmap<0>(
        [](auto const& x) {
          return std::pair{ppermute<"i"_n>(x, std::array<std::array<int, 2>, 4>{{{0, 1}, {1, 2}, {2, 3}, {3, 0}}}),
                           ppermute<"i"_n>(x, std::array<std::array<int, 2>, 1>{{{0, 2}}})};
        },
        i)(x);
  };
  auto [ring, gap] = jit(f)(four{1, 2, 3, 4});
  near(ring, four{4, 1, 2, 3});
  near(gap, four{0, 0, 1, 0});
  as_eager(f, four{1, 2, 3, 4});
}

TEST_CASE(
    "ppermute and all_gather of what does not depend on the example: zeros where none comes, and the derivative") {
  auto f = [](array<double> c) {
    auto each = vmap<0, none>(
        [](auto const& x, auto const& c) {
          return ppermute<"i"_n>(c, std::array<std::array<int, 2>, 2>{{{0, 1}, {1, 3}}}) + 0.0 * x +
                 sum(all_gather<"i"_n, 4>(c) * arange<double, 4>());
        },
        i)(four{1, 2, 3, 4}, c);
    return each;
  };
  auto slope = [](array<double> c) {
    return grad([](auto const& c) { return sum(decltype(f){}(c)*arange<double, 4>()); })(c);
  };
  near(jit(f)(array<double>(0.5)), four{3, 3.5, 3, 3.5});
  near(jit(slope)(array<double>(0.5)), array<double>(40.0));  // 1 + 3, and 6 for each of 0 + 1 + 2 + 3
  as_eager(f, array<double>(0.5));
  as_eager(slope, array<double>(0.5));
}

TEST_CASE("named axes: derivatives from outside are those of the formula") {
  auto f = [](rows x) {
    return grad([](auto const& x) {
      return sum(sin(vmap<0>(
          [](auto const& r) {
            auto s = sum(r * r);
            return s * psum<"i"_n>(s) + pmax<"i"_n>(s) * sum(all_gather<"i"_n, 4>(s) * arange<double, 4>()) +
                   ppermute<"i"_n>(s, std::array<std::array<int, 2>, 3>{{{0, 1}, {1, 2}, {2, 0}}});
          },
          i)(x)));
    })(x);
  };
  auto plain = [](rows x) {
    return grad([](auto const& x) {
      auto s = sum<1>(x * x);
      auto moved = take<0>(s, array<int, 4>{2, 0, 1, 0}) * array<double, 4>{1, 1, 1, 0};
      return sum(sin(s * sum(s) + max(s) * sum(s * arange<double, 4>()) + moved));
    })(x);
  };
  auto x = some<rows>(3);
  near(jit(f)(x), jit(plain)(x));
  as_eager(f, x);
}

TEST_CASE("named axes: with two of them each call is along its own") {
  auto f = [](rows x) {
    return vmap<0>(
        [](auto const& r) {
          return vmap<0>(
              [](auto const& a) {
                return std::tuple{pmax<"i"_n>(a),
                                  pmin<"j"_n>(a),
                                  all_gather<"i"_n, 4>(a),
                                  all_gather<"j"_n, 3>(a),
                                  axis_index<"i"_n>(a),
                                  axis_index<"j"_n>(a),
                                  ppermute<"i"_n>(a, std::array<std::array<int, 2>, 3>{{{0, 1}, {1, 2}, {3, 0}}}),
                                  ppermute<"j"_n>(a, std::array<std::array<int, 2>, 2>{{{0, 2}, {1, 0}}})};
              },
              axis_name<"j"_n>)(r);
        },
        i)(x);
  };
  auto x = some<rows>(5);
  auto [most, least, columns, lines, row, column, down, across] = f(x);
  int const above[] = {3, 0, 1, -1}, left[] = {1, -1, 0};
  for (int a = 0; a < 4; ++a)
    for (int b = 0; b < 3; ++b) {
      CHECK(most(a, b) == std::max({x(0, b), x(1, b), x(2, b), x(3, b)}));
      CHECK(least(a, b) == std::min({x(a, 0), x(a, 1), x(a, 2)}));
      for (int k = 0; k < 4; ++k) CHECK(columns(a, b, k) == x(k, b));
      for (int k = 0; k < 3; ++k) CHECK(lines(a, b, k) == x(a, k));
      CHECK(row(a, b) == a);
      CHECK(column(a, b) == b);
      CHECK(down(a, b) == (above[a] < 0 ? 0. : x(above[a], b)));
      CHECK(across(a, b) == (left[b] < 0 ? 0. : x(a, left[b])));
    }
  as_eager(f, x);
}

TEST_CASE("named axes: two of them, and one inside a scan") {
  auto f = [](rows x) {
    return vmap<0>(
        [](auto const& r) {
          return vmap<0>([](auto const& a) { return a * psum<"i"_n>(a) + psum<"j"_n>(a * psum<"i"_n>(a)); },
                         axis_name<"j"_n>)(r);
        },
        i)(x);
  };
  auto x = some<rows>(4);
  auto columns = sum<0>(x);
  auto want = x * columns + expand_dims<1>(sum<1>(x * columns));
  near(jit(f)(x), want);
  as_eager(f, x);
  auto steps = [](rows x) {
    return vmap<0>(
        [](auto const& r) {
          return scan(
                     [](auto const& c, auto const& a) {
                       return std::pair{c + psum<"i"_n>(a * c), std::tuple<>{}};
                     },
                     sum(r), r)
              .first;
        },
        i)(x);
  };
  auto c = sum<1>(x);
  for (int j = 0; j < 3; ++j) c = c + sum(take<1>(x, array<int>(j)) * c);
  near(jit(steps)(x), c);
  as_eager(steps, x);
}

TEST_CASE("pmax of values that are NaN: a tangent of 0 stays 0") {
  auto one = [](auto const& x, auto const& t) {
    return jvp([](auto const& x) { return pmax<"i"_n>(x); }, x, t).second;
  };
  auto dy = vmap<0, 0>(one, i)(four{1, std::nan(""), 2, 3}, four{0, 0, 0, 0});
  for (int k = 0; k < 4; ++k) CHECK(dy(k) == 0);
}

TEST_CASE("named axes: the data-parallel update is the update of all data") {
  net p{some<array<double, 3, 2>>(1), some<array<double, 2>>(2)};
  auto x = some<array<double, 4, 5, 3>>(3);
  auto y = some<array<double, 4, 5, 2>>(4);
  auto [q, value] = jit(parallel_update{})(p, x, y);
  auto [want, whole] = jit(update{})(p, reshape<20, 3>(x), reshape<20, 2>(y));
  for (int k = 0; k < 4; ++k) {
    near(take<0>(tree::detail::get<0>(tree::detail::children(q)), array<int>(k)), want.w);
    CHECK(value(k) == doctest::Approx(double(whole)));
  }
  as_eager(parallel_update{}, p, x, y);
}
