// SPDX-License-Identifier: BSD-3-Clause
// A product and what follows it run tile by tile: updates, rows, batches, several products. What runs together has the
// bits of the same steps in programs of their own. Sizes are no multiples of a tile, and large enough for two threads.
#include <omp.h>

#include <etna/nn/attention.hpp>

#include "groups.hpp"

using namespace test;

namespace {

template <class F, class... P> void runs(std::vector<int> const& want, F f, P const&... x) {
  CHECK(groups<F, P...>() == want);
  INFO(want.size());
  near(jit(f)(x...), f(x...), 1e-4, 1e-12);
}

template <class T> using weights = array<T, 700, 501>;

}  // namespace

TEST_CASE_TEMPLATE("a gradient of weights, and what becomes of it", T, TEST_FLOATS) {
  using x_t = array<T, 33, 700>;
  using y_t = array<T, 33, 501>;
  auto x = some<x_t>(1);
  auto y = some<y_t>(2);
  auto w = some<weights<T>>(3), m = some<weights<T>>(4);
  runs(
      {2}, [](weights<T> w, x_t x, y_t y) { return w * (1 - T(0.1) * dot(transpose(x), y)); }, w, x, y);
  // momentum: two results; a decay by column
  runs(
      {2},
      [](weights<T> w, weights<T> m, array<T, 501> d, x_t x, y_t y) {
        auto next = T(0.9) * m + d * dot(transpose(x), y);
        return std::pair{weights<T>(w - next), weights<T>(next)};
      },
      w, m, some<array<T, 501>>(5), x, y);
  // the same steps in programs of their own
  auto both = [](weights<T> w, x_t x, y_t y) { return w * (1 - T(0.1) * dot(transpose(x), y)); };
  auto product = jit([](x_t x, y_t y) { return dot(transpose(x), y); });
  auto update = jit([](weights<T> w, weights<T> g) { return w * (1 - T(0.1) * g); });
  CHECK(same_bits(jit(both)(w, x, y), update(w, product(x, y))));
  // of a donated argument
  auto old = w;
  auto in_place = jit(both)(std::move(old), x, y);
  CHECK(same_bits(in_place, update(w, product(x, y))));
}
TEST_CASE_TEMPLATE("rows behind a product", T, TEST_FLOATS) {
  using x_t = array<T, 1001, 40>;
  using w_t = array<T, 40, 300>;
  auto x = some<x_t>(1);
  auto w = some<w_t>(2);
  runs(
      {2}, [](x_t x, w_t w, array<T, 300> b) { return tanh(dot(x, w) + b); }, x, w, some<array<T, 300>>(3));
  runs(
      {2}, [](x_t x, w_t w) { return softmax(dot(x, w)); }, x, w);
  runs(
      {2}, [](x_t x, w_t w) { return logsumexp<1>(dot(x, w)); }, x, w);
  runs(
      {2},
      [](x_t x, w_t w) {
        auto z = dot(x, w);
        return std::pair{array<T, 1001, 300>(z), array<T, 1001>(sum<1>(square(z)))};
      },
      x, w);
  runs(
      {2}, [](x_t x, w_t w, array<int, 90> i) { return tanh(take<1>(dot(x, w), i)); }, x, w,
      some<array<int, 90>>(5, 0, 299));
  // two layers: a product of the rows is one of the steps
  runs(
      {4}, [](x_t x, w_t w, array<T, 300, 60> v) { return tanh(dot(tanh(dot(x, w)), v)); }, x, w,
      some<array<T, 300, 60>>(4));
  auto soft = jit([](array<T, 1001, 300> z) { return softmax(z); });
  auto product = jit([](x_t x, w_t w) { return dot(x, w); });
  auto both = jit([](x_t x, w_t w) { return softmax(dot(x, w)); });
  CHECK(same_bits(both(x, w), soft(product(x, w))));
}
TEST_CASE_TEMPLATE("rows that go together behind a product: few classes, pairs, single columns", T, TEST_FLOATS) {
  constexpr extent n = 5003;
  using x_t = array<T, n, 40>;
  using w_t = array<T, 40, 90>;
  using v_t = array<T, 90, 10>;
  auto x = some<x_t>(1);
  auto w = some<w_t>(2), b = some<w_t>(5);
  auto v = some<v_t>(3);
  auto classes = [](x_t x, w_t w, v_t v) { return softmax(dot(tanh(dot(x, w)), v)); };
  runs({4}, classes, x, w, v);
  auto columns = [](x_t x, w_t w) {
    auto z = dot(x, w);
    auto first = slice<every, 0>(z) * slice<every, 7>(z);
    return std::tuple{first, slice<every, range{1, 3}>(z) * expand_dims<1>(first), tanh(z)};
  };
  runs({3}, columns, x, w);
  // what sums over the rows waits for the end, though it stands between
  auto between = [](x_t x, w_t w, v_t v) {
    auto z = tanh(dot(x, w));
    auto sums = dot(transpose(x), z);
    auto next = dot(z, v);
    return std::tuple{sums + 1, next - max<1>(next, keepdims), dot(transpose(z), next)};
  };
  runs({4}, between, x, w, v);
  auto one = [&](auto f, auto const&... a) {
    omp_set_num_threads(1);
    auto const alone = jit(f)(a...);
    omp_set_num_threads(2);
    CHECK(same_bits(jit(f)(a...), alone));
  };
  one(classes, x, w, v), one(columns, x, w), one(between, x, w, v);
}
TEST_CASE_TEMPLATE("batches", T, TEST_FLOATS) {
  using q_t = array<T, 13, 150, 24>;
  auto q = some<q_t>(1), k = some<q_t>(2), v = some<q_t>(3);
  auto attend = [](q_t q, q_t k, q_t v) { return matmul(softmax(T(0.2) * matmul(q, swapaxes<1, 2>(k))), v); };
  runs({3}, attend, q, k, v);
  runs(
      {8},
      [](q_t q, q_t k, q_t v) {
        return grad<0, 1, 2>([](q_t q, q_t k, q_t v) {
          return sum(square(matmul(softmax(T(0.2) * matmul(q, swapaxes<1, 2>(k))), v)));
        })(q, k, v);
      },
      q, k, v);
  // one factor for all of them: a product without batches is by rows
  runs(
      {2}, [](q_t q, array<T, 24, 150> k, q_t v) { return matmul(tanh(matmul(q, k)), v); }, q,
      some<array<T, 24, 150>>(4), v);
}
TEST_CASE("what does not run together") {
  using x_t = array<float, 33, 700>;
  using y_t = array<float, 33, 501>;
  auto x = some<x_t>(1);
  auto y = some<y_t>(2);
  using w_t = weights<float>;
  runs(
      {}, [](x_t x, y_t y) { return sum<0>(exp(dot(transpose(x), y))); }, x, y);  // over the rows
  runs(
      {}, [](x_t x, y_t y) { return tanh(flip<0>(w_t(dot(transpose(x), y)))); }, x, y);  // other rows
  runs(
      {},
      [](x_t x, y_t y) {
        return tanh(slice<range{1, 700}>(w_t(dot(transpose(x), y))));
      },
      x, y);  // the next row
  runs(
      {},
      [](x_t x, y_t y) {
        return tanh(pad<1, 0, 0, 0>(slice<range{0, 699}, range{0, 501}>(w_t(dot(transpose(x), y)))));
      },
      x, y);  // the row before
  runs(
      {}, [](x_t x, y_t y, array<int, 700> i) { return tanh(take<0>(w_t(dot(transpose(x), y)), i)); }, x, y,
      some<array<int, 700>>(5, 0, 699));
  runs(
      {}, [](array<float, 501, 700> w, x_t x, y_t y) { return w - transpose(w_t(dot(transpose(x), y))); },
      some<array<float, 501, 700>>(3), x, y);
  using even_t = array<float, 33, 502>;
  runs(
      {},
      [](x_t x, even_t y) {
        return tanh(slice<range{0, 350}>(array<float, 700, 502>(dot(transpose(x), y))));
      },
      x, some<even_t>(2));
  runs(
      {}, [](x_t x, even_t y) { return tanh(flip<0, 1>(dot(transpose(x), y))); }, x, some<even_t>(2));
  // the second product reads all rows of the first
  runs(
      {},
      [](array<float, 280, 40> x, array<float, 40, 200> w, array<float, 280, 280> y, array<float, 200, 5> v) {
        return dot(softmax(dot(y, tanh(dot(x, w)))), v);
      },
      some<array<float, 280, 40>>(1), some<array<float, 40, 200>>(2), some<array<float, 280, 280>>(3),
      some<array<float, 200, 5>>(4));
  runs(
      {}, [](array<float, 33, 70> x, array<float, 33, 51> y) { return tanh(dot(transpose(x), y)); },
      some<array<float, 33, 70>>(1), some<array<float, 33, 51>>(2));  // in cache anyway
  // each tile would read an operand of a megabyte again
  runs(
      {}, [](array<float, 500, 900> x, array<float, 900, 300> w) { return tanh(dot(x, w)); },
      some<array<float, 500, 900>>(1), some<array<float, 900, 300>>(2));
}
TEST_CASE("an operand whose memory may be the update's") {
  // w is also the left operand: its old columns are read by all tiles
  using w_t = array<float, 520, 520>;
  using y_t = array<float, 520, 50>;
  auto f = [](w_t w, y_t y) {
    auto g = dot(transpose(w), y);
    return std::pair{w_t(w * (1 - 0.1f * dot(g, transpose(y)))), g};
  };
  auto w = some<w_t>(1);
  auto y = some<y_t>(2);
  auto old = w;
  CHECK(groups<decltype(f), w_t, y_t>() == std::vector{2});
  near(jit(f)(std::move(old), y), f(w, y), 1e-4);
  auto h = [](w_t w) { return tanh(dot(w, w)); };
  old = w;
  near(jit(h)(std::move(old)), h(w), 1e-4);
}
