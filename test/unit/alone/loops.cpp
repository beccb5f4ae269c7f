// SPDX-License-Identifier: BSD-3-Clause
// Little loops and branches as one function: against formulas, and against the same function outside jit. All that
// other tests run as kernels is run so too: scan.cpp and branch.cpp beside this file.
#undef ETNA_MOST_STRAIGHT
#include <etna/etna.hpp>
#include <etna/exec/explain.hpp>
#include <doctest/doctest.h>

#include "same.hpp"

using namespace test;

namespace {

template <class... A> struct given {};
/// Nested steps of the plan that are functions, and whether all of it is one.
template <class F, class... A> constexpr int functions(jitted<F> const&, given<A...>) {
  int n = 0;
  for (bool is : planning::inlining_of<compiler::program<F, A...>>.in_function) n += is;
  return n;
}
template <class F, class... A> constexpr bool is_whole(jitted<F> const&, given<A...>) {
  return planning::inlining_of<compiler::program<F, A...>>.whole;
}

/// N steps of Runge and Kutta's fourth order for y' = k y, element by element: y times the polynomial of h k, N times.
template <class A, int N> struct growth {
  constexpr auto operator()(A y, A k) const {
    return scan<N>(
               [&](A y) {
                 using T = typename A::value_type;
                 constexpr T h = T(0.125);
                 A a = k * y, b = k * (y + h / 2 * a), c = k * (y + h / 2 * b), d = k * (y + h * c);
                 return std::pair{A(y + h / 6 * (a + T(2) * b + T(2) * c + d)), std::tuple<>{}};
               },
               y)
        .first;
  }
};
template <class A, int N> struct grown {
  constexpr auto operator()(A y, A k) const { return sum(growth<A, N>{}(y, k)); }
};
template <class T, int E, int N> void grows() {
  using A = array<T, E>;
  A y = some<A>(1), k = some<A>(2);
  constexpr auto f = jit(growth<A, N>{});
  constexpr auto g = jit(grad<0, 1>(grown<A, N>{}));
  static_assert(is_whole(f, given<A, A>{}) && functions(g, given<A, A>{}) == 2 &&
                (E > 30 || is_whole(g, given<A, A>{})));
  std::vector<double> want[3];
  for (int i = 0; i < E; ++i) {
    double z = 0.125 * double(k.data()[i]), p = 1 + z * (1 + z / 2 * (1 + z / 3 * (1 + z / 4)));
    double slope = 0.125 * (1 + z * (1 + z / 2 * (1 + z / 3))), x = double(y.data()[i]);
    want[0].push_back(x * std::pow(p, N));
    want[1].push_back(std::pow(p, N));
    want[2].push_back(x * N * std::pow(p, N - 1) * slope);
  }
  auto of = [](auto const& v) {
    return A::build([&](T* o) {
      for (int i = 0; i < E; ++i) o[i] = T(v[std::size_t(i)]);
    });
  };
  double narrow = 2e-6 * N;
  near(f(y, k), of(want[0]), narrow, 1e-12);
  near(g(y, k), std::pair{of(want[1]), of(want[2])}, narrow, 1e-12);
}

using mat = array<double, 4, 4>;
using row = array<double, 4>;
using scalar = array<double>;

// a product, a reduction by rows, one by columns, one over all, views and an index in each step
constexpr auto mixed = [](mat m, row x) {
  return scan(
      [&](row const& c, row const& r) {
        auto z = dot(m, c) + r;
        auto s = softmax(z);
        auto p = expand_dims<0>(s) * expand_dims<1>(r);
        row next = sum<0>(p) - 0.5 * sum<1>(p) + flip<0>(c) * (sum(p) / 16.0) + max(z);
        return std::pair{next, std::tuple{p, argmax(z), next > 0.0}};
      },
      x, transpose(m));
};
constexpr auto mixed_loss = [](mat m, row x) {
  auto [c, ys] = mixed(m, x);
  return sum(c * c) + sum(std::get<0>(ys) * std::get<0>(ys));
};
// carries of all kinds; they change places, one is handed through, one is constant from the first step on
struct kinds {
  array<int, 3> i;
  array<bool> flag;
  array<std::uint8_t, 20> u;
  array<std::int64_t> n;
  array<float, 5> x, y;
  array<double> d;
};
constexpr auto of_kinds = jit([](kinds k, array<float, 5> z) {
  return scan<7>(
      [&](kinds const& c) {
        kinds n{c.i + astype<int>(c.flag),
                !c.flag,
                c.u + std::uint8_t(40),
                c.n * std::int64_t(3),
                c.y,
                c.x + z,
                ones<double>()};
        return std::pair{n, std::pair{c.d, c.i}};
      },
      k);
});
constexpr auto indexed = jit([](array<float, 6> x, array<int> by) {
  return fori_loop<0, 6>(
      [&](auto const& i, array<float, 6> const& c) {
        auto one = dynamic_slice<1>(x, i);
        return array<float, 6>(dynamic_update_slice(c, one * 2.0f + take(x, by), 5 - i) + cumsum<0>(c) * 0.25f);
      },
      zeros<float, 6>());
});
// a branch in a loop in a loop, and a loop that ends by itself
constexpr auto deep_loops = [](array<double, 3, 5> m, scalar a) {
  return scan(
             [&](scalar const& s, array<double, 5> const& r) {
               auto inner = scan(
                   [&](scalar const& t, scalar const& x) {
                     auto n = cond(
                         x > 1.0, [&](auto const& t) { return t * a + x; }, [&](auto const& t) { return sin(t) - x; },
                         t);
                     return std::pair{scalar(n), scalar(n * s)};
                   },
                   s, r);
               return std::pair{scalar(inner.first * 0.5), sum(inner.second)};
             },
             a, m)
      .second;
};
constexpr auto root = [](scalar a) {
  return while_loop([&](auto const& c) { return std::get<1>(c) < 60 && std::get<2>(c); },
                    [&](auto const& c) {
                      auto x = std::get<0>(c);
                      scalar n = x - (x * x * x - a) / (3.0 * x * x);
                      return std::tuple{n, array<int>(std::get<1>(c) + 1), abs(n - x) > 1e-14 * n};
                    },
                    std::tuple{a, array<int>(0), ones<bool>()});
};
constexpr auto empty = jit([](array<float, 3> c) {
  return scan<0>([](auto const& c) { return std::pair{c * 2.0f, c}; }, c);
});
constexpr auto single = jit([](array<float, 1, 3> xs, array<float, 3> c) {
  return scan([](auto const& c, auto const& x) { return std::pair{c + x, c * x}; }, c, xs);
});
constexpr auto of_many = jit(grad<0, 1>([](array<float, 3000> xs, array<float> a) {
  auto y = scan(
               [&](array<float> const& c, array<float> const& x) {
                 array<float> n = a * c + x;
                 return std::pair{n, n};
               },
               zeros<float>(), xs)
               .second;
  return sum(y * y);
}));
// what is not: an effect in the loop, large kernels, a size that has a name
constexpr auto prints = jit([](scalar x) {
  return fori_loop<0, 2>(
      [](auto const&, scalar const& c) {
        debug::print("c {}", c);
        return c * 2.0;
      },
      x);
});
constexpr auto large =
    jit([](array<float, 2000> x) { return fori_loop<0, 2>([](auto const&, auto const& c) { return c * 2.0f; }, x); });
constexpr auto named =
    jit([](array<float, "n"_n> x) { return fori_loop<0, 2>([](auto const&, auto const& c) { return c * 2.0f; }, x); });
static_assert(functions(prints, given<scalar>{}) == 0 && functions(large, given<array<float, 2000>>{}) == 0 &&
              functions(named, given<array<float, "n"_n>>{}) == 0);
// a loop in a function that is too much to be one: only the loop is
constexpr auto beside = jit([](array<float, 3000> x, array<float, 3> c) {
  return std::pair{sum(x * x), fori_loop<0, 5>([](auto const&, auto const& c) { return c * 2.0f; }, c)};
});
static_assert(functions(beside, given<array<float, 3000>, array<float, 3>>{}) == 1 &&
              !is_whole(beside, given<array<float, 3000>, array<float, 3>>{}));

}  // namespace

