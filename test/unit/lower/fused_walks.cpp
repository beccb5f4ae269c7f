// SPDX-License-Identifier: BSD-3-Clause
// The ways in which kernels walk over memory: short rows side by side, tiles of what is read across, strips of columns,
// batches of small products, blocks in short runs; of sizes about those of registers, tiles and strips, in other
// element types and with names.
#include <omp.h>

#include <etna/nn/loss.hpp>
#include <etna/numpy/linalg.hpp>

#include "same.hpp"

using namespace test;

namespace {

template <class F, class... A> void runs(F f, A const&... args) { near(jit(f)(args...), f(args...), 1e-5, 1e-12); }
/// The same to the bit for one thread and two.
template <class F, class... A> void runs_on_both(F f, A const&... args) {
  runs(f, args...);
  omp_set_num_threads(1);
  auto const one = jit(f)(args...);
  omp_set_num_threads(2);
  CHECK(same_bits(jit(f)(args...), one));
}
/// Loops of the first step of a plan.
template <class F, class... P> constexpr planning::nest form(F, P const&...) {
  auto const& p = compiler::program<F, P...>::value;
  return planning::nest_of(p, p.steps[0]);
}
using planning::nest;

template <class T, int Rows, int N> void short_rows() {
  using rows = array<T, Rows, N>;
  auto x = some<rows>(1);
  auto v = some<array<T, N>>(2);
  auto of_row = some<array<T, Rows>>(3);
  CHECK(form([](rows x) { return sum<1>(x); }, x) == nest::joined_rows);
  CHECK(form([](rows x) { return std::pair{x - T(1), sum<1>(x - T(1))}; }, x) == nest::joined_rows);
  CHECK(form([](rows x) { return softmax<1>(x); }, x) == nest::across_rows);
  runs([](auto x, auto v, auto r) { return sum<1>(x * v) + r; }, x, v, of_row);
  runs([](auto x, auto v, auto r) { return std::tuple{max<1>(x * v), min<1>(x) * r, x + v}; }, x, v, of_row);
  runs([](auto x) { return std::tuple{softmax<1>(x), logsumexp<1>(x)}; }, x);
  runs([](auto x,
          auto r) { return (x - mean<1>(x, keepdims)) / sqrt(var<1>(x, keepdims) + T(0.1)) * expand_dims<1>(r); },
       x, of_row);
  runs([](auto x, auto v) { return grad([v](auto x) { return sum(square(softmax<1>(x * v))); })(x); }, x, v);
  runs([](auto x, auto v) { return x * v + expand_dims<0>(v); }, x, v);  // no sums
  runs([](auto x) { return where(x > T(0), x * T(2), T(1)) * (expand_dims<1>(arange<T, Rows>()) + arange<T, N>()); },
       x);
  runs([](array<T, N, Rows> x) { return sum<1>(transpose(x) * T(2)) + sum<1>(transpose(x)); },
       some<array<T, N, Rows>>(4));
  runs([](auto x) { return std::tuple{any<1>(x > T(0.9)), all<1>(x > T(-0.9))}; }, x);
  runs(
      [](auto x) {
        return sum<1>(where(equal(arange<int, N>(), expand_dims<1>(arange<int, Rows>() % 5)), astype<float>(x),
                            2.f * astype<float>(arange<int, N>())));
      },
      x);
  runs([](auto x, auto v) { return std::tuple{argmax<1>(x * v), argmin<1>(x), sum<1>(x)}; }, x, v);
}

}  // namespace

