// SPDX-License-Identifier: BSD-3-Clause
// Branches of unequal length, and loops over nothing: values and derivatives outside jit, which the sanitizers watch
// here.
#include <cmath>

#include "same.hpp"

using namespace test;

namespace {

using scalar = array<double>;

/// jit(f). Where sanitizers run beside other builds, f itself: what is compiled here would be a minute of constant
/// evaluation there.
template <class F> auto compiled(F f) {
#if defined(ETNA_FEW)
  return f;
#else
  return jit(f);
#endif
}

/// A value with its first and second derivative, by the chain rule written out.
struct jet {
  double v, d, dd;
};
jet sin_of(jet a) { return {std::sin(a.v), std::cos(a.v) * a.d, std::cos(a.v) * a.dd - std::sin(a.v) * a.d * a.d}; }
jet times(jet a, jet b) { return {a.v * b.v, a.d * b.v + a.v * b.d, a.dd * b.v + 2 * a.d * b.d + a.v * b.dd}; }

// N times the same step: with a value beside it that the step reads, so that blocks have other counts of inputs as well
template <int N> struct steps {
  scalar const& beside;
  auto operator()(scalar const& x) const {
    auto y = x;
    if constexpr (N % 2 == 0) y = y * y;
    for (int i = 0; i < N; ++i) y = sin(y) * (N % 3 == 0 ? beside : y);
    return y;
  }
};
template <int N> jet plain_steps(jet x, double beside) {
  jet y = x;
  if (N % 2 == 0) y = times(y, y);
  for (int i = 0; i < N; ++i) y = times(sin_of(y), N % 3 == 0 ? jet{beside, 0, 0} : y);
  return y;
}
template <int... N> jet plain(int which, jet x, double beside) {
  jet all[] = {plain_steps<N>(x, beside)...};
  return all[which];
}

// the branches themselves, in a checkpoint, in a scan (with another carry of integers), in a vmap
template <int... N> struct branches {
  scalar const& beside;
  auto operator()(array<int> const& which, scalar const& x) const {
    return switch_(which, std::tuple{steps<N>{beside}...}, x);
  }
};
template <int... N> void unequal() {
  scalar beside = 0.4;
  for (int which = 0; which < int(sizeof...(N)); ++which) {
    CAPTURE(which);
    jet x{0.7, 1, 0}, once = plain<N...>(which, x, 0.4);
    branches<N...> f{beside};
    array<int> w = which;
    auto of_x = [&](auto const& x) { return f(w, x); };
    auto kept = checkpoint(of_x, keep_all);
    auto [v, g] = value_and_grad(of_x)(scalar(0.7));
    CHECK(v() == doctest::Approx(once.v));
    CHECK(g() == doctest::Approx(once.d));
    CHECK(grad(kept)(scalar(0.7))() == doctest::Approx(once.d));
    CHECK(jvp(of_x, scalar(0.7), scalar(2.0)).second() == doctest::Approx(2 * once.d));
    CHECK(hessian(of_x)(scalar(0.7))() == doctest::Approx(once.dd));
    // by what the branches capture: only some of them do
    auto by_beside = [&](auto const& b) { return branches<N...>{b}(w, scalar(0.7)); };
    double h = 1e-6, slope = (plain<N...>(which, x, 0.4 + h).v - plain<N...>(which, x, 0.4 - h).v) / (2 * h);
    CHECK(grad(by_beside)(scalar(0.4))() == doctest::Approx(slope).epsilon(1e-6));
    // the same branches one after another, another one first in each round
    int const n = int(sizeof...(N));
    auto looped = [&](auto const& x) {
      return fori_loop<0, 3>([&](auto const& i, auto const& c) { return f((i + which) % n, c) + x; }, x);
    };
    jet c = x;
    for (int i = 0; i < 3; ++i) {
      c = plain<N...>((i + which) % n, c, 0.4);
      c = {c.v + x.v, c.d + 1, c.dd};
    }
    CHECK(grad(looped)(scalar(0.7))() == doctest::Approx(c.d));
    CHECK(grad(checkpoint(looped, keep_dots))(scalar(0.7))() == doctest::Approx(c.d));
    CHECK(hessian(looped)(scalar(0.7))() == doctest::Approx(c.dd));
  }
  // one number for all examples, and one for each
  array<double, 4> xs{0.2, 0.7, 1.1, 1.3};
  array<int, 4> ws{0, 1, 2, 7};
  auto same = vmap<0>(grad([&](auto const& x) { return branches<N...>{beside}(array<int>(1), x); }))(xs);
  auto each = vmap<0, 0>(grad<1>(branches<N...>{beside}))(ws, xs);
  auto turned = grad([&](auto const& xs) { return sum(vmap<0, 0>(branches<N...>{beside})(ws, xs)); })(xs);
  for (int i = 0; i < 4; ++i) {
    jet x{xs(i), 1, 0};
    int which = i < int(sizeof...(N)) ? i : int(sizeof...(N)) - 1;
    CHECK(same(i) == doctest::Approx(plain<N...>(1, x, 0.4).d));
    CHECK(each(i) == doctest::Approx(plain<N...>(which, x, 0.4).d));
    CHECK(turned(i) == doctest::Approx(each(i)));
  }
}

}  // namespace

