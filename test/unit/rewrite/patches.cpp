// SPDX-License-Identifier: BSD-3-Clause
// Padding, joining and shifting inside kernels: what an update is for the interpreter is a patch for a kernel, read
// where its parts lie. Sizes are no multiples of a register, and blocks begin and end inside one.
#include "same.hpp"

namespace {

using namespace etna;

template <class T, extent... E> array<T, E...> numbers(int seed) { return test::some<array<T, E...>>(seed, 0, 9); }
template <class F, class... P> constexpr int steps(planning::step_kind kind) {
  auto const& p = compiler::program<F, P...>::value;
  int n = 0;
  for (int s = 0; s < p.n_steps; ++s) n += p.steps[s].kind == kind;
  return n;
}
/// f is so many kernels and no update.
template <int Kernels, class F, class... P> void fuses(F f, P const&... x) {
  CHECK(steps<F, P...>(planning::kind_of<planning::kernel_step>) == Kernels);
  CHECK(steps<F, P...>(planning::kind_of<planning::routine_step>) == 0);
  test::as_eager(f, x...);
}

constexpr auto grown = [](auto x) { return pad<1, 2>(x); };
constexpr auto stencil = [](array<double, 131> x, array<double, 131> y) {
  auto left = concatenate(ones<double, 1>(), slice<range{0, 130}>(y)), right = pad<0, 1>(slice<range{1, 131}>(y));
  return sum(x * (left - 2.0 * y + right) * sin(left));
};

}  // namespace

