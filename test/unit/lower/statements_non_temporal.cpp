// SPDX-License-Identifier: BSD-3-Clause
// Results that are more than caches hold are stored past them: they are what small ones are, wherever a register
// begins.
#include <etna/nn/norm.hpp>

#include <cstring>

#include "same.hpp"

using namespace test;

namespace {

constexpr int blocks = 200;
/// All rows at once have the bits of some at a time, whose results stay in a cache. A row of a result has Out numbers.
template <class T, int Rows, int N, int Out = N, class F> void as_some_at_a_time(F f) {
  static_assert(sizeof(T) * Rows * blocks * Out >= tuning::non_temporal &&
                sizeof(T) * Rows * Out < tuning::non_temporal);
  using all_t = array<T, Rows * blocks, N>;
  using some_t = array<T, Rows, N>;
  auto const x = all_t::build([](T* to) {
    for (int i = 0; i < Rows * blocks * N; ++i) to[i] = T(i * 7919LL % 1000) / 100 - T(i % 3);
  });
  auto const y = jit(f)(x);
  int bad = 0;
  for (int b = 0; b < blocks; ++b) {
    auto const part =
        jit(f)(some_t::build([&](T* to) { std::memcpy(to, x.data() + b * Rows * N, sizeof(T) * Rows * N); }));
    bad += std::memcmp(part.data(), y.data() + b * Rows * Out, sizeof(T) * Rows * Out) != 0;
  }
  CHECK(bad == 0);
  auto old = x;
  CHECK(same_bits(jit(f)(std::move(old)), y));
}

}  // namespace

TEST_CASE("rows in several phases") {
  as_some_at_a_time<float, 41, 1024>([](auto x) { return layer_norm(x); });
  as_some_at_a_time<float, 41, 1030>([](auto x) { return layer_norm(x); });  // a row begins in the middle of a register
  as_some_at_a_time<double, 20, 1051>([](auto x) { return softmax(x); });
}
TEST_CASE("elements") {
  as_some_at_a_time<float, 41, 1030>([](auto x) { return x * 2 + 1; });
  as_some_at_a_time<double, 20, 1051>([](auto x) { return x * 2 + 1; });
  constexpr int n = (1 << 23) + 13;
  static constexpr auto f = jit([](array<float, n> x) { return std::tuple{x * 2, x > 5, astype<std::uint8_t>(x)}; });
  auto const x = array<float, n>::build([](float* to) {
    for (int i = 0; i < n; ++i) to[i] = float(i % 251);
  });
  auto const [y, more, bytes] = f(x);
  int bad = 0;
  for (int i = 0; i < n; ++i)
    bad += y.data()[i] != float(i % 251 * 2) || more.data()[i] != (i % 251 > 5) || bytes.data()[i] != i % 251;
  CHECK(bad == 0);
}
TEST_CASE("many numbers of an example, put together before they are stored") {
  auto pairs = [](auto x) {
    return vmap([](auto a) { return expand_dims<1>(a) * expand_dims<0>(flip<0>(a) + 1); })(x);
  };
  as_some_at_a_time<double, 261, 9, 81>(pairs);
#if !defined(ETNA_FEW)
  as_some_at_a_time<double, 4201, 2, 5>([](auto x) {
    return vmap([](auto a) {
      auto p = slice<0>(a), q = slice<1>(a);
      return stack<0>(p * q, p - q, sin(p), q / 3, p * p);
    })(x);
  });
  as_some_at_a_time<float, 3423, 5, 25>(pairs);
#endif
}
