// SPDX-License-Identifier: BSD-3-Clause
// A product that is added to something, and so is a result: one step, in place where the memory is given away. Against
// the interpreter; and what is not that.
#include <etna/optim/momentum.hpp>

#include "same.hpp"

using namespace test;

namespace {

template <class F, class... P> void runs(int kernels, F f, P const&... x) {
  CHECK(plan_of<F, P...>::kernel_count == kernels);
  INFO(kernels);
  near(jit(f)(x...), f(x...), 1e-4, 1e-12);
}

}  // namespace

TEST_CASE_TEMPLATE("products added to an argument", T, TEST_FLOATS) {
  auto all = [](auto rows, auto columns, auto sums) {
    constexpr int m = rows(), n = columns(), k = sums();
    using w_t = array<T, m, n>;
    using x_t = array<T, k, m>;
    using y_t = array<T, k, n>;
    auto w = some<w_t>(1);
    auto x = some<x_t>(2);
    auto y = some<y_t>(3);
    auto rate = some<array<T>>(4);
    CAPTURE(m);
    runs(
        1, [](w_t w, x_t x, y_t y) { return w - T(0.1) * dot(transpose(x), y); }, w, x, y);
    runs(
        1, [](w_t w, x_t x, y_t y) { return dot(transpose(x), y) + w; }, w, x, y);
    runs(
        1, [](w_t w, x_t x, y_t y) { return w - dot(transpose(x), y); }, w, x, y);
    runs(
        1, [](w_t w, x_t x, y_t y) { return w + -(dot(transpose(x), y) * T(3)); }, w, x, y);
    runs(
        1,
        [](w_t w, x_t x, y_t y, array<T> rate) {
          auto rule = optim::sgd(rate);
          return optim::apply_updates(w, rule.update(array<T, m, n>(dot(transpose(x), y)), rule.init(w)).first);
        },
        w, x, y, rate);
    runs(
        1, [](w_t w, array<T, m, k> x, y_t y) { return w + dot(x, y); }, w, some<array<T, m, k>>(5), y);
    runs(
        1, [](w_t w, x_t x, array<T, n, k> y) { return w + dot(transpose(x), transpose(y)); }, w, x,
        some<array<T, n, k>>(6));
    runs(
        1, [](array<T, m * n> w, x_t x, y_t y) { return w + T(2) * reshape<m * n>(dot(transpose(x), y)); },
        some<array<T, m * n>>(7), x, y);
    // gradients by a transform; a loop that adds to its carry
    runs(
        3,
        [](w_t w, array<T, k, m> x) {
          return w - T(0.1) * grad([](w_t w, x_t x) { return sum(square(dot(x, w))); })(w, x);
        },
        w, x);
    near(jit([](w_t w, x_t x, y_t y) {
           return fori_loop<0, 3>([&](auto const&, w_t const& c) { return c - T(0.1) * dot(transpose(x), y); }, w);
         })(w, x, y),
         w - T(0.3) * dot(transpose(x), y), 1e-4, 1e-12);
    // the memory of what is given away
    constexpr auto update = jit([](w_t w, x_t x, y_t y) { return w - T(0.1) * dot(transpose(x), y); });
    auto old = some<w_t>(1);
    T const* const at = std::as_const(old).data();
    auto const next = update(std::move(old), x, y);
    CHECK(std::as_const(next).data() == at);
    CHECK(same_bits(next, update(w, x, y)));
    CHECK(plan_type<decltype(update)>::arena_bytes == 0);
    // the bits of the same steps in programs of their own
    constexpr auto product = jit([](x_t x, y_t y) { return dot(transpose(x), y); });
    constexpr auto after = jit([](w_t w, w_t g) { return w - T(0.1) * g; });
    if (k < 1536) CHECK(same_bits(next, after(w, product(x, y))));  // a longer sum is added part by part
  };
  using std::integral_constant;
  all(integral_constant<int, 13>{}, integral_constant<int, 37>{}, integral_constant<int, 5>{});
  all(integral_constant<int, 400>{}, integral_constant<int, 131>{}, integral_constant<int, 33>{});  // for two threads
  all(integral_constant<int, 31>{}, integral_constant<int, 37>{}, integral_constant<int, 1700>{});  // sums in parts
}
TEST_CASE("products that are more than added") {
  using w_t = array<float, 20, 30>;
  using x_t = array<float, 9, 20>;
  using y_t = array<float, 9, 30>;
  auto w = some<w_t>(1), v = some<w_t>(4);
  auto x = some<x_t>(2);
  auto y = some<y_t>(3);
  runs(
      2,
      [](w_t w, x_t x, y_t y) {
        auto g = dot(transpose(x), y);
        return std::pair{w_t(w - g), w_t(g)};
      },
      w, x, y);
  runs(
      2,
      [](w_t w, x_t x, y_t y) {
        w_t n = w - dot(transpose(x), y);
        return std::pair{n, exp(n)};
      },
      w, x, y);
  runs(
      2, [](w_t w, w_t v, x_t x, y_t y) { return w - v * dot(transpose(x), y); }, w, v, x, y);
  runs(
      2, [](array<float, 30> w, x_t x, y_t y) { return w - dot(transpose(x), y); }, some<array<float, 30>>(5), x, y);
  runs(
      2, [](w_t w, x_t x, y_t y) { return dot(transpose(x), y) - w; }, w, x, y);
  runs(
      2, [](array<float, 30, 20> w, x_t x, y_t y) { return w - transpose(w_t(dot(transpose(x), y))); },
      some<array<float, 30, 20>>(6), x, y);
  runs(
      2, [](x_t x, y_t y) { return 1 - dot(transpose(x), y); }, x, y);
  runs(
      2, [](array<int, 20, 30> w, array<int, 9, 20> x, array<int, 9, 30> y) { return w - dot(transpose(x), y); },
      some<array<int, 20, 30>>(1, -9, 9), some<array<int, 9, 20>>(2, -9, 9), some<array<int, 9, 30>>(3, -9, 9));
  // one of two products adds the other
  runs(
      2,
      [](array<float, 9, 20> x, array<float, 20, 40> u, array<float, 9, 30> h, array<float, 30, 40> v) {
        return dot(x, u) + dot(h, v);
      },
      some<array<float, 9, 20>>(1), some<array<float, 20, 40>>(2), some<array<float, 9, 30>>(3),
      some<array<float, 30, 40>>(4));
}
TEST_CASE("memory that the product itself reads is not given to its result") {
  using w_t = array<float, 64, 64>;
  auto const w = some<w_t>(1), m = some<w_t>(2);
  auto changes = [&](auto f) {
    auto old = w;
    near(jit(f)(std::move(old), m), f(w, m), 1e-4);
  };
  changes([](w_t w, w_t m) { return w - 0.1f * dot(w, m); });
  changes([](w_t w, w_t m) { return w - 0.1f * dot(m, w); });
  changes([](w_t w, w_t m) { return w - slice<0, 0>(w) * dot(m, m); });
  changes([](w_t w, w_t m) {
    auto g = dot(m, w);
    return std::pair{w_t(w - dot(g, m)), w_t(g)};
  });
}
TEST_CASE("products of named sizes, added") {
  using rows = array<float, "n"_n, 24>;
  using w_t = array<float, 24, 24>;
  constexpr auto step = jit([](w_t w, rows x) { return w - 0.1f * dot(transpose(x), x); });
  constexpr auto residual = jit([](rows x, w_t w) { return x + dot(x, w); });
  CHECK(plan_type<decltype(step)>::kernel_count == 1);
  auto const w = some<w_t>(1);
  auto const x = some<rows>(2, {17, 24});
  near(step(w, x), w - 0.1f * dot(transpose(x), x), 1e-4);
  near(residual(x, w), x + dot(x, w), 1e-4);
}
TEST_CASE_TEMPLATE("integers are added as integers, whatever their size", T, std::int64_t, std::int32_t,
                   std::uint32_t) {
  using x_t = array<T, 5, 3000>;
  using y_t = array<T, 3000, 7>;
  using w_t = array<T, 5, 7>;
  auto odd = []<class A>(A*, std::uint64_t seed) {
    return A::build([&](T* o) {
      for (extent i = 0; i < A::type.size(); ++i) o[i] = T((std::uint64_t(i) * 2654435761u + seed) * 40503u);
    });
  };
  auto const x = odd(static_cast<x_t*>(nullptr), 1);
  auto const y = odd(static_cast<y_t*>(nullptr), 2);
  auto const w = odd(static_cast<w_t*>(nullptr), 3);
  auto by_hand = [&](std::uint64_t factor) {
    return w_t::build([&](T* o) {
      for (int i = 0; i < 5; ++i)
        for (int j = 0; j < 7; ++j) {
          std::uint64_t sum = 0;
          for (int k = 0; k < 3000; ++k)
            sum += std::uint64_t(x.data()[i * 3000 + k]) * std::uint64_t(y.data()[k * 7 + j]);
          o[i * 7 + j] = T(std::uint64_t(w.data()[i * 7 + j]) + factor * sum);
        }
    });
  };
  auto added = [](w_t w, x_t x, y_t y) { return w + dot(x, y); };
  auto less = [](w_t w, x_t x, y_t y) { return w - T(3) * dot(x, y); };
  CHECK(same_bits(jit(added)(w, x, y), by_hand(1)));
  CHECK(same_bits(jit(less)(w, x, y), by_hand(std::uint64_t(-3))));
}