TEST_CASE_TEMPLATE("short rows", T, TEST_FLOATS) {
  short_rows<T, 31, 7>();
#if !defined(ETNA_FEW)
  if constexpr (sizeof(T) == 4) short_rows<T, 33, 3>(), short_rows<T, 75, 16>(), short_rows<T, 40, 32>();
#endif
}
TEST_CASE("short rows of several loops, of integers, with names, shared by threads") {
  using pairs = array<float, 19, 21, 3>;
  auto x = some<array<float, 19, 3>>(1);
  auto y = some<array<float, 21, 3>>(2);
  runs([](auto x, auto y) { return sum<2>(square(expand_dims<1>(x) - expand_dims<0>(y))); }, x, y);
  runs([](pairs x, auto y) { return sum<2>(x * expand_dims<0>(y)); }, some<pairs>(3), y);
  runs([](pairs x) { return sum<2>(transpose<1, 0, 2>(x)); }, some<pairs>(3));
  // reduced axes that do not merge; rows in lines of fewer than a register has
  using image = array<float, 5, 10, 12, 3>;
  runs([](image x) { return mean<2, 4>(reshape<5, 5, 2, 6, 2, 3>(x)); }, some<image>(4));
  using planes = array<float, 5, 3, 10, 22>;
  CHECK(form([](planes x) { return max<3, 5>(reshape<5, 3, 5, 2, 11, 2>(x)); }, some<planes>(4)) == nest::across_rows);
  runs(
      [](planes x) {
        return std::tuple{max<3, 5>(reshape<5, 3, 5, 2, 11, 2>(x)), mean<3, 5>(reshape<5, 3, 5, 2, 11, 2>(x) * 2.f)};
      },
      some<planes>(4));
  runs([](planes x) { return grad([](planes x) { return sum(square(max<3, 5>(reshape<5, 3, 5, 2, 11, 2>(x)))); })(x); },
       some<planes>(4));
  runs(
      [](array<float, 9, 4> x) {
        return std::tuple{sum<1>(x), argmax<1>(x)};
      },
      array<float, 9, 4>{{1, 1, 0, 1},
                         {-3, -2, -2, -5},
                         {0, 0, 0, 0},
                         {1, 2, 3, 4},
                         {4, 3, 2, 1},
                         {9, 9, 9, 9},
                         {-1, 0, -1, 0},
                         {5, 6, 5, 6},
                         {2, 1, 2, 1}});
  runs([](auto x) { return std::tuple{sum<1>(x), max<1>(x * 2 - 3), x % 3}; }, some<array<int, 50, 6>>(1, -40, 40));
  runs([](auto x) { return sum<1>(astype<double>(x)); }, some<array<float, 50, 6>>(1));
  array<float, "n"_n, 10> named = some<array<float, 37, 10>>(1);
  runs([](auto x) { return softmax<1>(x); }, named);
  array<float, "n"_n, 10> few = some<array<float, 3, 10>>(1);
  runs([](auto x) { return softmax<1>(x); }, few);
  array<float, "n"_n, 10> none = array<float, 0, 10>{};
  runs([](auto x) { return softmax<1>(x); }, none);
  runs_on_both([](auto x) { return softmax<1>(x); }, some<array<float, 30011, 10>>(1));
  auto given = some<array<float, 64, 10>>(1);
  auto const want = jit([](array<float, 64, 10> x) { return softmax<1>(x); })(given);
  CHECK(same_bits(jit([](array<float, 64, 10> x) { return softmax<1>(x); })(std::move(given)), want));
}
namespace {
/// Rows of N elements: shorter than a register, or walked by steps.
template <class T, extent N> void rows_without_sums(nest loops) {
  using rows = array<T, 131, N>;
  auto x = some<rows>(1, -50, 50);
  auto v = some<array<T, N>>(2, -50, 50);
  auto r = some<array<T, 131>>(3, -50, 50);
  CHECK(form([](rows x, array<T, N> v) { return x + v; }, x, v) == loops);
  runs([](auto x, auto v, auto r) { return std::tuple{x + v, x * expand_dims<1>(r) - v}; }, x, v, r);
  runs([](auto r) { return repeat<3, 0>(r) + T(1); }, r);
  runs([](auto x) { return x + (arange<T, N>() + expand_dims<1>(arange<T, 131>())); }, x);
  runs([](auto x, auto v) { return expand_dims<2>(slice<every, range{0, 3}>(x)) * slice<range{0, 2}>(v); }, x, v);
  runs([](auto x, auto v) { return where(x > v, transpose(transpose(x) * T(2)), v); }, x, v);
  auto const want = jit([](rows x, array<T, N> v) { return x * v; })(x, v);
  CHECK(same_bits(jit([](rows x, array<T, N> v) { return x * v; })(std::move(x), v), want));
}
}  // namespace
TEST_CASE_TEMPLATE("short rows without sums", T, float, double, int) {
  constexpr bool is_short = std::is_same_v<T, int>;
  rows_without_sums<T, is_short ? 3 : 10>(is_short ? nest::flat : nest::pointwise);
}
TEST_CASE_TEMPLATE("tiles of what is read across", T, TEST_FLOATS) {
  using wide = array<T, 70, 131>;
  using tall = array<T, 131, 70>;
  auto a = some<wide>(1, -50, 50);
  auto b = some<tall>(2, -50, 50);
  CHECK(form([](wide a) { return transpose(a) + T(1); }, a) == nest::pointwise);
  runs([](auto a) { return transpose(a) * T(3); }, a);
  runs([](auto a, auto b) { return transpose(a) + b * transpose(a); }, a, b);
  runs([](auto a, auto b) { return std::tuple{transpose(a) - b, b * T(2)}; }, a, b);
  runs([](auto a) { return flip<1>(a) + flip<0>(a) * flip<0, 1>(a); }, a);
  runs([](auto a) { return flip<0>(transpose(a)) + T(1); }, a);
  runs([](auto a) { return slice<every, range{1, 131, 3}>(a) + slice<every, range{0, 130, 3}>(a); }, a);
  runs([](auto a) { return transpose<2, 0, 1>(a) + T(1); }, some<array<T, 9, 66, 20>>(3, -50, 50));
  runs([](auto a) { return transpose<0, 2, 1>(a) + arange<T, 66>(); }, some<array<T, 9, 66, 20>>(3, -50, 50));
  runs([](auto x) { return flip<0>(x) + T(1); }, some<array<T, 20011>>(4, -50, 50));
  runs([](auto x) { return where(transpose(x) > T(1), transpose(x), T(0)); }, a);
}
TEST_CASE("tiles, shared by threads and with names") {
  runs_on_both([](auto a) { return transpose(a) + flip<0>(transpose(a)); }, some<array<float, 701, 501>>(1));
  array<float, "n"_n, 130> named = some<array<float, 70, 130>>(1);
  runs([](auto a) { return transpose(a) * 2.f; }, named);
  runs([](array<bool, 70, 131> m, array<float, 131, 70> x) { return where(transpose(m), x, 0.f); },
       some<array<bool, 70, 131>>(1, 0, 2), some<array<float, 131, 70>>(2));
}
TEST_CASE_TEMPLATE("strips of columns", T, double, int) {
  auto const sums = [](auto x) { return std::tuple{sum<0>(x), max<0>(x) - min<0>(x), sum<0>(x * x) * T(2)}; };
  auto of = [&]<int Rows, int N>(std::integral_constant<int, Rows>, std::integral_constant<int, N>) {
    auto x = some<array<T, Rows, N>>(1, 1, 50);
    CHECK(form([](array<T, Rows, N> x) { return sum<0>(x); }, x) == nest::columns);
    runs(sums, x);
  };
  auto number = []<int N>() { return std::integral_constant<int, N>{}; };
  of(number.template operator()<131>(), number.template operator()<70>());
  of(number.template operator()<3>(), number.template operator()<1025>());
#if !defined(ETNA_FEW)
  of(number.template operator()<1000>(), number.template operator()<3>());
  of(number.template operator()<129>(), number.template operator()<300>());
  of(number.template operator()<7>(), number.template operator()<2500>());
#endif
  runs([](auto x) { return sum<1>(x) * T(2) + max<1>(x); }, some<array<T, 3, 130, 37>>(1, 1, 50));
  runs([](auto x) { return sum<0, 2>(x); }, some<array<T, 3, 13, 5, 37>>(1, 1, 50));
}
TEST_CASE("columns of dear elements, of two sums, with names, shared by threads") {
  runs([](auto x) { return std::tuple{logsumexp<0>(x), softmax<0>(x), var<0>(x)}; }, some<array<float, 133, 77>>(1));
  array<float, "n"_n, 600> named = some<array<float, 135, 600>>(1);
  runs([](auto x) { return sum<0>(x * 2.f); }, named);
  array<float, "n"_n, 600> none = array<float, 0, 600>{};
  runs([](auto x) { return sum<0>(x * 2.f); }, none);
  runs_on_both([](auto x) { return sum<0>(x * x); }, some<array<float, 700, 1100>>(1));
}
TEST_CASE_TEMPLATE("batches of small products", T, TEST_FLOATS) {
  auto of = []<int B, int M, int K, int N>(std::integer_sequence<int, B, M, K, N>) {
    auto a = some<array<T, B, M, K>>(1);
    auto b = some<array<T, B, K, N>>(2);
    runs([](auto a, auto b) { return matmul(a, b); }, a, b);
    runs([](array<T, B, K, M> a, array<T, B, N, K> b) { return einsum<"bkm,bnk->bmn">(a, b); },
         some<array<T, B, K, M>>(1), some<array<T, B, N, K>>(2));
    runs([](array<T, M, K, B> a, array<T, K, B, N> b) { return einsum<"mkb,kbn->bmn">(a, b); },
         some<array<T, M, K, B>>(1), some<array<T, K, B, N>>(2));
    runs([](auto a, auto b) { return grad<0, 1>([](auto a, auto b) { return sum(square(matmul(a, b))); })(a, b); }, a,
         b);
    // each is what it is alone
    auto all = jit([](array<T, B, M, K> a, array<T, B, K, N> b) { return matmul(a, b); })(a, b);
    auto first = jit([](array<T, M, K> a, array<T, K, N> b) { return dot(a, b); })(slice<B - 1>(a), slice<B - 1>(b));
    CHECK(same_bits(slice<B - 1>(all), first));
  };
  of(std::integer_sequence<int, 75, 5, 3, 7>{});
#if !defined(ETNA_FEW)
  if constexpr (sizeof(T) == 4)
    of(std::integer_sequence<int, 64, 4, 4, 4>{}), of(std::integer_sequence<int, 17, 6, 6, 6>{});
#endif
}
TEST_CASE("blocks in short runs, and others") {
  auto a = some<array<float, 50, 30>>(1);
  auto b = some<array<float, 50, 30>>(2);
  runs([](auto a, auto b) { return stack<2>(a, b); }, a, b);
  runs([](auto a, auto b) { return stack<2>(a, b, a * 2.f); }, a, b);
  runs([](auto a, auto b) { return concatenate<2>(stack<2>(a, b), stack<2>(a, b, a)); }, a, b);
  runs([](auto a, auto b) { return concatenate<1>(a, b) + 1.f; }, a, b);
  runs([](auto a) { return concatenate<1>(a, slice<every, range{0, 2}>(a)) * 2.f; }, a);
  runs([](auto a, auto b) { return grad<0, 1>([](auto a, auto b) { return sum(square(stack<2>(a, b))); })(a, b); }, a,
       b);
  runs([](auto a) { return stack<2>(a, a + 1); }, some<array<int, 50, 30>>(1, -50, 50));
  runs([](auto a) { return stack<2>(a, !a); }, some<array<bool, 50, 30>>(1, 0, 2));
  runs([](auto a, auto b) { return stack<2>(a, b); }, some<array<double, 50, 30>>(1), some<array<double, 50, 30>>(2));
  runs([](auto a) { return roll<1, 1>(a) - roll<-1, 1>(a); }, a);
}
TEST_CASE("quotients and remainders of integers in registers") {
  auto x = some<array<int, 1003>>(1, -2147483648., 2147483647.);
  auto y = some<array<int, 1003>>(2, -9, 9);
  runs(
      [](auto x, auto y) {
        return std::tuple{floor_divide(x, y), x % y, rem(x, y), floor_divide(y, x), y % x};
      },
      x, y);
  auto u = some<array<std::uint32_t, 1003>>(1, 0, 4294967295.);
  auto w = some<array<std::uint32_t, 1003>>(2, 0, 70000);
  runs([](auto x, auto y) { return std::tuple{floor_divide(x, y), x % y}; }, u, w);
  auto edges = array<int, 20>{-2147483647 - 1,
                              -2147483647 - 1,
                              -2147483647 - 1,
                              2147483647,
                              2147483647,
                              0,
                              5,
                              -5,
                              7,
                              -7,
                              6,
                              -6,
                              1,
                              -1,
                              2147483646,
                              2147483646,
                              3,
                              0,
                              -1,
                              1};
  auto by = array<int, 20>{-1,         1, 0,  2147483647, -1, 3, 0, 0, 7, 7, -7, 7, -2147483647 - 1, -2147483647 - 1,
                           2147483647, 2, -1, 0,          0,  0};
  runs([](auto x, auto y) { return std::tuple{floor_divide(x, y), x % y, rem(x, y)}; }, edges, by);
}
TEST_CASE("a long chain is several kernels") {
  using x_t = array<float, 1003>;
  auto f = [](x_t x, x_t y) {
    x_t z = x;
    for (int i = 0; i < 150; ++i) z = z * y + x;
    return std::pair{z, x_t(z - x)};
  };
  CHECK(plan_of<decltype(f), x_t, x_t>::kernel_count == 2);
  auto x = some<x_t>(1), y = some<x_t>(2, -0.9, 0.9);
  near(jit(f)(x, y), f(x, y), 1e-4);
  // many operands, then a sum of rows
  auto g = [](array<float, 40, 30> x) {
    array<float, 40, 30> z = x, all = x;
    for (int i = 0; i < 90; ++i) {
      z = z * 0.9f - x;
      all = all + z;
    }
    return std::pair{array<float, 40>(sum<1>(all)), z};
  };
  auto a = some<array<float, 40, 30>>(3);
  near(jit(g)(a), g(a), 1e-4);
}

