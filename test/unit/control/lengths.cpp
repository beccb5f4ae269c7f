// SPDX-License-Identifier: BSD-3-Clause
// Branches of unequal length, and loops over nothing: values and derivatives outside jit, which the sanitizers watch here.
#include <cmath>

#include "same.hpp"

using namespace test;

namespace {

using scalar = array<double>;

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
  auto operator()(array<int> const& which, scalar const& x) const { return switch_(which, std::tuple{steps<N>{beside}...}, x); }
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
  unequal<9, 0, 4>();
  unequal<9, 4, 0>();
  unequal<4, 9, 0, 1>();
  unequal<1, 0, 4, 9>();
}
TEST_CASE("cond of a short and a long function") {
  constexpr auto many = [](auto const& x) { auto y = x; for (int i = 0; i < 40; ++i) y = sin(y); return y; };
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
