// SPDX-License-Identifier: BSD-3-Clause
// A scan under vmap, block of examples by block: each example's numbers are those of a scan of its own.
#include <omp.h>

#include "same.hpp"

using namespace test;

namespace {

/// How many rounds the loops outside of others have.
template <class F, class... P> constexpr extent blocks(F const&, P const&...) {
  auto const& p = compiler::program<F, P...>::value;
  auto const& f = p.frames[p.n_frames - 1];
  for (int s = f.step; s < f.step + f.steps; ++s)
    if (planning::is<planning::scan_step>(p.steps[s]))
      return planning::scan_step::words(planning::plan(p), p.steps[s]).length;
  return 0;
}
constexpr extent rounds = 3;
template <class T, extent N> using measured = array<T, N, rounds, 2>;
template <class T, extent N> using matrices = array<T, N, 4, 4>;

/// A filter of four numbers and their covariances, with a matrix that differs by example.
template <class T> constexpr auto filter = [](array<T, 4, 4> f, array<T, rounds, 2> z) {
  array<T, 2, 4> const h{{1, 0, 0, 0}, {0, 1, 0, 0}};
  auto [last, all] = scan(
      [&](std::pair<array<T, 4>, array<T, 4, 4>> const& state, array<T, 2> z) {
        auto const& [x0, p0] = state;
        auto x = dot(f, x0);
        auto p = dot(dot(f, p0), transpose(f)) + T(0.1) * eye<T, 4>();
        auto gain = dot(p, transpose(h)) / (1 + trace(p));
        x = x + dot(gain, z - dot(h, x));
        return std::pair{std::pair{x, array<T, 4, 4>(p - dot(gain, dot(h, p)))}, std::tuple{x, trace(p)}};
      },
      std::pair{zeros<T, 4>(), eye<T, 4>()}, z);
  return std::tuple{last.first, std::get<0>(all), std::get<1>(all)};
};
template <class T> constexpr auto loss = [](array<T, 4, 4> f, array<T, rounds, 2> z) {
  auto [x, all, traces] = filter<T>(f, z);
  return sum(square(x)) + sum(all * all) + sum(traces);
};
template <class T, extent N>
constexpr auto filters = [](matrices<T, N> f, measured<T, N> z) { return vmap(filter<T>)(f, z); };
template <class T, extent N>
constexpr auto gradients = [](matrices<T, N> f, measured<T, N> z) { return vmap(value_and_grad<0, 1>(loss<T>))(f, z); };
/// All of f of one example each, and of `all` at once.
template <class T, extent N, class F, class All> void each_alone(F f, All all, matrices<T, N> m, measured<T, N> z) {
  auto const r = jit(all)(m, z);
  for (extent i : {extent(0), N / 3, N - 1}) {
    auto const mine = f(take<0>(m, array<int>(int(i))), take<0>(z, array<int>(int(i))));
    near(tree::map([&](auto const& x) { return take<0>(x, array<int>(int(i))); }, r), mine, 1e-4, 1e-11);
  }
}
/// Results of the first loop, outer ones last.
template <class F, class... P> constexpr int results_of_loop(F const&, P const&...) {
  auto const& p = compiler::program<F, P...>::value;
  for (int s = 0; s < p.n_steps; ++s)
    if (planning::is<planning::scan_step>(p.steps[s])) return p.steps[s].outputs - 1;  // and memory for it
  return 0;
}
/// A round reads a table of constants and a number that no round changes.
constexpr auto turned = [](array<float> q, array<float, 3> first, array<float, 5, 3> xs) {
  array<float, 3, 3> const table{{0, 1, 0}, {0, 0, 1}, {0.5f, 0, 0}};
  return sum(scan(
                 [&](array<float, 3> s, array<float, 3> x) {
                   return std::pair{array<float, 3>(sin(dot(table * exp(q), s)) + x), std::tuple{}};
                 },
                 first, xs)
                 .first);
};
constexpr auto turned_gradient = [](array<float> q, array<float, 3> first, array<float, 5, 3> xs) {
  return grad<0, 1>(turned)(q, first, xs);
};

/// A recurrent cell with gates that are parts of one product.
constexpr auto gated = [](array<float, 16, 64> w, array<float, 4, 64> xs) {
  using row = array<float, 16>;
  return sum(scan(
                 [&](std::pair<row, row> const& state, array<float, 64> x) {
                   auto [i, f, g, o] = split<4, 0>(x + dot(state.first, w));
                   auto c = row(sigmoid(f) * state.second + sigmoid(i) * tanh(g));
                   return std::pair{std::pair{row(sigmoid(o) * tanh(c)), c}, std::tuple{}};
                 },
                 std::pair{zeros<float, 16>(), zeros<float, 16>()}, xs)
                 .first.first);
};
constexpr auto gated_gradient = [](array<float, 16, 64> w, array<float, 128, 4, 64> xs) {
  return grad([&](array<float, 16, 64> const& w) { return mean(square(vmap<none, 0>(gated)(w, xs))); })(w);
};
}  // namespace