TEST_CASE("loops in one function: Runge and Kutta's steps are a polynomial, in lanes and what is left over") {
  grows<float, 16, 12>();
  grows<float, 3, 1>();
  grows<float, 21, 5>();
  grows<double, 1, 40>();
  grows<double, 13, 9>();
  CHECK(!Kokkos::is_initialized());
  grows<double, 200, 3>();
}

TEST_CASE("loops in one function: all kinds of kernels in a step, and its derivative") {
  mat m = some<mat>(3);
  row x = some<row>(4);
  constexpr auto f = jit(mixed);
  static_assert(functions(f, given<mat, row>{}) == 1);
  near(f(m, x), mixed(m, x));
  as_eager(grad<0, 1>(mixed_loss), m, x);
  as_eager(
      [](array<double, 3, 4, 4> m, row x) {
        return vmap<0, none>([](auto const& m, auto const& x) { return grad(mixed_loss)(m, x); })(m, x);
      },
      some<array<double, 3, 4, 4>>(5), x);
}

TEST_CASE("loops in one function: carries of all types, indices, lengths 0 and 1, many steps") {
  kinds k{{1, 2, 3}, true, full<std::uint8_t, 20>(250), std::int64_t(1) << 40, {1, 2, 3, 4, 5}, {5, 4, 3, 2, 1}, 7.0};
  array<float, 5> z = {1, 0, -1, 2, 0.5f};
  auto [end, ys] = of_kinds(k, z);
  CHECK(same_bits(end.i, array<int, 3>{5, 6, 7}));
  CHECK(!end.flag.item());
  CHECK(same_bits(end.u, full<std::uint8_t, 20>(std::uint8_t(250 + 7 * 40))));
  CHECK(end.n.item() == (std::int64_t(1) << 40) * 2187);
  CHECK(same_bits(ys.first, array<double, 7>{7, 1, 1, 1, 1, 1, 1}));
  near(of_kinds(k, z), of_kinds.f(k, z));
  array<float, 6> x = {1, -2, 3, 0.5f, 4, 2};
  near(indexed(x, 3), indexed.f(x, 3));
  array<float, 3> c = {1, 2, 3};
  near(empty(c), std::pair{c, zeros<float, 0, 3>()});
  near(single(array<float, 1, 3>{{2, 3, 4}}, c), std::pair{array<float, 3>{3, 5, 7}, array<float, 1, 3>{{2, 6, 12}}});
  // y[i] = a y[i-1] + 1: each is a geometric sum, and so is what x[i] does to all that follow
  auto got = of_many(ones<float, 3000>(), 0.5f);
  CHECK(std::get<0>(got).data()[2999] == doctest::Approx(4.0));
  CHECK(std::get<0>(got).data()[100] == doctest::Approx(8.0));
  CHECK(std::get<1>(got).item() == doctest::Approx(2 * 2.0 * 4.0 * 3000).epsilon(2e-3));
}

