// SPDX-License-Identifier: BSD-3-Clause
// What threads share of long sums and of scatters: parts of sums by row and by column, of products and of their folded
// axes, places and rows of a scatter. Against the interpreter and plain loops, with the same bits for all shares.
#include <omp.h>

#include <etna/lower/gemm_parts.hpp>
#include <etna/lower/scatter.hpp>

#include "products.hpp"
#include "same.hpp"

using namespace test;

namespace {

template <class F, class... A> void same_by_all(F f, double within, A const&... x) {
  near(jit(f)(x...), f(x...), within);
  omp_set_num_threads(1);
  auto const one = jit(f)(x...);
  omp_set_num_threads(2);
  CHECK(same_bits(jit(f)(x...), one));
}

/// Columns whose sums have parts: the last of few rows, and of no register.
template <class T, extent Rows, extent N> void columns() {
  using table = array<T, Rows, N>;
  using row = array<T, N>;
  auto const x = some<table>(1, 1, 9), y = some<table>(2, 1, 9);
  auto const r = some<row>(3, 1, 9);
  double const within = 1e-4;
  same_by_all([](table x) { return std::tuple{sum<0>(x), max<0>(x), min<0>(x)}; }, within, x);
  same_by_all([](table x, table y, row r) { return sum<0>(x * y - r) * r; }, within, x, y, r);
  // elements beside their sums, where their operand was too
  auto beside = [](table x, row r) {
    auto y = where(x > T(4), x * r, T(0));
    return std::pair{y, sum<0>(y)};
  };
  same_by_all(beside, within, x, r);
  auto const want = beside(x, r);
  auto z = x;
  near(jit(beside)(std::move(z), r), want, within);
  same_by_all([](table x) { return argmax<0>(x); }, 0, x);  // has no parts
}
/// Sums over two axes, the last of which ends inside of a part.
template <class T, extent A, extent B, extent N> void two_axes() {
  using cube = array<T, A, B, N>;
  auto const x = some<cube>(1, 1, 9);
  auto const m = some<array<T, A, 1, N>>(2, 1, 9);
  same_by_all([](cube x, array<T, A, 1, N> m) { return sum<0, 1>(x * m); }, 1e-4, x, m);
  auto beside = [](cube x, array<T, A, 1, N> m) {
    auto y = where(x > T(4), broadcast_to<A, B, N>(m), T(0));
    return std::pair{y, sum<0, 1>(y)};
  };
  same_by_all(beside, 1e-4, x, m);
}
/// One long row, of cheap elements and of dear ones.
template <class T, extent N> void rows() {
  using row = array<T, N>;
  auto const x = some<row>(1, 1, 9), y = some<row>(2, 1, 9);
  same_by_all([](row x, row y) { return std::tuple{sum(x * y), max(x - y)}; }, 1e-4, x, y);
  auto dear = [](row x, row y) {
    auto const a = x * y + x, b = a * a - y, c = b * x + a, d = c * c - b * y;
    return std::tuple{a, sum(d), sum(c * b)};
  };
  same_by_all(dear, 1e-4, x, y);
}

/// A product in parts, the last of which is computed first.
template <class T, class Sum, bool Folds> struct in_parts {
  using parts = lower::gemm_parts<T, Sum, Folds>;
  using whole = typename parts::whole;
  static inline std::int64_t most = 0;
  static std::int64_t units(lower::gemm_numbers const&) { return 1; }
  static lower::gemm_numbers rounds(lower::gemm_numbers p, std::int64_t from, std::int64_t to) {
    return whole::rounds(p, from, to);
  }
  static void run(lower::gemm_numbers const& p, std::int64_t from, std::int64_t to) {
    if (from == to) return;
    parts const of(p);
    most = std::max(most, of.n);  // of some rows there may be one
    std::vector<Sum> sums(of.bytes(p) / sizeof(Sum));
    for (std::int64_t i = of.n - 1; i >= 0; --i) of.run(p, sums.data(), i, i + 1);
    of.join(p, sums.data());
  }
};
template <class T, class Sum> int wrong(std::int64_t batch, std::int64_t m, std::int64_t n, std::int64_t k) {
  auto const a = integers<T>(batch * m * k, 1), b = integers<T>(batch * k * n, 2);
  std::vector<Sum> sum(std::size_t(batch * m * n));
  for (std::int64_t q = 0; q < batch; ++q)
    for (std::int64_t i = 0; i < m; ++i)
      for (std::int64_t x = 0; x < k; ++x)
        for (std::int64_t j = 0; j < n; ++j)
          sum[std::size_t((q * m + i) * n + j)] +=
              Sum(a[std::size_t((q * k + x) * m + i)]) * Sum(b[std::size_t((q * k + x) * n + j)]);
  using product = in_parts<T, Sum, false>;
  product::most = 0;
  int const bad = wrong_places<product>({a.data(), b.data(), nullptr, batch, m, n, k, m * k, 1, m, k * n, n, 1}, sum);
  CHECK(product::most > 1);
  return bad;
}

/// scatter_add by a plain loop, and in shares.
template <class T> void scatters(std::int64_t batch, std::int64_t pre, std::int64_t n, std::int64_t places,
                                 std::int64_t post, std::int64_t apart) {
  CAPTURE(n);
  CAPTURE(post);
  CAPTURE(apart);
  std::uint32_t seed = 7;
  auto next = [&] { return (seed = seed * 1664525u + 1013904223u) >> 8; };
  std::vector<std::int32_t> index(std::size_t(batch * places * apart));
  for (std::size_t i = 0; i < index.size(); ++i) {
    auto const near_by = std::int64_t(i) / apart % places * n / places;  // here and there, and whole blocks in one half
    std::int64_t const at = i / 500 % 2 ? near_by : std::int64_t(next()) % n;
    index[i] = std::int32_t(next() % 50 == 0 ? 2 * n : next() % 7 == 0 ? at - n : at);
  }
  std::vector<T> x(std::size_t(batch * pre * n * post)), updates(std::size_t(batch * pre * places * post));
  for (T& v : x) v = T(float(next() % 1000) / 7);
  for (T& v : updates) v = T(float(next() % 1000) / 7);
  auto want = x;
  for (std::int64_t row = 0; row < batch * pre; ++row)
    for (std::int64_t i = 0; i < places; ++i) {
      std::int64_t at = index[std::size_t((row / pre * places + i) * apart)];
      if (at < 0) at += n;
      if (at >= n) continue;
      for (std::int64_t q = 0; q < post; ++q)
        want[std::size_t((row * n + at) * post + q)] =
            T(want[std::size_t((row * n + at) * post + q)] + updates[std::size_t((row * places + i) * post + q)]);
    }
  using body = lower::scatter<T, std::int32_t>;
  for (std::int64_t shares : {1, 2, 5}) {
    std::vector<T> out(x.size(), T(99));
    lower::scatter_numbers const s{x.data(), index.data(), updates.data(), out.data(),     batch, pre,
                                   n,        places,       post,           places * apart, apart};
    std::int64_t const units = body::units(s);
    for (std::int64_t k = shares - 1; k >= 0; --k) body::run(s, units * k / shares, units * (k + 1) / shares);
    CHECK(out == want);
    auto in_place = x;
    lower::scatter_numbers t = s;
    t.x = t.out = in_place.data();
    for (std::int64_t k = 0; k < shares; ++k) body::run(t, units * k / shares, units * (k + 1) / shares);
    CHECK(in_place == want);
  }
}

}  // namespace

