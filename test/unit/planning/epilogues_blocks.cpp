// SPDX-License-Identifier: BSD-3-Clause
// Kernels that follow each other, into which a long computation of each example is cut, run block by block: what they
// hand on is no memory. Numbers of examples are no multiple of a block or a register, and large enough for two threads.
#include <omp.h>

#include "groups.hpp"

using namespace test;

namespace {

constexpr extent n = 40003;
/// Some hundred operations of an example, of which each kernel takes a part.
template <int Rounds> constexpr auto steps = [](auto x) {
  auto turned = [](auto v) {
    array<int, 6> next{1, 2, 3, 4, 5, 0}, far{3, 4, 5, 0, 1, 2};
    return decltype(v)(take(v, next) * v - 0.5f * take(v, far) + v * v * take(v, next));
  };
  if constexpr (Rounds == 1) return turned(x);
  else return turned(steps<Rounds - 1>(x) * 0.5f);
};
template <class F, class... A> void same_by_all(F f, A const&... x) {
  auto const want = f(x...);
  omp_set_num_threads(1);
  auto const one = jit(f)(x...);
  near(one, want, 1e-5);
  omp_set_num_threads(2);
  CHECK(same_bits(jit(f)(x...), one));
}

}  // namespace

TEST_CASE_TEMPLATE("a long computation of each example", T, TEST_FLOATS) {
  using table = array<T, n, 6>;
  auto const x = some<table>(1), y = some<table>(2);
  auto f = [](table x) { return vmap(steps<9>)(x); };
  CHECK(groups<decltype(f), table>().size() == 1);
  same_by_all(f, x);
  // a result where an argument was
  auto z = x;
  near(jit(f)(std::move(z)), f(x), 1e-5);
  // what each step hands on is a result as well; sums of an example, and rows of it
  same_by_all(
      [](table x, table y) {
        auto a = table(vmap(steps<3>)(x)), b = table(vmap(steps<3>)(a - y));
        return std::tuple{a, b, sum<1>(b * y), softmax<1>(b), sum<1>(a) * sum<1>(y)};
      },
      x, y);
}
TEST_CASE("gradients of it") {
  using table = array<float, n, 6>;
  same_by_all([](table x) { return vmap(grad([](auto v) { return sum(steps<3>(v)); }))(x); }, some<table>(1));
}
TEST_CASE("what reads other examples is no part of a block") {
  using table = array<float, n, 6>;
  auto const x = some<table>(1);
  same_by_all([](table x) { return vmap(steps<3>)(flip<0>(table(vmap(steps<3>)(x)))); }, x);
  same_by_all(
      [](table x) {
        auto a = table(vmap(steps<3>)(x));
        auto beside = slice<range{0, n - 1}, range{}>(a) * slice<range{1, n}, range{}>(a);
        return std::pair{vmap(steps<3>)(beside), sum<0>(a)};
      },
      x);
  auto const at = array<int, n>::build([](int* o) {
    for (int i = 0; i < n; ++i) o[i] = int(i * 7919ll % n);
  });
  same_by_all([](table x, array<int, n> at) { return vmap(steps<3>)(take<0>(table(vmap(steps<3>)(x)), at)); }, x, at);
}