TEST_CASE("loops in one function: branches and loops inside") {
  auto m = some<array<double, 3, 5>>(6);
  constexpr auto f = jit(deep_loops);
  static_assert(functions(f, given<array<double, 3, 5>, scalar>{}) == 1);
  near(f(m, 1.25), deep_loops(m, 1.25));
  as_eager(
      [](array<double, 3, 5> m, scalar a) {
        return grad<0, 1>([](auto const& m, auto const& a) { return sum(square(deep_loops(m, a))); })(m, a);
      },
      m, scalar(1.25));
  as_eager([](array<double, 4, 3, 5> m, scalar a) { return vmap<0, none>(deep_loops)(m, a); },
           some<array<double, 4, 3, 5>>(7), scalar(1.25));
  constexpr auto solve = jit(root);
  static_assert(is_whole(solve, given<scalar>{}));
  for (double a : {0.25, 1.0, 17.0, 1e6}) {
    auto [x, n, go_on] = solve(scalar(a));
    CHECK(x.item() == doctest::Approx(std::cbrt(a)).epsilon(1e-14));
    CHECK((n.item() < 60 && !go_on.item()));
  }
  CHECK(
      jit([](scalar a) { return jvp([](auto const& a) { return std::get<0>(root(a)); }, a, scalar(1.0)).second; })(8.0)
          .item() == doctest::Approx(1.0 / 12));
}