namespace {
constexpr auto doubled = [](auto const& x) { return repeat<2, 1>(repeat<3, 0>(x)); };
constexpr auto beside = [](auto const& x) {
  constexpr extent n = std::remove_cvref_t<decltype(x)>::type.e[1] / 2;
  auto const pairs = reshape<std::remove_cvref_t<decltype(x)>::type.e[0], n, 2>(x);
  auto const a = slice<every, every, 0>(pairs), b = slice<every, every, 1>(pairs);
  return std::tuple{b - a, a * 2.0f + b, slice<every, range{1, n}>(a)};
};
constexpr auto gated = [](auto const& h, auto const& c) {
  auto const g = where(h > 0.0f, c, 0.0f);
  return std::pair{g, sum<0>(g)};
};
template <extent Rows, extent N> void few_registers() {
  auto const h = some<array<float, Rows, N>>(1), c = some<array<float, Rows, N>>(2);
  runs_on_both(gated, h, c);
  runs_on_both(beside, h);
  runs_on_both([](auto const& x) { return std::tuple{doubled(x), slice<every, range{1, N - 1}>(x)}; }, h);
  // g where c was
  auto const [g, sums] = gated(h, c);
  auto mine = c;
  auto const r = jit(gated)(h, std::move(mine));
  near(r.first, g, 0, 0);
  near(r.second, sums, 1e-5, 1e-6);
}
}  // namespace
TEST_CASE("rows of few registers: walked by steps, and columns by registers") {
  few_registers<131, 12>();
#if !defined(ETNA_FEW)
  few_registers<70, 8>();
  few_registers<65, 66>();
#endif
}
namespace {
constexpr auto short_rows_in_few = [](array<float, "n"_n, 3, 2> x, array<float, "n"_n, 2> y) {
  return std::tuple{x + transpose<0, 2, 1>(reshape<"n"_n, 2, 3>(x)), x * expand_dims<1>(y),
                    sum<2>(x * expand_dims<1>(y) + transpose<0, 2, 1>(reshape<"n"_n, 2, 3>(x)))};
};
constexpr auto and_turned = [](array<float, "n"_n, 3, 3> x) { return x + transpose<0, 2, 1>(x); };
static_assert(form(and_turned, array<float, "n"_n, 3, 3>()) == nest::flat);
template <extent... Rows> void check_short_rows_in_few() {
  (runs_on_both(short_rows_in_few, array<float, "n"_n, 3, 2>(some<array<float, Rows, 3, 2>>(1)),
                array<float, "n"_n, 2>(some<array<float, Rows, 2>>(2))),
   ...);
}
}  // namespace
TEST_CASE("short rows of which few follow each other go along the longest loop") {
  check_short_rows_in_few<1, 5, 8, 129, 1000>();
}

namespace {
constexpr auto every_other = [](auto const& x) {
  constexpr extent n = std::remove_cvref_t<decltype(x)>::type.e[1];
  auto const even = slice<every, range{0, n, 2}>(x);
  return std::tuple{even + even, flip<1>(x) - x, slice<every, range{n - 1, none, -2}>(x) * even};
};
template <class T, extent... N> void check_every_other() {
  (runs(every_other, astype<T>(some<array<float, 3, N>>(1) * 100.0f)), ...);
}
}  // namespace
TEST_CASE("every other element, and elements from the last to the first") {
  check_every_other<float, 2, 17, 130>();
  check_every_other<std::uint8_t, 33, 64>();
#if !defined(ETNA_FEW)
  check_every_other<float, 15, 16, 31, 32, 33, 64>();
  check_every_other<double, 7, 8, 16, 33, 66>();
  check_every_other<int, 16, 31, 65>();
  check_every_other<bfloat16, 33, 64>();
#endif
}