TEST_CASE("branches of unequal length, the shortest at each place") {
  unequal<0, 9, 4>();
  unequal<4, 9, 0, 1>();
#if !defined(ETNA_FEW)  // the shortest first and last but one are memory enough
  unequal<9, 0, 4>();
  unequal<9, 4, 0>();
  unequal<1, 0, 4, 9>();
#endif
}
TEST_CASE("cond of a short and a long function") {
  constexpr auto many = [](auto const& x) {
    auto y = x;
    for (int i = 0; i < 40; ++i) y = sin(y);
    return y;
  };
  constexpr auto few = [](auto const& x) { return x * x; };
  auto f = [&](auto const& x) { return cond(x > 0.0, few, many, x); };
  auto g = [&](auto const& x) { return cond(x > 0.0, many, few, x); };
  CHECK(grad(f)(scalar(0.7))() == doctest::Approx(1.4));
  CHECK(grad(g)(scalar(-0.7))() == doctest::Approx(-1.4));
  double y = 0.7, d = 1;
  for (int i = 0; i < 40; ++i) d *= std::cos(y), y = std::sin(y);
  CHECK(grad(g)(scalar(0.7))() == doctest::Approx(d));
  CHECK(grad(f)(scalar(-0.7))() == doctest::Approx(d));
}

namespace {

// Loops of no steps that keep, stack and capture: the carry is what it was, and results by step have no elements.
template <extent N> constexpr auto scan_of(array<double, 3> const& x, array<double, N, 3> const& xs) {
  auto [c, ys] = scan(
      [&](auto const& c, auto const& s) {
        return std::pair{sin(c * s) + x, std::pair{c * c, sum(c)}};
      },
      2.0 * x, xs);
  auto each = map([&](auto const& s) { return s * x; }, xs);
  return std::tuple{c * x, ys.first, ys.second, each};
}
template <extent N> struct loss_of {
  constexpr auto operator()(array<double, 3> const& x, array<double, N, 3> const& xs) const {
    auto [c, a, b, d] = scan_of<N>(x, xs);
    return sum(c) + sum(a) + sum(b) + sum(d);
  }
};
struct loops {
  template <class A> constexpr auto operator()(A const& x) const {
    auto none = zeros<double, 0>();
    auto times = [&](auto const& c) { return std::pair{c * x, c}; };
    auto step = [](auto const& c, auto const& s) { return std::pair{c * s, c}; };
    auto a = fori_loop<0, 0>([&](auto const& i, auto const& c) { return c * x + astype<double>(i); }, x);
    auto b = fori_loop<5, 3>([&](auto const&, auto const& c) { return c * x; }, a);
    auto c = while_loop<0>([](auto const& c) { return all(c > 0.0); }, [&](auto const& c) { return c * x; }, b);
    auto d = scan<0>(times, scan<0>(times, c).first, keep_every<4>).first;
    auto e = scan(step, scan(step, d, none, keep_none).first, none, keep_every<2>).first;
    return sum(fori_loop(
                   3, 3, [&](auto const&, auto const& c) { return c * x; }, e) *
               x);
  }
};
template <class X> void none_of(auto f, auto gradients, auto tangent, auto second, X const& none) {
  array<double, 3> x{1, 2, 3}, t{1, 0, 2};
  auto [c, a, b, d] = f(x, none);
  near(c, array<double, 3>{2, 8, 18});
  CHECK(a.shape()[0] + b.shape()[0] + d.shape()[0] == 0);
  auto [v, g] = gradients(x, none);
  CHECK(v() == 28);
  near(std::get<0>(g), array<double, 3>{4, 8, 12});
  CHECK(std::get<1>(g).shape()[0] == 0);
  CHECK(tangent(x, t, none)() == 28);
  near(second(x, none), array<double, 3, 3>{{4, 0, 0}, {0, 4, 0}, {0, 0, 4}});
}
// the same of N examples of no steps, and of no examples
template <extent N> constexpr auto mapped(array<double, 3> const& x, array<double, 2, N, 3> const& xs) {
  return vmap<none, 0>(scan_of<N>)(x, xs);
}

}  // namespace

