// SPDX-License-Identifier: BSD-3-Clause
// One computation in several forms, which should take the same time: `jit(vmap(jacrev(f)))` beside `point(jacrev(f))`
// in a loop of the user's over 100,000 examples in f64; and cross products by `cross`, slices, `roll` and `take`.
#include "program.hpp"

namespace {

using namespace wide;
constexpr extent n = 100000;
using clock = std::chrono::steady_clock;

/// Least milliseconds of two functions, in turns.
template <class F, class G> std::pair<double, double> in_turns(F f, G g) {
  auto const once = [](auto& h) {
    auto const before = clock::now();
    h();
    return std::chrono::duration<double>(clock::now() - before).count() * 1e3;
  };
  f(), g();
  std::pair<double, double> least{1e9, 1e9};
  for (int i = 0; i < 60; ++i) least = {std::min(least.first, once(f)), std::min(least.second, once(g))};
  return least;
}

template <extent In, extent Out, class F> void beside_points(char const* name, F) {
  using example = array<double, In>;
  constexpr F of{};
  static constexpr auto batched = jit([](array<double, n, In> x) { return vmap(jacrev(F{}))(x); });
  auto const x = array<double, n, In>::build([](double* o) {
    for (extent i = 0; i < n * In; ++i) o[i] = 0.2 + 0.7 * u01(std::uint64_t(i), 5);
  });
  std::vector<double> own(std::size_t(n * Out * In));
  auto const one = point(jacrev(of));
  auto result = batched(x);
  auto const [a, b] = in_turns([&] { result = batched(x); },
                               [&] {
                                 for (extent i = 0; i < n; ++i) {
                                   double at[In];
                                   std::copy_n(x.data() + i * In, In, at);
                                   auto const j = one(at);
                                   for (int k = 0; k < Out * In; ++k) own[std::size_t(i * Out * In + k)] = j[k];
                                 }
                               });
  double most = 0;
  for (std::size_t i = 0; i < own.size(); ++i)
    most = std::max(most, std::abs(own[i] - result.data()[i]) / (1 + std::abs(own[i])));
  std::printf("| %s | %.3f | %.3f | %.2f | %.0e |\n", name, a, b, a / b, most);
}

// How a function returns its numbers is as a user writes it
constexpr auto rosenbrock = [](array<double, 8> x) {
  auto a = slice<range{0, 7}>(x), b = slice<range{1, 8}>(x);
  return stack<0>(sum(100.0 * square(b - a * a)), sum(square(1.0 - a)));
};
constexpr auto pendulum = [](array<double, 4> y) {
  auto p = slice<0>(y), q = slice<1>(y), u = slice<2>(y), v = slice<3>(y);
  auto d = p - q, c = cos(d), s = sin(d), m = 2.0 - c * c;
  auto up = (-2.0 * 9.81 * sin(p) - u * u * s * c + 9.81 * sin(q) * c - v * v * s) / m;
  auto vp = (2.0 * s * (u * u + 9.81 * cos(p)) + v * v * s * c) / m;
  return stack<0>(u, v, up, vp);
};
constexpr auto polar = [](array<double, 2> x) {
  auto a = slice<0>(x), b = slice<1>(x);
  return stack<0>(sqrt(a * a + b * b), atan2(b, a));
};
constexpr auto matrices = [](array<double, 9> x) {
  auto m = reshape<3, 3>(x);
  return reshape<9>(dot(dot(m, m), transpose(m)));
};
constexpr auto robertson = [](array<double, 3> y) {
  auto a = slice<0>(y), b = slice<1>(y), c = slice<2>(y);
  return stack<0>(-0.04 * a + 1e4 * b * c, 0.04 * a - 1e4 * b * c - 3e7 * b * b, 3e7 * b * b);
};
constexpr auto rotation = [](array<double, 4> q) {
  auto u = slice<range{1, 4}>(q);
  array<double, 3> v{0.3, -0.5, 0.8};
  auto t = 2.0 * cross(u, v);
  return v + slice<0>(q) * t + cross(u, t);
};

using vectors = array<float, n, 3>;
constexpr auto by_cross = jit([](vectors x, vectors y) { return cross(x, y); });
constexpr auto by_slices = jit([](vectors x, vectors y) {
  auto of = [](vectors v) { return std::tuple{slice<every, 0>(v), slice<every, 1>(v), slice<every, 2>(v)}; };
  auto [a, b, c] = of(x);
  auto [p, q, r] = of(y);
  return stack<1>(b * r - c * q, c * p - a * r, a * q - b * p);
});
constexpr auto by_roll =
    jit([](vectors x, vectors y) { return roll<-1, 1>(x) * roll<-2, 1>(y) - roll<-2, 1>(x) * roll<-1, 1>(y); });
constexpr auto by_take = jit([](vectors x, vectors y) {
  array<int, 3> next{1, 2, 0}, last{2, 0, 1};
  return take<1>(x, next) * take<1>(y, last) - take<1>(x, last) * take<1>(y, next);
});
template <class F> void beside_cross(char const* name, F const& f) {
  auto const x = fill<vectors>(1), y = fill<vectors>(2);
  auto a = f(x, y), b = by_cross(x, y);
  auto const [mine, other] = in_turns([&] { a = f(x, y); }, [&] { b = by_cross(x, y); });
  double most = 0;
  for (extent i = 0; i < 3 * n; ++i) most = std::max(most, double(std::abs(a.data()[i] - b.data()[i])));
  std::printf("| %s | %.3f | %.3f | %.2f | %.0e |\n", name, mine, other, mine / other, most);
}

/// Least milliseconds of a copy that reads and writes as many bytes together as so many numbers an example have.
void copy_of(char const* name, extent numbers) {
  std::vector<double> from(std::size_t(n * numbers / 2), 0.5), to(from.size());
  auto const copy = [&] {
    std::copy(from.begin(), from.end(), to.begin());
    from[std::size_t(numbers)] = to[std::size_t(numbers) + 1] + 1;
  };
  std::printf("| %s | %.3f |\n", name, in_turns(copy, [] {}).first);
}

entry const e("forms", [](double) {
  std::printf("| `jacrev` of | vmap, ms | point in a loop, ms | ratio | difference |\n|---|---:|---:|---:|---:|\n");
  beside_points<8, 2>("Rosenbrock's function, 8 -> 2", rosenbrock);
  beside_points<4, 4>("double pendulum, 4 -> 4", pendulum);
  beside_points<2, 2>("polar coordinates, 2 -> 2", polar);
  beside_points<9, 9>("product of matrices, 9 -> 9", matrices);
  beside_points<3, 3>("Robertson's chemistry, 3 -> 3", robertson);
  beside_points<4, 3>("rotation, 4 -> 3", rotation);
  std::printf("| cross product by | ms | `cross`, ms | ratio | difference |\n|---|---:|---:|---:|---:|\n");
  beside_cross("slices", by_slices);
  beside_cross("roll", by_roll);
  beside_cross("take", by_take);
  std::printf("| as many bytes copied as move | ms |\n|---|---:|\n");
  copy_of("quat: 10 in, 24 out", 34);
  copy_of("stiff: 3 in, 12 out", 15);
});

}  // namespace
