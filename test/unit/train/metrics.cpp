// SPDX-License-Identifier: BSD-3-Clause
// Metrics beside counts made by hand, and by loops over plain numbers.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include <etna/etna.hpp>
#include <etna/train/metrics.hpp>

using namespace etna;

namespace {
constexpr int classes = 7, examples = 60;
using logits_type = array<float, examples, classes>;
using labels_type = array<int, examples>;

constexpr auto accuracy = jit([](logits_type x, labels_type y) { return train::accuracy(x, y); });
constexpr auto top_3 = jit([](logits_type x, labels_type y) { return train::top_k_accuracy<3>(x, y); });
constexpr auto confusion = jit([](logits_type x, labels_type y) { return train::confusion_matrix<classes>(x, y); });
constexpr auto add_both = jit([](train::mean m, array<float, 5> x) { return m.add(x).add(mean(x), 2); });

// few different numbers, so that many are equal
logits_type logits() {
  return logits_type::build([](float* out) {
    for (int i = 0; i < examples * classes; ++i) out[i] = float((i * i + i / 7 * 11) % 23 % 5);
  });
}
labels_type labels() {
  return labels_type::build([](int* out) {
    for (int i = 0; i < examples; ++i) out[i] = (i * 5 + i / 3) % (classes + 1) - 1;  // -1: none
  });
}
// The place of the label among the logits in falling order, equal ones in their own order; -1 where it is no class.
int place(logits_type const& x, int i, int label) {
  if (label < 0 || label >= classes) return -1;
  int above = 0;
  for (int c = 0; c < classes; ++c) above += x(i, c) > x(i, label) || (x(i, c) == x(i, label) && c < label);
  return above;
}
}  // namespace

TEST_CASE("by hand, in jit and outside") {
  array<float, 4, 3> const x{{1, 2, 3}, {3, 1, 2}, {5, 5, 0}, {0, 1, 1}};
  CHECK(train::accuracy(x, array<int, 4>{2, 0, 0, 1}).item() == 1.0f);
  CHECK(train::accuracy(x, array<int, 4>{2, 0, 1, 2}).item() == 0.5f);  // of equal ones the first
  CHECK(train::accuracy(x, array<int, 4>{-1, -1, -1, 1}).item() == 0.25f);
  CHECK(train::top_k_accuracy<2>(x, array<int, 4>{1, 2, 1, 2}).item() == 1.0f);
  CHECK(train::top_k_accuracy<2>(x, array<int, 4>{0, 1, 2, 0}).item() == 0.0f);
  CHECK(train::top_k_accuracy<1>(x, array<int, 4>{2, 0, 1, 2}).item() == 0.5f);
  auto const m = train::confusion_matrix<3>(x, array<int, 4>{2, 1, 1, 1});
  CHECK(to_string(m) == to_string(array<int, 3, 3>{{0, 0, 0}, {2, 1, 0}, {0, 0, 1}}));
}

TEST_CASE("as loops over plain numbers have it") {
  auto const x = logits();
  auto const y = labels();
  int first = 0, third = 0;
  int table[classes][classes] = {};
  for (int i = 0; i < examples; ++i) {
    int const at = place(x, i, y(i));
    first += at == 0;
    third += at >= 0 && at < 3;
    for (int c = 0; c < classes; ++c)
      if (y(i) >= 0 && place(x, i, c) == 0) ++table[y(i)][c];
  }
  CHECK(first > 2);
  CHECK(third > first);
  for (auto const& got : {accuracy(x, y), train::accuracy(x, y), train::top_k_accuracy<1>(x, y)})
    CHECK(got.item() == doctest::Approx(double(first) / examples));
  for (auto const& got : {top_3(x, y), train::top_k_accuracy<3>(x, y)})
    CHECK(got.item() == doctest::Approx(double(third) / examples));
  for (auto const& got : {confusion(x, y), train::confusion_matrix<classes>(argmax<1>(x), y)})
    for (int i = 0; i < classes; ++i)
      for (int c = 0; c < classes; ++c) CHECK(got(i, c) == table[i][c]);
}

TEST_CASE("a NaN, labels that are no class, more axes, other element types") {
  float const nan = std::numeric_limits<float>::quiet_NaN();
  array<float, 2, 3> const x{{nan, 1, 0}, {1, nan, 0}};
  CHECK(train::top_k_accuracy<1>(x, array<int, 2>{1, 0}).item() == 0.0f);  // a NaN is above all
  CHECK(train::top_k_accuracy<2>(x, array<int, 2>{1, 0}).item() == 1.0f);
  CHECK(train::top_k_accuracy<3>(x, array<int, 2>{3, -1}).item() == 0.0f);
  array<double, 2, 2, 3> const y{{{1, 2, 3}, {3, 2, 1}}, {{0, 9, 0}, {4, 5, 6}}};
  CHECK(train::accuracy(y, array<std::int64_t, 2, 2>{{2, 0}, {1, 0}}).item() == 0.75f);
  auto const m =
      train::confusion_matrix<3>(array<std::uint8_t, 2, 2>{{0, 1}, {9, 1}}, array<int, 2, 2>{{0, 2}, {1, 2}});
  CHECK(to_string(m) == to_string(array<int, 3, 3>{{1, 0, 0}, {0, 0, 0}, {0, 2, 0}}));
}

TEST_CASE("a running mean") {
  auto m = train::mean::empty();
  CHECK(m.value().item() == 0.0);
  m = m.add(array<float>(3)).add(array<float, 2>{1, 2});
  CHECK(m.value().item() == 2.0);
  CHECK(m.merge(train::mean::empty().add(array<int>(8), 2)).value().item() == 4.4);
  CHECK(train::mean::empty().merge(train::mean::empty()).value().item() == 0.0);
  CHECK(train::mean::empty().add(0.5).add(2).value().item() == 1.25);
  CHECK(train::mean::empty().add(0.5, 3).add(array<float>(2), array<int>(1)).value().item() == 0.875);
  auto const n = add_both(m, array<float, 5>{1, 2, 3, 4, 5});
  CHECK(n.count.item() == 10.0);
  CHECK(n.value().item() == doctest::Approx((6.0 + 15 + 6) / 10));
}