TEST_CASE("loops over nothing leave the carry alone") {
  array<double, 0, 3> const nothing;
  auto f = [](array<double, 3> x, array<double, 0, 3> xs) { return scan_of<0>(x, xs); };
  auto gradients = [](array<double, 3> x, array<double, 0, 3> xs) { return value_and_grad<0, 1>(loss_of<0>{})(x, xs); };
  auto tangent = [](array<double, 3> x, array<double, 3> t, array<double, 0, 3> xs) {
    return jvp([&](auto const& x) { return loss_of<0>{}(x, xs); }, x, t).second;
  };
  auto second = [](array<double, 3> x, array<double, 0, 3> xs) {
    return hessian([&](auto const& x) { return loss_of<0>{}(x, xs); })(x);
  };
  none_of(f, gradients, tangent, second, nothing);
  none_of(compiled(f), compiled(gradients), compiled(tangent), compiled(second), nothing);
  auto both = [](array<double, 3> x, array<double, 2, 0, 3> xs) { return mapped<0>(x, xs); };
  auto check = [&](auto const& f) {
    auto [c, a, b, d] = f(array<double, 3>{1, 2, 3}, array<double, 2, 0, 3>{});
    near(c, array<double, 2, 3>{{2, 8, 18}, {2, 8, 18}});
    static_assert(decltype(a)::extents == std::array<extent, 3>{2, 0, 3} &&
                  decltype(b)::extents == std::array<extent, 2>{2, 0});
  };
  check(both);
  check(compiled(both));
  auto empty = [](array<double, 0> x) { return vmap<0>([](auto const& x) { return jvp(loops{}, x, x).second; })(x); };
  CHECK(empty(array<double, 0>{}).size() + compiled(empty)(array<double, 0>{}).size() == 0);
}
TEST_CASE("every loop of no rounds: value, gradient, second derivative and vmap") {
  array<double, 3> x{1, 2, 3};
  auto f = [](array<double, 3> x) { return std::tuple{loops{}(x), jvp(loops{}, x, x).second}; };
  auto g = [](array<double, 3> x) {
    auto bounded = [](auto const& x) { return loops{}(x); };
    return std::tuple{vmap<0>(loops{})(x),
                      vmap<0>([&](auto const& x) { return jvp(bounded, x, array<double>(1.0)).second; })(x)};
  };
  std::tuple want{array<double>(14.0), array<double>(28.0)};
  std::tuple mapped{array<double, 3>{1, 4, 9}, array<double, 3>{2, 4, 6}};
  near(f(x), want);
  near(compiled(f)(x), want);
  near(g(x), mapped);
  near(compiled(g)(x), mapped);
}
TEST_CASE("a named number of steps that is 0 in this call") {
  using xs = array<double, "n"_n, 3>;
  auto const nothing = xs::build([](double*) {}, {0, 3});
  auto f = [](array<double, 3> x, xs s) { return scan_of<"n"_n>(x, s); };
  auto gradients = [](array<double, 3> x, xs s) { return value_and_grad<0, 1>(loss_of<"n"_n>{})(x, s); };
  auto tangent = [](array<double, 3> x, array<double, 3> t, xs s) {
    return jvp([&](auto const& x) { return loss_of<"n"_n>{}(x, s); }, x, t).second;
  };
  auto second = [](array<double, 3> x, xs s) {
    return hessian([&](auto const& x) { return loss_of<"n"_n>{}(x, s); })(x);
  };
  none_of(f, gradients, tangent, second, nothing);
  none_of(compiled(f), compiled(gradients), compiled(tangent), compiled(second), nothing);
  // the same program of two steps
  auto two = xs::build(
      [](double* to) {
        for (int i = 0; i < 6; ++i) to[i] = 0.1 * i;
      },
      {2, 3});
  array<double, 3> x{1, 2, 3};
  near(compiled(gradients)(x, two), gradients(x, two));
  near(compiled(second)(x, two), second(x, two));
}
