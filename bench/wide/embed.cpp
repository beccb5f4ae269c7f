// SPDX-License-Identifier: BSD-3-Clause
// Models of what is picked: a logistic regression of two factors, a bias and 16 features, and a layer on the mean of 32
// word vectors. Value and gradient.
#include "program.hpp"

namespace {

using namespace wide;
constexpr extent rows = 50000, factors = 8, features = 16, texts = 1024, length = 32, words = 5000;
struct logistic {
  array<float, 1000, factors> a;
  array<float, 200, factors> b;
  array<float, 50> bias;
  array<float, features> w;
};
using ids = array<int, rows, 3>;
constexpr auto logistic_loss = [](logistic const& m, ids k, array<float, rows, features> x, array<float, rows> y) {
  auto a = take<0>(m.a, slice<every, 0>(k)), b = take<0>(m.b, slice<every, 1>(k));
  auto t = sum<1>(a * b) + take<0>(m.bias, slice<every, 2>(k)) + dot(x, m.w);
  return mean(logaddexp(0.0f, t) - y * t);
};
struct classes {
  array<float, words, 16> vectors;
  array<float, 16, 10> w;
  array<float, 10> b;
};
using tokens = array<int, texts, length>;
constexpr auto text_loss = [](classes const& m, tokens t, array<int, texts> y) {
  return mean(softmax_cross_entropy(dot(tanh(mean<1>(take<0>(m.vectors, t))), m.w) + m.b, y));
};
constexpr auto f = jit([](logistic m, ids k, array<float, rows, features> x, array<float, rows> y) {
  return value_and_grad(logistic_loss)(m, k, x, y);
});
constexpr auto g = jit([](classes m, tokens t, array<int, texts> y) { return value_and_grad(text_loss)(m, t, y); });
entry const e("embed", [](double seconds) {
  logistic m{fill<array<float, 1000, factors>>(1), fill<array<float, 200, factors>>(2), fill<array<float, 50>>(3),
             fill<array<float, features>>(4)};
  int const of[] = {1000, 200, 50};
  auto const all = fill_int<ids>(5, 1000);
  auto const k = ids::build([&](int* o) {
    for (extent i = 0; i < 3 * rows; ++i) o[i] = all.data()[i] % of[i % 3];
  });
  run_or_show(seconds, f, m, k, fill<array<float, rows, features>>(6), fill<array<float, rows>>(7));
});
entry const t("text", [](double seconds) {
  classes m{fill<array<float, words, 16>>(1), fill<array<float, 16, 10>>(2), fill<array<float, 10>>(3)};
  run_or_show(seconds, g, m, fill_int<tokens>(4, words), fill_int<array<int, texts>>(5, 10));
});

}  // namespace
