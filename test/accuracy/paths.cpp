// SPDX-License-Identifier: BSD-3-Clause
// One result per argument on every path of a program: bodies and tails of kernels over 1 to 100 elements, short rows,
// straight-line code, `point`, two threads. A few functions stand for their kinds, as what differs is the path: with a
// reduction, with two operands, and products and sums that a compiler may contract.
#include <omp.h>

#include <etna/etna.hpp>

#include "check.hpp"

using namespace accuracy;

namespace {

constexpr auto program = [](auto x, auto y) {
  return std::tuple{etna::exp(x), etna::sin(x), etna::pow(x, y), x * y + etna::tanh(y) * x - y};
};
constexpr std::string_view names[] = {"exp", "sin", "pow", "x y + x tanh(y) - y"};
constexpr std::size_t results = std::size(names);
using namespace etna;

template <class T> using line = array<T, "n"_n>;
template <class T> using rows = array<T, "k"_n, 5>;

/// Ordinary numbers among all others, each of which is another's neighbour.
template <class T> std::vector<pair<T>> mixed() {
  using limits = std::numeric_limits<T>;
  T const inf = limits::infinity(), none = limits::quiet_NaN(), most = limits::max(), least = limits::denorm_min();
  std::vector<pair<T>> at;
  for (T x : {T(0.7),    -T(0), T(2.5), inf,     T(-1), T(7),     none, T(1e5), T(3e30),
              T(-88.4),  least, T(0),   T(-0.3), -most, T(100.5), -inf, T(3),   limits::min() / 3,
              T(-708.6), T(11)})
    for (T y : {T(2), T(-0.6), T(3), T(0)}) at.push_back({x, y});
  for (T y : {inf, none, -inf, most, -least}) at.insert(at.end(), {{1, y}, {T(1.7), y}, {T(-0.2), y}});
  return at;
}

template <class T, extent... E> T const* numbers_of(array<T, E...> const& a) { return a.data(); }
template <class T, extent... E> T const* numbers_of(small<T, E...> const& a) { return a.begin(); }

template <class T> class paths {
  tally& t;
  std::vector<pair<T>> at = mixed<T>();
  std::vector<T> wanted[results];  // of each argument, where all of a line is that argument

  std::size_t chosen(std::size_t i, std::size_t shift) const { return (i * 7 + shift) % at.size(); }
  /// As many arguments from this shift on: of two operands the first, or the second.
  template <class A> A filled(bool second, std::size_t shift, std::array<extent, std::size_t(A::rank)> sizes) const {
    std::size_t n = 1;
    for (extent e : sizes) n *= std::size_t(e);
    auto fill = [&](T* to) {
      for (std::size_t i = 0; i < n; ++i) to[i] = second ? at[chosen(i, shift)].y : at[chosen(i, shift)].x;
    };
    return A::build(fill, sizes);
  }
  template <class R> void compare(char const* where, std::size_t n, std::size_t shift, R const& r) {
    std::vector<pair<T>> given(n);
    std::vector<T> want(n);
    for (std::size_t i = 0; i < n; ++i) given[i] = at[chosen(i, shift)];
    std::size_t k = 0;
    auto one = [&](T const* got) {
      for (std::size_t i = 0; i < n; ++i) want[i] = wanted[k][chosen(i, shift)];
      t.same_bits(where, names[k++], given, got, want.data());
    };
    std::apply([&](auto const&... a) { (one(numbers_of(a)), ...); }, r);
  }
  /// f of arrays A of these sizes.
  template <class A, class F, class... More> void path(char const* where, F const& f, std::size_t shift,
                                                       std::array<extent, std::size_t(A::rank)> sizes,
                                                       More const&... more) {
    std::size_t n = 1;
    for (extent e : sizes) n *= std::size_t(e);
    compare(where, n, shift, f(filled<A>(false, shift, sizes), filled<A>(true, shift, sizes), more...));
  }

 public:
  explicit paths(tally& to) : t(to) {}
  void run() {
    constexpr auto of_line = jit([](line<T> x, line<T> y) { return program(x, y); });
    for (auto const& a : at) {
      auto all = [](T v) { return line<T>::build([v](T* to) { std::fill_n(to, 64, v); }, {64}); };
      std::size_t k = 0;
      std::apply([&](auto const&... r) { (wanted[k++].push_back(r.data()[17]), ...); }, of_line(all(a.x), all(a.y)));
    }
    for (int threads = 1; threads <= 2; ++threads) {
      omp_set_num_threads(threads);
      path<line<T>>("a place in a long line matters", of_line, 0, {200'003});
    }
    constexpr auto at_a_point = point<array<T>, array<T>>([](array<T> x, array<T> y) { return program(x, y); });
    for (std::size_t shift = 0; shift < at.size(); ++shift) {
      for (extent n = 1 + extent(shift % 3); n <= 100; n += 3)
        path<line<T>>("a place in a line matters", of_line, shift, {n});
      auto const [x, y] = at[chosen(0, shift)];
      compare("point differs", 1, shift, at_a_point(x, y));
    }
    if constexpr (sizeof(T) == 4) other_loops();
  }

 private:
  /// Loops of other kinds; what they do to f64 they do to f32.
  void other_loops() {
    constexpr auto of_rows = jit([](rows<T> x, rows<T> y, array<T, 5> one) { return program(x * one, y * one); });
    constexpr auto of_one = jit([](array<T, 1> x, array<T, 1> y) { return program(x, y); });
    constexpr auto of_some = jit([](array<T, 37> x, array<T, 37> y) { return program(x, y); });
    array<T, 5> const one{1, 1, 1, 1, 1};
    for (std::size_t shift = 0; shift < at.size(); ++shift) {
      for (extent n = 1; n <= 20; n += 3) path<rows<T>>("a place in a row matters", of_rows, shift, {n, 5}, one);
      path<array<T, 1>>("straight-line code differs", of_one, shift, {1});
      path<array<T, 37>>("a place in a static array matters", of_some, shift, {37});
    }
  }
};

}  // namespace

int main() {
  tally t;
  paths<float>(t).run();
  paths<double>(t).run();
  return t.done("paths");
}