TEST_CASE("loops in one function: the plan says so, and others stay kernels") {
  CHECK(show_plan(of_many, array<float, 3000>(), array<float>()).find("scan, one function") != std::string::npos);
  CHECK(show_plan(of_many, array<float, 3000>(), array<float>()).find("without Kokkos") == std::string::npos);
  CHECK(show_plan(empty, array<float, 3>()).find("run as one function, without Kokkos") != std::string::npos);
  CHECK(show_plan(large, array<float, 2000>()).find("function") == std::string::npos);
  near(prints(3.0), scalar(12.0));
  near(large(ones<float, 2000>()), full<float, 2000>(4.0f));
  near(named(array<float, "n"_n>(ones<float, 9>())), array<float, "n"_n>(full<float, 9>(4.0f)));
  array<float, 3> c = {1, 2, 3};
  near(beside(ones<float, 3000>(), c), std::pair{array<float>(3000.0f), array<float, 3>{32, 64, 96}});
}

TEST_CASE("loops in one function: explain times the loop, counts its kernels, and launches none of them") {
  for (bool run : {false, true}) {
    CAPTURE(run);
    explanation e = run ? explain(of_many, ones<float, 3000>(), array<float>(0.5f))
                        : explain<array<float, 3000>, array<float>>(of_many);
    int loops = 0, launched = 0;
    for (auto const& k : e.kernels) {
      loops += k.function;
      launched += !k.inside && !k.function;
      if (k.function)
        CHECK((k.what == "scan, one function" && k.launches.number() == 1 && k.work.flops.number() >= 2 * 3000));
      CHECK((k.seconds >= 0) == (run && !k.inside));
    }
    CHECK(loops > 0);
    CHECK(e.launches.number() == launched);
    CHECK(e.text().find("scan, one function") != std::string::npos);
    explanation all = run ? explain(empty, array<float, 3>{1, 2, 3}) : explain(empty);
    CHECK((all.whole && all.launches.number() == 0));
    CHECK(all.text().find("one function, which launches nothing") != std::string::npos);
    CHECK((all.call_seconds > 0) == run);
  }
}

// Windows with constant edges: along the innermost loop, along rows, in a reduced axis.
struct waves {
  constexpr auto operator()(array<double, 100> u, array<double, 7, 13> m) const {
    return scan<5>(
        [](auto const& c) {
          auto const& [u, m] = c;
          array<double, 100> moved =
              concatenate(ones<double, 1>(), slice<range{0, 99}>(u)) - 0.5 * pad<0, 3>(slice<range{3, 100}>(u));
          auto wide = pad<1, 2>(m);
          array<double, 7, 13> next =
              0.5 * (slice<range{0, 7}, range{2, 15}>(wide) + slice<range{3, 10}, range{0, 13}>(wide));
          return std::pair{std::pair{moved, next}, std::tuple{sum<0>(wide * 2.0), sum<1>(wide), sum(moved)}};
        },
        std::pair{u, m});
  }
};
TEST_CASE("neighbours in a loop that is a function") {
  auto u = some<array<double, 100>>(1);
  auto m = some<array<double, 7, 13>>(2);
  constexpr auto f = jit(waves{});
  static_assert(functions(f, given<array<double, 100>, array<double, 7, 13>>{}) == 1);
  near(f(u, m), waves{}(u, m));
  constexpr auto loss = [](array<double, 100> u, array<double, 7, 13> m) {
    auto [end, ys] = waves{}(u, m);
    return sum(end.first * end.first) + sum(end.second) + sum(std::get<0>(ys)) + sum(std::get<1>(ys) * std::get<1>(ys));
  };
  near(jit(grad<0, 1>(loss))(u, m), grad<0, 1>(loss)(u, m), 1e-6, 1e-12);
}
TEST_CASE("loops in one function: a donated argument is updated in place, others stay") {
  constexpr auto f = jit([](array<float, 40> x, array<float, 40> y) {
    return fori_loop<0, 3>([&](auto const&, auto const& c) { return array<float, 40>(c + y); }, x);
  });
  array<float, 40> x = ones<float, 40>(), y = full<float, 40>(2.0f), kept = x;
  near(f(x, y), full<float, 40>(7.0f));
  CHECK(same_bits(x, kept));
  x = f(std::move(x), y);
  near(x, full<float, 40>(7.0f));
  x = f(std::move(x), x);
  CHECK(same_bits(kept, ones<float, 40>()));
}
