// SPDX-License-Identifier: BSD-3-Clause
// cond, switch_, while_loop and checkpoint: against plain C++ and differences, in both lives and under transforms.
#include "same.hpp"

using namespace test;

namespace {

using scalar = array<double>;

// a chain whose branch depends on the carry
struct chain {
  constexpr auto operator()(scalar const& x, array<double, 6> const& t) const {
    auto [c, ys] = scan(
        [&](auto const& c, auto const& ti) {
          auto n = cond(
              c < 1.0, [&](auto const& a) { return a * ti + x; }, [](auto const& a) { return sin(a); }, c);
          return std::pair{n, n * x};
        },
        x, t);
    return c + sum(ys);
  }
};
double plain_chain(double x, array<double, 6> const& t) {
  double c = x, s = 0;
  for (int i = 0; i < 6; ++i) {
    c = c < 1 ? c * t(i) + x : std::sin(c);
    s += c * x;
  }
  return c + s;
}

struct newton {
  constexpr auto operator()(scalar const& a) const {
    return while_loop([&](auto const& x) { return abs(x * x - a) > 1e-13; },
                      [&](auto const& x) { return 0.5 * (x + a / x); }, scalar(1.0));
  }
};
struct bounded_newton {
  constexpr auto operator()(scalar const& a) const {
    return while_loop<40>([&](auto const& x) { return abs(x * x - a) > 1e-13; },
                          [&](auto const& x) { return 0.5 * (x + a / x); }, scalar(1.0));
  }
};
// pairs of a number and what it was made of; branch 1 captures
struct choice {
  constexpr auto operator()(array<int> const& i, scalar const& x, scalar const& y) const {
    auto branches = std::tuple{[](auto const& x) {
                                 return std::pair{x * x, x};
                               },
                               [&](auto const& x) {
                                 return std::pair{x * y, y};
                               },
                               [](auto const& x) {
                                 return std::pair{exp(x), scalar(2.0)};
                               }};
    auto [a, b] = switch_(i, branches, x);
    return a * b;
  }
};
double plain_choice(int i, double x, double y) { return i <= 0 ? x * x * x : i == 1 ? x * y * y : 2 * std::exp(x); }

template <bool Again, bool Twice> struct deep {
  constexpr auto operator()(array<double, 16, 64> const& x, array<double, 64, 64> const& w) const {
    return value_and_grad<0, 1>([](auto const& x, auto const& w) {
      auto block = [&](auto const& h) {
        auto y = tanh(sin(dot(h, w))) * h;
        if constexpr (Twice) return tanh(dot(y, w));
        else return y;
      };
      auto h = x;
      for (int i = 0; i < 6; ++i)
        if constexpr (Again) h = checkpoint(block)(h);
        else h = block(h);
      return sum(h * h);
    })(x, w);
  }
};

}  // namespace

TEST_CASE("cond: the gradient of a scan of it") {
  array<double, 6> t{0.3, 0.9, 1.7, 0.4, 2.0, 1.1};
  auto f = [](scalar x, array<double, 6> t) { return value_and_grad<0, 1>(chain{})(x, t); };
  auto [v, g] = jit(f)(scalar(0.7), t);
  CHECK(double(v) == doctest::Approx(plain_chain(0.7, t)));
  CHECK(double(std::get<0>(g)) ==
        doctest::Approx((plain_chain(0.7 + 1e-6, t) - plain_chain(0.7 - 1e-6, t)) / 2e-6).epsilon(1e-8));
  for (int i = 0; i < 6; ++i) {
    auto moved = [&](double h) { return plain_chain(0.7, t + h * astype<double>(equal(arange<int, 6>(), i))); };
    CHECK(std::get<1>(g)(i) == doctest::Approx((moved(1e-6) - moved(-1e-6)) / 2e-6).epsilon(1e-7));
  }
  as_eager(f, scalar(0.7), t);
}

TEST_CASE("cond: under vmap a mapped condition selects, another one keeps its branch") {
  auto each = [](array<double, 5> x) {
    return vmap([](auto const& x) {
      return cond(
          x > 0.0, [](auto const& x) { return sqrt(x); }, [](auto const& x) { return x * x; }, x);
    })(x);
  };
  auto x = array<double, 5>{-2, 4, 0, 9, -1};
  near(jit(each)(x), array<double, 5>{4, 2, 0, 3, 1});
  as_eager(each, x);
  // the branch that is not taken gives no NaN to the gradient
  auto slopes = [](array<double, 5> x) {
    return grad([](auto const& x) {
      return sum(vmap([](auto const& x) {
        return cond(
            x > 0.0, [](auto const& x) { return sqrt(x); }, [](auto const& x) { return x * x; }, x);
      })(x));
    })(x);
  };
  near(jit(slopes)(x), array<double, 5>{-4, 0.25, 0, 1. / 6, -2});
  auto one = [](array<bool> p, array<double, 5> x) {
    return vmap<none, 0>([](auto const& p, auto const& x) {
      return cond(
          p, [](auto const& x) { return x + 1; }, [](auto const& x) { return x * x; }, x);
    })(p, x);
  };
  near(jit(one)(array<bool>(true), x), x + 1);
  near(jit(one)(array<bool>(false), x), x * x);
  as_eager(one, array<bool>(true), x);
}

