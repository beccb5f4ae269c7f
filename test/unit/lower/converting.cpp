// SPDX-License-Identifier: BSD-3-Clause
// Elements of several sizes in registers of one: kernels of all loops that read bytes, pick narrow elements, sum wide
// ones and round their results. Conversions themselves are accuracy/narrow.cpp; kernels of the other narrow types
// exec/narrow.cpp.
#include "same.hpp"

using namespace test;

namespace {

template <class F, class... A> void runs(F f, A const&... args) { near(jit(f)(args...), f(args...), 1e-6, 1e-12); }

using bytes = std::uint8_t;
/// What images and the like want: bytes as numbers, numbers as bytes, masks and bounds of them.
template <class T, int Rows, int N> void kernels() {
  auto u = some<array<bytes, Rows, N>>(1, 0, 256);
  auto v = some<array<bytes, N>>(2, 0, 256);
  auto x = some<array<T, Rows, N>>(3, -300, 300);
  auto y = some<array<T, Rows, N>>(6, 1, 300);  // sums of these are as exact as they are
  auto i = some<array<int, Rows, N>>(4, -70000, 70000);
  auto c = some<array<T, N>>(5, -1, 1);
  runs([](auto u, auto c) { return (astype<T>(u) / T(255) - c) * T(2); }, u, c);
  runs(
      [](auto x, auto i) {
        return std::tuple{astype<bytes>(x), astype<bytes>(i), astype<int>(x), astype<T>(i) + x};
      },
      x, i);
  runs(
      [](auto u, auto x) {
        return std::tuple{where(u > bytes(100), x, T(0)), u < bytes(7), where(x > T(0), u, bytes(3))};
      },
      u, x);
  runs([](auto u, auto v, auto y) { return sum<1>(where(equal(u, v), y, y * T(2))) + sum<1>(astype<T>(u)); }, u, v, y);
  runs([](auto u, auto y) { return std::tuple{sum<0>(astype<T>(u) * y), max<0>(u), min<0>(y)}; }, u, y);
  runs(
      [](auto u) {
        return std::tuple{max<1>(u), min<1>(u), mean<1>(astype<T>(u)), softmax<1>(astype<T>(u) / T(50))};
      },
      u);
  runs([](auto u, auto c) { return astype<T>(transpose(u)) + expand_dims<1>(c); }, u, c);
  runs([](auto u) { return astype<T>(flip<1>(u)) * T(2) + astype<T>(slice<every, range{0, 1}>(u)); }, u);
  runs([](auto x) { return x + astype<T>(arange<int, N>()) * T(0.5) + astype<T>(arange<bytes, N>()); }, x);
  runs([](auto x) { return where(arange<int, N>() <= expand_dims<1>(arange<int, Rows>()), x, T(0)); }, x);
  runs([](auto u) { return sum(astype<T>(u)); }, u);
  runs([](auto u) { return astype<T>(pad<1, 1, 1, 1>(u, bytes(9))); }, u);
  runs([](auto u, auto i) { return astype<T>(take<0>(u, remainder(abs(slice<every, 0>(i)), Rows))); }, u, i);
}
template <int Rows, int N> void doubles() {
  auto x = some<array<float, Rows, N>>(1, -300, 300);
  auto y = some<array<double, Rows, N>>(2, -300, 300);
  auto l = some<array<std::int64_t, Rows, N>>(3, -100000, 100000);
  runs([](auto x) { return sum<1>(square(astype<double>(x))); }, x);
  runs([](auto x) { return sum<0>(astype<double>(x)); }, x);
  runs(
      [](auto x, auto y) {
        return std::tuple{astype<double>(x) * y, astype<float>(y), astype<float>(astype<double>(x) + y),
                          where(x > 0.f, y, 0.0)};
      },
      x, y);
  runs(
      [](auto l, auto x) {
        return std::tuple{astype<int>(l) + 1, astype<std::int64_t>(astype<int>(x)) * l, astype<float>(l),
                          astype<bytes>(l)};
      },
      l, x);
  runs([](auto y, auto x) { return transpose(y) + astype<double>(transpose(x)); }, y, x);
  runs(
      [](auto y) {
        return std::tuple{astype<float>(mean<1>(y)), max<1>(astype<float>(y)), astype<std::uint32_t>(y)};
      },
      y);
}

}  // namespace

TEST_CASE_TEMPLATE("bytes and integers beside numbers", T, TEST_FLOATS) {
  kernels<T, 33, 70>();  // rows and columns
  kernels<T, 40, 5>();   // short rows, together
}
TEST_CASE("floats and integers beside doubles") {
  doubles<21, 67>();
  doubles<67, 6>();
}

namespace {
/// Element k of a row of zeros and a ramp is number(k), rounded once.
template <class R, class Number> void counts(R const& r, Number const& number) {
  using T = typename R::value_type;
  int wrong = 0;
  for (extent k = 0; k < R::type.size(); ++k) wrong += double(r.data()[k]) != double(T(double(number(k))));
  CHECK(wrong == 0);
}
}  // namespace
TEST_CASE_TEMPLATE("ramps count exactly, wherever a register begins", T, bfloat16, float16, float) {
  constexpr extent n = 1068, rows = 89, columns = 12;
  auto const x = full<T, n>(T(0));
  auto const m = full<T, rows, columns>(T(0));
  auto const turned = full<T, columns, rows>(T(0));
  counts(jit([](auto x) { return x + arange<T, n>(); })(x), [](extent k) { return k; });
  counts(jit([](auto x) { return x + flip<0>(arange<T, n>()); })(x), [](extent k) { return n - 1 - k; });
  counts(jit([](auto m) {
           return m + slice<every, range{0, columns}>(reshape<rows, columns + 7>(arange<T, rows*(columns + 7)>()));
         })(m),
         [](extent k) { return k / columns * (columns + 7) + k % columns; });
  counts(jit([](auto x, auto t) { return x + transpose(t + reshape<columns, rows>(arange<T, n>())); })(m, turned),
         [](extent k) { return k % columns * rows + k / columns; });
  constexpr extent far = (extent(1) << 24) - 20;  // beyond what a float counts
  counts(jit([](auto x) {
           return x + slice<range{far, far + n}>(arange<T, far + n>());
         })(x),
         [](extent k) { return far + k; });
}