TEST_CASE_TEMPLATE("a shifted neighbour is read where it lies", T, float, double, std::int32_t, std::int64_t,
                   std::uint8_t) {
  auto x = numbers<T, 131>(1), y = numbers<T, 131>(5);
  fuses<1>(
      [](array<T, 131> x, array<T, 131> y) {
        return x * concatenate(ones<T, 1>(), slice<range{0, 130}>(y));
      },
      x, y);
  fuses<1>(
      [](array<T, 131> x, array<T, 131> y) {
        return x + concatenate(slice<range{2, 131}>(y), full<T, 2>(3));
      },
      x, y);
  fuses<3>([](array<T, 131> x) { return T(2) * slice<range{100, 200}>(concatenate(x, x * x)); }, x);
  fuses<2>([](array<T, 131> x) { return concatenate(x, x * x, x) + T(1); }, x);
}
TEST_CASE("masks are joined too") {
  auto x = numbers<float, 131>(1);
  fuses<2>(
      [](array<float, 131> x) { return where(concatenate(greater(x, 0.5f), less(x, 0.5f)), concatenate(x, x), 2.0f); },
      x);
}
TEST_CASE_TEMPLATE("blocks of matrices: along rows, along columns, inside both", T, TEST_FLOATS) {
  auto x = numbers<T, 7, 37>(1);
  fuses<1>([](array<T, 7, 37> x) { return pad<2, 3>(x) + T(1); }, x);
  fuses<1>([](array<T, 7, 37> x) { return pad<0, 5>(x, T(2)) * T(3); }, x);
  fuses<1>([](array<T, 7, 37> x) { return concatenate<1>(x, x) * concatenate<1>(x, x); }, x);
  fuses<1>([](array<T, 7, 37> x) { return concatenate<0>(x, x) - concatenate<0>(slice<range{0, 7}>(x), x); }, x);
  // a block in one axis and all of those behind it is one loop
  auto image = numbers<T, 2, 5, 6, 3>(1);
  fuses<1>([](array<T, 2, 5, 6, 3> x) { return pad<0, 0, 1, 2, 2, 1, 0, 0>(x) * T(2); }, image);
  fuses<1>(
      [](array<T, 2, 5, 6, 3> x) {
        return concatenate<1>(x, slice<range{0, 2}, range{3, 4}>(x), x) * T(2);
      },
      image);
  SUBCASE("read as a transpose: the block is copied, or read one by one") {
    test::as_eager([](array<T, 7, 37> x) { return pad<1, 1>(transpose(x)) + T(1); }, x);
    test::as_eager([](array<T, 7, 37> x) { return transpose(pad<1, 1>(x)) + T(1); }, x);
    test::as_eager([](array<T, 7, 37> x) { return dot(pad<1, 1>(x), transpose(pad<1, 1>(x))); }, x);
  }
}
TEST_CASE_TEMPLATE("sums of rows, of columns, of all", T, TEST_FLOATS) {
  auto x = numbers<T, 9, 5, 21>(3);
  test::as_eager([](array<T, 9, 5, 21> x) { return sum<2>(grown(x) * grown(x)); }, x);
  test::as_eager([](array<T, 9, 5, 21> x) { return sum<0>(grown(x) * T(2)); }, x);
  test::as_eager([](array<T, 9, 5, 21> x) { return sum<1>(grown(x) * T(2)); }, x);
  test::as_eager([](array<T, 9, 5, 21> x) { return sum<0, 1>(grown(x) * T(2)); }, x);
  test::as_eager([](array<T, 9, 5, 21> x) { return sum<1, 2>(exp(grown(x))); }, x);
  test::as_eager([](array<T, 9, 5, 21> x) { return sum(grown(x) * T(2)); }, x);
  test::as_eager([](array<T, 9, 5, 21> x) { return argmax<2>(grown(x)); }, x);
  test::as_eager([](array<T, 9, 5, 21> x) { return softmax(grown(x)); }, x);
  test::as_eager([](array<T, 9, 5, 21> x) { return pad<1, 2>(sum<2>(x)) * sum<2>(grown(x)); }, x);
  test::as_eager([](array<T, 9, 5, 21> x) { return grown(x) - expand_dims<2>(pad<1, 2>(sum<2>(x))); }, x);
}
TEST_CASE("derivatives of a stencil") {
  auto x = numbers<double, 131>(1), y = numbers<double, 131>(5);
  test::near(jit(grad<0, 1>(stencil))(x, y), grad<0, 1>(stencil)(x, y), 1e-6, 1e-12);
  test::near(jit([](array<double, 131> x, array<double, 131> y) {
               return jvp(stencil, std::tuple{x, y}, std::tuple{y, x});
             })(x, y),
             jvp(stencil, std::tuple{x, y}, std::tuple{y, x}), 1e-6, 1e-12);
  auto m = numbers<double, 5, 131>(2);
  test::as_eager([](array<double, 5, 131> m, array<double, 131> y) { return vmap<0, none>(grad(stencil))(m, y); }, m,
                 y);
}
TEST_CASE("in the step of a loop an argument's update is a patch") {
  auto x = numbers<double, 131>(1), y = numbers<double, 131>(5);
  test::as_eager(
      [](array<double, 131> x, array<double, 131> y) {
        return scan<4>(
            [&](array<double, 131> c) {
              auto moved = c.template at<range{3, 9}>().set(slice<range{5, 11}>(x * c));
              return std::pair{array<double, 131>(moved * 0.5), moved.template at<0>().set(1.0)};
            },
            y);
      },
      x, y);
}
TEST_CASE("beside an axis that has a name") {
  using named = array<double, "n"_n, 37, 2>;
  for (extent n : {1, 3, 8}) {
    auto x = test::some<named>(1, {n, 37, 2});
    test::as_eager([](named x) { return pad<0, 0, 1, 2, 0, 0>(x) * 2.0; }, x);
    test::as_eager([](named x) { return sum<0>(pad<0, 0, 1, 2, 0, 1>(x) * 2.0); }, x);
    test::as_eager([](named x) { return sum<1, 2>(concatenate<1>(x, slice<every, range{3, 5}>(x))); }, x);
  }
}
TEST_CASE("what nobody may overwrite, and what must not change") {
  auto x = numbers<double, 131>(1);
  // the padded value is a result and is read by two kernels; the block is updated again at other places
  test::as_eager(
      [](array<double, 131> x) {
        auto p = pad<7, 9>(x);
        auto q = p * 2.0;
        return std::tuple{p, q, pad<1, 1>(q), sum(p), concatenate(q, q, q, q, q, q, q)};
      },
      x);
  test::as_eager([](array<double, 131> x) { return concatenate(x, -x, x * x, sin(x), x, cos(x), x + 1.0); }, x);
}
TEST_CASE("small joins stay updates, and ends of one element are patches") {
  constexpr auto f = [](array<float, 5> x) { return concatenate(x, x) * 2.0f; };
  static_assert(steps<decltype(f), array<float, 5>>(planning::kind_of<planning::routine_step>) == 2);
  test::as_eager(f, numbers<float, 5>(1));
  fuses<1>([](array<float, 131> x, array<float, 1> y) { return concatenate(y, x, y) * 2.0f; }, numbers<float, 131>(1),
           numbers<float, 1>(4));
}