TEST_CASE("switch_: numbers out of range are brought into it; derivatives; a mapped number") {
  auto f = [](array<int> i, scalar x, scalar y) { return value_and_grad<1, 2>(choice{})(i, x, y); };
  for (int i = -1; i < 5; ++i) {
    auto [v, g] = jit(f)(array<int>(i), scalar(0.4), scalar(1.7));
    CHECK(double(v) == doctest::Approx(plain_choice(i, 0.4, 1.7)));
    CHECK(double(std::get<0>(g)) ==
          doctest::Approx((plain_choice(i, 0.4 + 1e-6, 1.7) - plain_choice(i, 0.4 - 1e-6, 1.7)) / 2e-6).epsilon(1e-8));
    CHECK(double(std::get<1>(g)) ==
          doctest::Approx((plain_choice(i, 0.4, 1.7 + 1e-6) - plain_choice(i, 0.4, 1.7 - 1e-6)) / 2e-6).epsilon(1e-8));
    as_eager(f, array<int>(i), scalar(0.4), scalar(1.7));
  }
  auto all = [](array<int, 4> i, array<double, 4> x, scalar y) {
    return vmap<0, 0, none>(value_and_grad<1, 2>(choice{}))(i, x, y);
  };
  array<int, 4> i{2, 0, 1, 7};
  array<double, 4> x{0.1, 0.2, 0.3, 0.4};
  auto [v, g] = jit(all)(i, x, scalar(1.7));
  for (int k = 0; k < 4; ++k) {
    auto [v1, g1] = jit(f)(array<int>(i(k)), scalar(x(k)), scalar(1.7));
    CHECK(v(k) == doctest::Approx(double(v1)));
    CHECK(std::get<0>(g)(k) == doctest::Approx(double(std::get<0>(g1))));
    CHECK(std::get<1>(g)(k) == doctest::Approx(double(std::get<1>(g1))));
  }
  as_eager(all, i, x, scalar(1.7));
}

TEST_CASE("while_loop: forward derivatives; examples of a vmap end each in its time") {
  near(jit(newton{})(scalar(2.0)), scalar(std::sqrt(2.0)));
  as_eager(newton{}, scalar(3.0));
  auto slope = [](scalar a) { return jvp(newton{}, a, scalar(1.0)).second; };
  near(jit(slope)(scalar(2.0)), scalar(0.5 / std::sqrt(2.0)), 0, 1e-9);
  as_eager(slope, scalar(2.0));
  auto each = [](array<double, 4> a) { return vmap(newton{})(a); };
  array<double, 4> a{2, 9, 1, 1e6};
  near(jit(each)(a), sqrt(a));
  as_eager(each, a);
}

TEST_CASE("while_loop: with a bound it has a reverse mode, under vmap too") {
  auto g = [](scalar a) { return value_and_grad(bounded_newton{})(a); };
  near(jit(g)(scalar(2.0)), std::pair{scalar(std::sqrt(2.0)), scalar(0.5 / std::sqrt(2.0))}, 0, 1e-9);
  as_eager(g, scalar(2.0));
  auto each = [](array<double, 4> a) { return vmap(grad(bounded_newton{}))(a); };
  array<double, 4> a{2, 9, 4, 1e6};
  near(jit(each)(a), 0.5 / sqrt(a), 0, 1e-9);
}

TEST_CASE("checkpoint: the same bits from less memory, for more operations") {
  auto x = some<array<double, 16, 64>>(1);
  auto w = some<array<double, 64, 64>>(2, -0.2, 0.2);
  CHECK(same_bits(jit(deep<true, false>{})(x, w), jit(deep<false, false>{})(x, w)));
  near(jit(deep<true, true>{})(x, w), jit(deep<false, true>{})(x, w));  // a block's cotangents of w are added first
  as_eager(deep<true, true>{}, x, w);
  using plain = plan_of<deep<false, true>, array<double, 16, 64>, array<double, 64, 64>>;
  using again = plan_of<deep<true, true>, array<double, 16, 64>, array<double, 64, 64>>;
  static_assert(again::peak_bytes < plain::peak_bytes);
  static_assert(again::flops > plain::flops);
}