TEST_CASE("parts of columns") {
  columns<float, 20000, 24>();
  columns<float, 50001, 5>();
  columns<double, 9001, 33>();
  columns<float, 2100, 300>();
  columns<std::int32_t, 20011, 16>();
}
TEST_CASE("parts of columns over two axes") {
  two_axes<float, 37, 1001, 16>();
  two_axes<float, 700, 33, 24>();
  two_axes<double, 5, 9000, 7>();
}
TEST_CASE("parts of a row") {
  rows<float, 70001>();
  rows<float, 140001>();
  rows<double, 131072>();
}
TEST_CASE("parts of a product") {
  CHECK(wrong<float, float>(1, 32, 32, 8192) == 0);
  CHECK(wrong<float, float>(1, 7, 16, 16381) == 0);
  CHECK(wrong<float, float>(2, 33, 5, 4205) == 0);
  CHECK(wrong<double, double>(1, 64, 64, 2048) == 0);
  CHECK(wrong<float, double>(1, 3, 9, 80000) == 0);
  CHECK(wrong<bfloat16, float>(1, 31, 17, 5000) == 0);
}
TEST_CASE("parts of a product over places of windows") {
  for (bool first : {false, true}) {
    CHECK(wrong_windows<in_parts<float, float, true>, float, float>(52, 16, 40, first, true) == 0);
    CHECK(wrong_windows<in_parts<float16, float, true>, float16, float>(52, 12, 17, first, true) == 0);
  }
  CHECK(in_parts<float, float, true>::most > 1);
  CHECK(in_parts<float16, float, true>::most > 1);
}
TEST_CASE("few terms, and many results, have no parts") {
  lower::gemm_numbers few{nullptr, nullptr, nullptr, 1, 32, 32, 2047, 0, 1, 32, 0, 32, 1}, many = few;
  CHECK(lower::gemm_parts<float, float, false>(few).n == 1);
  many.k = 100000;
  many.m = 1000;
  CHECK(lower::gemm_parts<float, float, false>(many).n == 1);
}
TEST_CASE_TEMPLATE("a scatter by rows, and by places of a long row", T, float, double, std::int64_t) {
  for (std::int64_t post : {1, 2, 3, 4, 7}) {
    scatters<T>(2, 5, 37, 101, post, 1);
    scatters<T>(3, 9, 5, 40, post, 3);
    scatters<T>(1, 1, 140000, 5000, post, 2);
    scatters<T>(1, 3, 140000, 3000, post, 1);
  }
}
