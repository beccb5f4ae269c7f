// SPDX-License-Identifier: BSD-3-Clause
// Arrays put together from pieces: whoever computes a piece writes it in its place.
#include "same.hpp"

using namespace test;

namespace {

template <class F, class... P> constexpr int updates(F const&, P const&...) {
  auto const& p = compiler::program<F, P...>::value;
  int n = 0;
  for (int i = 0; i < p.n_steps; ++i) n += planning::is<planning::routine_step>(p.steps[i]);
  return n;
}
template <class F, class... P> constexpr int steps(F const&, P const&...) {
  return compiler::program<F, P...>::value.n_steps;
}
template <class F, class... X> void no_update(F const& f, X const&... x) {
  CHECK(updates(f, x...) == 0);
  as_eager(f, x...);
}
template <class T> using line = array<T, 133>;
template <class T> using pairs = array<T, 133, 2>;

}  // namespace

TEST_CASE_TEMPLATE("stacks and joins of what is computed, of what is given, and of both", T, TEST_FLOATS) {
  auto a = some<line<T>>(1), b = some<line<T>>(2);
  auto y = some<pairs<T>>(3);
  no_update([](line<T> a, line<T> b) { return stack<1>(a * b, sin(a), b); }, a, b);
  static_assert(steps([](line<T> a, line<T> b) { return stack<1>(a * b, sin(a), b); }, line<T>(), line<T>()) == 1);
  no_update([](line<T> a, pairs<T> y) { return concatenate<1>(y * T(2), expand_dims<1>(a), flip<1>(y)); }, a, y);
  no_update([](pairs<T> y) { return stack<2>(y, y * y); }, y);
  no_update(
      [](pairs<T> y, line<T> a) {
        return std::pair{stack<1>(slice<every, 1>(y), slice<every, 0>(y)), a + T(1)};
      },
      y, a);
  // rows of the sums, columns of columns
  no_update([](array<T, 133, 40> x, line<T> a) { return stack<1>(sum<1>(x), max<1>(x), a); },
            some<array<T, 133, 40>>(4), a);
  no_update([](array<T, 40, 133> x) { return stack<1>(sum<0>(x), max<0>(x)); }, some<array<T, 40, 133>>(5));
  // elements beside sums: of all, of rows long and short
  no_update([](line<T> a, line<T> b) { return std::pair{stack<1>(T(2) * a * b, a), sum(a * b)}; }, a, b);
  no_update([](array<T, 30, 70> x) { return stack<2>(x * T(2), x - mean<1>(x, keepdims), x); },
            some<array<T, 30, 70>>(10));
  no_update([](array<T, 70, 9> x) { return stack<2>(x * T(2), x - mean<1>(x, keepdims)); }, some<array<T, 70, 9>>(11));
  // read again: by others, and as a result
  no_update(
      [](line<T> a, line<T> b) {
        auto s = a * b;
        auto all = stack<1>(s, a - b, s);
        return std::tuple{all, sum<0>(all), s, exp(all)};
      },
      a, b);
  // named sizes, steps, and a block of several axes
  using named = array<T, "n"_n>;
  for (extent size : {extent(1), extent(200)})
    no_update([](named x, named z) { return stack<1>(x + z, x * z); }, some<named>(6, -1, 1, {size}),
              some<named>(7, -1, 1, {size}));
  no_update(
      [](array<T, 10, 20> x, array<T, 10, 20> z) {
        auto u = zeros<T, 10, 40>().template at<every, range{0, 40, 2}>().set(x * z);
        return u.template at<every, range{1, 40, 2}>().set(x - z);
      },
      some<array<T, 10, 20>>(8), some<array<T, 10, 20>>(9));
}

TEST_CASE("in loops, in gradients, and beside arguments that are given away") {
  as_eager(
      [](array<float, 100, 3> x) {
        return fori_loop<0, 5>(
            [](auto, array<float, 100, 3> v) {
              auto a = slice<every, 0>(v), b = slice<every, 1>(v), c = slice<every, 2>(v);
              return array<float, 100, 3>(stack<1>(b, c * 0.5f, a + b));
            },
            x);
      },
      some<array<float, 100, 3>>(1));
  as_eager(grad([](line<double> a, line<double> b) { return sum(sin(stack<1>(a * b, a, exp(b)))); }),
           some<line<double>>(2), some<line<double>>(3));
  // the result has the argument's size, and every piece reads other elements of it
  constexpr auto turn = jit([](array<float, 100, 3> x) {
    auto a = slice<every, 0>(x), b = slice<every, 1>(x), c = slice<every, 2>(x);
    return stack<1>(a * 2.0f, a + c, b);
  });
  auto x = some<array<float, 100, 3>>(4);
  auto const expected =
      stack<1>(slice<every, 0>(x) * 2.0f, slice<every, 0>(x) + slice<every, 2>(x), slice<every, 1>(x));
  CHECK(allclose(turn(some<array<float, 100, 3>>(4)), expected, 1e-6));
}

TEST_CASE("what leaves something of the constant, or overlaps, is updated one by one") {
  auto a = some<line<float>>(1), b = some<line<float>>(2);
  auto some_of = [](line<float> a, line<float> b) {
    return full<float, 133, 3>(7.0f).at<every, 0>().set(a * b).at<every, 2>().set(a);
  };
  as_eager(some_of, a, b);
  as_eager(
      [](line<float> a, line<float> b) {
        auto x = zeros<float, 133, 2>().at<every, 0>().set(a).at<every, 1>().set(b);
        return x.at<every, 1>().set(a * b);
      },
      a, b);
}

TEST_CASE("a cotangent of pieces is put together from theirs") {
  using x_t = array<float, 300, 23>;
  auto f = [](x_t x) {
    auto loss = [](x_t x) {
      auto a = slice<range{}, range{0, 3}>(x);
      auto b = slice<range{}, range{3, 4}>(x);
      auto c = slice<range{}, range{4, 23}>(x);
      return sum(sin(a) * b) + sum(square(c));
    };
    return grad(loss)(x);
  };
  static_assert(steps(f, x_t()) <= 3);
  as_eager(f, some<x_t>(1));
  // over one another, and not all: as they are
  as_eager(
      [](x_t x) {
        auto loss = [](x_t x) {
          return sum(sin(slice<range{}, range{0, 9}>(x)) * slice<range{}, range{4, 13}>(x)) +
                 sum(exp(slice<range{1, 7}, 20>(x)));
        };
        return grad(loss)(x);
      },
      some<x_t>(2));
}