TEST_CASE("what no round changes is not kept for the derivative") {
  using row = array<float, 3>;
  using rows = array<float, 5, 3>;
  // the carry at last, what each round began with, and the product whose cosine is read
  static_assert(results_of_loop(turned_gradient, array<float>(), row(), rows()) == 3);
  auto const q = array<float>(0.3f);
  auto const first = some<row>(1);
  auto const xs = some<rows>(2);
  near(jit(turned_gradient)(q, first, xs), turned_gradient(q, first, xs), 1e-5);
}
TEST_CASE("a cell with gates, block by block, has the interpreter's derivative") {
  auto const w = some<array<float, 16, 64>>(1, -0.3, 0.3);
  auto const xs = some<array<float, 128, 4, 64>>(2, -1, 1);
  near(jit(gated_gradient)(w, xs), gated_gradient(w, xs), 1e-4, 1e-6);
}
TEST_CASE("blocks of examples, where their number has such") {
  static_assert(blocks(filters<float, 256>, matrices<float, 256>(), measured<float, 256>()) == 2);
  static_assert(blocks(filters<float, 263>, matrices<float, 263>(), measured<float, 263>()) == rounds);
  auto const m = some<matrices<float, 256>>(1, -0.5, 0.5);
  auto const z = some<measured<float, 256>>(2);
  each_alone<float, 256>(filter<float>, filters<float, 256>, m, z);
  each_alone<float, 256>(value_and_grad<0, 1>(loss<float>), gradients<float, 256>, m, z);
}
TEST_CASE("no blocks: a prime number of examples") {
  auto const m = some<matrices<double, 131>>(1, -0.5, 0.5);
  each_alone<double, 131>(filter<double>, filters<double, 131>, m, some<measured<double, 131>>(2));
}
TEST_CASE("blocks have the same bits on one thread and two") {
  auto const m = some<matrices<float, 256>>(1, -0.5, 0.5);
  auto const z = some<measured<float, 256>>(2);
  omp_set_num_threads(1);
  auto const one = jit(gradients<float, 256>)(m, z);
  omp_set_num_threads(2);
  CHECK(same_bits(jit(gradients<float, 256>)(m, z), one));
}
TEST_CASE("examples that meet in a round are no blocks") {
  constexpr extent n = 2048;
  using T = float;
  constexpr auto centred = [](array<T, n, 2, 8> x) {
    return vmap<0>(
        [](array<T, 2, 8> x) {
          return scan(
              [](array<T, 8> h, array<T, 8> x) {
                auto next = tanh(h * x + x) - pmean<"i"_n>(x);
                next = next + T(0.001) * astype<T>(axis_index<"i"_n>(x));
                return std::pair{next, sum(next)};
              },
              ones<T, 8>(), x);
        },
        axis_name<"i"_n>)(x);
  };
  auto const x = some<array<T, n, 2, 8>>(1);
  auto const [last, sums] = jit(centred)(x);
  // by hand
  auto h = ones<T, n, 8>();
  for (int t = 0; t < 2; ++t) {
    auto const now = take<1>(x, array<int>(t));
    h = tanh(h * now + now) - mean<0>(now) + T(0.001) * expand_dims<1>(arange<T, n>());
    near(take<1>(sums, array<int>(t)), sum<1>(h), 1e-4);
  }
  near(last, h, 1e-5);
}
